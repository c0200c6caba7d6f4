package dev.tilewright.api.work;

import dev.tilewright.api.work.LeaseRow.Ending;
import dev.tilewright.api.work.WorkState.State;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * The rules of the queue: how leases and the state of work change. They know no storage and no clock. A test plants
 * faults by overriding one.
 */
public class QueueRules {

    /** After so many workers that were lost with the same work, it is not leased again. */
    public static final int MOST_LOST = 3;

    /** So many workers that refuse a task end it, and so many refusals by the only worker that may take it. */
    public static final int MOST_REFUSALS = 3;

    private final Duration life;

    /** @param life of a lease, from its grant and from each heartbeat */
    public QueueRules(Duration life) {
        this.life = life;
    }

    /** A lease and the work that it makes a worker's. */
    public record Grant(LeaseRow lease, WorkState work) {}

    /** Grants queued work: the fence grows, and the lease is an attempt until it proves to be none. */
    public Grant grant(WorkState queued, UUID lease, UUID worker, String device, Instant now) {
        WorkState leased = new WorkState(queued.work(), State.LEASED, queued.attempts() + 1, queued.fence() + 1);
        return new Grant(
                new LeaseRow(
                        lease,
                        queued.work(),
                        worker,
                        device,
                        leased.fence(),
                        leased.attempts(),
                        false,
                        now,
                        now.plus(life),
                        null,
                        null),
                leased);
    }

    /** A heartbeat names a live lease: it has begun, and lives its whole life from now on. */
    public LeaseRow heard(LeaseRow live, Instant now) {
        Instant until = now.plus(life);
        return live.lasting(live.grantedAt(), until.isAfter(live.expiresAt()) ? until : live.expiresAt(), true);
    }

    /** The end of a live lease whose worker was not heard in time; empty if there is time left. */
    public Optional<LeaseRow> silent(LeaseRow live, Instant now) {
        return live.expiresAt().isAfter(now)
                ? Optional.empty()
                : Optional.of(live.ended(live.begun() ? Ending.EXPIRED : Ending.UNDELIVERED, now));
    }

    /**
     * A live lease after a time in which its worker may have spoken unheard, or the clock was set: it lives its whole
     * life from now on, and was not granted later than now.
     */
    public LeaseRow renewed(LeaseRow live, Instant now) {
        return live.lasting(live.grantedAt().isAfter(now) ? now : live.grantedAt(), now.plus(life), live.begun());
    }

    /** Leased work goes back to the queue: a lease is an attempt only if its worker was lost. */
    public WorkState back(WorkState leased, Ending how) {
        int attempts = how == Ending.EXPIRED ? leased.attempts() : leased.attempts() - 1;
        return new WorkState(leased.work(), State.QUEUED, attempts, leased.fence());
    }

    /**
     * Whether work that has just lost a worker is given up.
     *
     * @param lost workers that were lost with it, this one among them
     */
    public boolean isHopeless(int lost) {
        return lost >= MOST_LOST;
    }

    /** The answer to a report. */
    public enum Answer {
        /** Its lease lives. */
        TAKE,
        /** It was taken before, or nobody wants it any more. */
        KNOWN,
        /** Its fence is not that of the lease. */
        OTHER_FENCE,
        /** The lease was lost, and the work went back to the queue. */
        LOST
    }

    /** Decides how a report for a lease is answered; it comes from the worker that the lease was granted to. */
    public Answer answer(LeaseRow lease, long fence) {
        if (lease.fence() != fence) {
            return Answer.OTHER_FENCE;
        }
        return switch (lease.ending()) {
            case null -> Answer.TAKE;
            case EXPIRED, UNDELIVERED -> Answer.LOST;
            case REPORTED, REFUSED, CANCELLED -> Answer.KNOWN;
        };
    }

    /** The fate of a refused task. */
    public enum Refused {
        BACK,
        BY_WORKERS,
        BY_THE_ONLY_ONE
    }

    /**
     * Decides the fate of a task that a worker has just refused.
     *
     * @param times that this worker refused it
     * @param workers that refused it, this one among them
     */
    public Refused refused(int times, int workers) {
        if (workers >= MOST_REFUSALS) {
            return Refused.BY_WORKERS;
        }
        return times >= MOST_REFUSALS ? Refused.BY_THE_ONLY_ONE : Refused.BACK;
    }
}
