package dev.tilewright.api.work;

import dev.tilewright.api.testing.SettableClock;
import dev.tilewright.api.work.LeaseRow.Ending;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/** The rules of the queue as they are, or with one of them broken. */
enum Faults {
    NONE,
    FENCE_UNCHECKED,
    LOST_LEASE_REPORTS,
    REPORT_COUNTS_TWICE,
    REFUSAL_OF_TWO_WORKERS,
    EXPIRY_BY_THE_WALL_CLOCK,
    UNDELIVERED_IS_AN_ATTEMPT,
    REFUSAL_IS_AN_ATTEMPT,
    NEVER_HOPELESS,
    HOPELESS_AFTER_TWO,
    HEARTBEAT_BEGINS_NOTHING,
    HEARTBEAT_EXTENDS_NOTHING,
    FENCE_STANDS_STILL,
    SILENCE_IS_FORGIVEN;

    QueueRules rules() {
        return new Rules();
    }

    Attention attention(SettableClock clock) {
        return new Attention(clock, clock) {
            @Override
            public synchronized boolean isWhole() {
                return is(EXPIRY_BY_THE_WALL_CLOCK) || super.isWhole();
            }
        };
    }

    private boolean is(Faults fault) {
        return this == fault;
    }

    private final class Rules extends QueueRules {

        private Rules() {
            super(SimulationRecord.LIFE);
        }

        @Override
        public Grant grant(WorkState queued, UUID lease, UUID worker, String device, Instant now) {
            long fence = is(FENCE_STANDS_STILL) ? Math.max(0, queued.fence() - 1) : queued.fence();
            return super.grant(
                    new WorkState(queued.work(), queued.state(), queued.attempts(), fence), lease, worker, device, now);
        }

        @Override
        public LeaseRow heard(LeaseRow live, Instant now) {
            LeaseRow heard = super.heard(live, now);
            return heard.lasting(
                    heard.grantedAt(),
                    is(HEARTBEAT_EXTENDS_NOTHING) ? live.expiresAt() : heard.expiresAt(),
                    is(HEARTBEAT_BEGINS_NOTHING) ? live.begun() : heard.begun());
        }

        @Override
        public Optional<LeaseRow> silent(LeaseRow live, Instant now) {
            return is(SILENCE_IS_FORGIVEN) && live.begun() ? Optional.empty() : super.silent(live, now);
        }

        @Override
        public WorkState back(WorkState leased, Ending how) {
            boolean counted = is(UNDELIVERED_IS_AN_ATTEMPT) && how == Ending.UNDELIVERED
                    || is(REFUSAL_IS_AN_ATTEMPT) && how == Ending.REFUSED;
            return super.back(leased, counted ? Ending.EXPIRED : how);
        }

        @Override
        public boolean isHopeless(int lost) {
            return !is(NEVER_HOPELESS) && super.isHopeless(is(HOPELESS_AFTER_TWO) ? lost + 1 : lost);
        }

        @Override
        public Answer answer(LeaseRow lease, long fence) {
            Answer answer = super.answer(lease, is(FENCE_UNCHECKED) ? lease.fence() : fence);
            boolean taken = is(LOST_LEASE_REPORTS) && answer == Answer.LOST
                    || is(REPORT_COUNTS_TWICE) && answer == Answer.KNOWN;
            return taken ? Answer.TAKE : answer;
        }

        @Override
        public Refused refused(int times, int workers) {
            return super.refused(times, is(REFUSAL_OF_TWO_WORKERS) ? workers + 1 : workers);
        }
    }
}
