package dev.tilewright.api.work;

import dev.tilewright.api.testing.SettableClock;
import dev.tilewright.api.work.SimulatedReplica.Said;
import dev.tilewright.testing.Draw;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Workers, replicas and a network in virtual time, drawn from a seed: processes crash and pause, messages are lost,
 * doubled and late, clocks leap. After every step the record is checked; after the last one nothing goes wrong any
 * more, and all work must end.
 */
final class QueueSimulation {

    private static final int REPLICAS = 2;
    private static final int WORKERS = 4;
    private static final Duration LOOK = Duration.ofSeconds(2);

    /** Longer than the lives of all leases that three lost workers and a renewal can take. */
    private static final int STEPS_TO_THE_END = 120;

    private final Draw draw;
    private final SimulatedStorage storage;
    private final Faults faults;
    private final SettableClock clock = new SettableClock();
    private final LeaseEndings endings = new LeaseEndings(new SimpleMeterRegistry());
    private final SimulationRecord record;
    private final List<Process<SimulatedReplica>> replicas = new ArrayList<>();
    private final List<Process<SimulatedWorker>> workers = new ArrayList<>();
    private final List<Message> underWay = new ArrayList<>();
    private final @Nullable List<String> trace;
    private long named;
    private long awayUntilNs;
    private long leaptNs = Long.MIN_VALUE / 2;
    private boolean calm;

    /** A message that arrives at a time. */
    private record Message(long atNs, Runnable arrival) {}

    /** A process that runs, or stands still until a time; {@code null} while it is dead. */
    private static final class Process<T> {
        private @Nullable T running;
        private long standsUntilNs;
        private long actedNs;
    }

    /** @param traced whether what happens is noted, to be read */
    QueueSimulation(long seed, SimulatedStorage storage, Faults faults, boolean traced) {
        this.draw = new Draw(seed);
        this.storage = storage;
        this.faults = faults;
        this.record = new SimulationRecord(storage, clock);
        this.trace = traced ? new ArrayList<>() : null;
        this.named = seed << 20;
        for (int i = 0; i < REPLICAS; i++) {
            replicas.add(new Process<>());
            start(i);
        }
        for (int i = 0; i < WORKERS; i++) {
            workers.add(new Process<>());
            workers.get(i).running = new SimulatedWorker(this, id());
        }
    }

    /** Runs so many steps, and then to the end of all work. */
    void run(int steps) {
        for (int i = 0; i < steps; i++) {
            something();
            pass(Duration.ofMillis(draw.between(100, 3_000)));
            check();
        }
        calm = true;
        awayUntilNs = 0;
        underWay.clear();
        for (int i = 0; i < REPLICAS; i++) {
            Process<SimulatedReplica> replica = replicas.get(i);
            replica.standsUntilNs = 0;
            if (replica.running == null) {
                start(i);
            }
        }
        for (Process<SimulatedWorker> worker : workers) {
            worker.standsUntilNs = 0;
            if (worker.running == null) {
                worker.running = new SimulatedWorker(this, id());
            }
        }
        for (int i = 0; i < STEPS_TO_THE_END && !record.isOver(); i++) {
            pass(Duration.ofSeconds(2));
            check();
        }
        record.checkAll();
        if (!record.isOver()) {
            throw new AssertionError("work did not end: "
                    + record.tasks().stream().map(storage::state).toList());
        }
    }

    private void check() {
        List<WorkState> changed = record.check();
        if (trace != null) {
            changed.forEach(state -> note(state.toString()));
        }
    }

    private void something() {
        switch (draw.between(0, 63)) {
            case 0, 1, 2, 3, 4, 5, 6, 7 -> submit();
            case 8, 9 -> cancel();
            case 10, 11, 12 -> kill(workers);
            case 13, 14 -> kill(replicas);
            case 15, 16, 17 -> stop(workers, draw.between(1, 40));
            case 18, 19 -> stop(replicas, draw.between(1, 40));
            case 20, 21 -> leap();
            case 22 -> {
                awayUntilNs =
                        clock.nanos() + Duration.ofSeconds(draw.between(1, 20)).toNanos();
                note("the database is away");
            }
            default -> revive();
        }
    }

    private void submit() {
        UUID task = id();
        storage.inTransaction(() -> {
            storage.submit(task);
            return true;
        });
        record.submitted(task);
        note("submitted", task.toString());
    }

    private void cancel() {
        List<UUID> tasks = List.copyOf(record.tasks());
        SimulatedReplica replica = any(replicas);
        if (!tasks.isEmpty() && replica != null && !isAway()) {
            UUID task = tasks.get(draw.between(0, tasks.size() - 1));
            replica.cancel(task);
            note("cancelled", task.toString());
        }
    }

    private <T> void kill(List<Process<T>> some) {
        Process<T> process = some.get(draw.between(0, some.size() - 1));
        process.running = null;
        note("killed a " + (some.size() == REPLICAS ? "replica" : "worker"));
    }

    private <T> void stop(List<Process<T>> some, int seconds) {
        some.get(draw.between(0, some.size() - 1)).standsUntilNs =
                clock.nanos() + Duration.ofSeconds(seconds).toNanos();
        note("a " + (some.size() == REPLICAS ? "replica" : "worker") + " stands still for " + seconds + " s");
    }

    /**
     * Two leaps within a look of all replicas could undo each other unseen; a clock that is set twice a second is none.
     */
    private void leap() {
        if (clock.nanos() - leaptNs > Duration.ofSeconds(10).toNanos()) {
            leaptNs = clock.nanos();
            long seconds = draw.of(-3_600L, -30L, -4L, 4L, 30L, 3_600L);
            clock.leap(Duration.ofSeconds(seconds));
            note("the clock leaps by " + seconds + " s");
        }
    }

    private void revive() {
        for (int i = 0; i < REPLICAS; i++) {
            if (replicas.get(i).running == null && draw.either()) {
                start(i);
            }
        }
        for (Process<SimulatedWorker> worker : workers) {
            if (worker.running == null && draw.between(0, 3) == 0) {
                worker.running = new SimulatedWorker(this, id());
            }
        }
    }

    private void start(int replica) {
        replicas.get(replica).running = new SimulatedReplica(storage, clock, faults, endings, record);
        replicas.get(replica).actedNs = clock.nanos() - LOOK.toNanos();
    }

    /** Time passes: messages arrive, replicas look, workers act. */
    private void pass(Duration time) {
        clock.advance(time);
        long now = clock.nanos();
        for (int i = 0; i < underWay.size(); i++) {
            if (underWay.get(i).atNs() <= now) {
                underWay.remove(i--).arrival().run();
            }
        }
        for (Process<SimulatedReplica> replica : replicas) {
            if (replica.running != null && replica.standsUntilNs <= now && now - replica.actedNs >= LOOK.toNanos()) {
                replica.actedNs = now;
                look(replica.running);
            }
        }
        for (Process<SimulatedWorker> worker : workers) {
            if (worker.running != null && worker.standsUntilNs <= now) {
                worker.running.act();
            }
        }
    }

    private void look(SimulatedReplica replica) {
        if (isAway()) {
            replica.heartbeatIsLost();
        } else {
            replica.look();
        }
    }

    private boolean isAway() {
        return clock.nanos() < awayUntilNs;
    }

    private <T> @Nullable T any(List<Process<T>> some) {
        Process<T> process = some.get(draw.between(0, some.size() - 1));
        return process.standsUntilNs <= clock.nanos() ? process.running : null;
    }

    /** A request of a worker, and the answer to it. Either may be lost, late, or come twice. */
    interface Request {
        /** Answers; returns the reaction of the worker to the answer. */
        Runnable answeredBy(SimulatedReplica replica);
    }

    /** Sends a request of a worker to one of the replicas. */
    void send(SimulatedWorker from, String what, boolean isHeartbeat, Request request) {
        int copies = calm || draw.between(0, 9) > 1 ? 1 : draw.of(0, 2);
        for (int i = 0; i < copies; i++) {
            underWay.add(new Message(arrival(), () -> {
                SimulatedReplica replica = any(replicas);
                if (replica == null) {
                    return;
                }
                if (isAway()) {
                    if (isHeartbeat) {
                        replica.heartbeatIsLost();
                    }
                    return;
                }
                Runnable answer = request.answeredBy(replica);
                note(what);
                if (calm || draw.between(0, 9) > 0) {
                    underWay.add(new Message(arrival(), () -> {
                        if (workers.stream().anyMatch(worker -> worker.running == from)) {
                            answer.run();
                        }
                    }));
                }
            }));
        }
    }

    private long arrival() {
        return clock.nanos()
                + (calm || draw.between(0, 9) > 0
                        ? 0
                        : Duration.ofSeconds(draw.between(1, 40)).toNanos());
    }

    UUID id() {
        return new UUID(named++, 0);
    }

    long nanos() {
        return clock.nanos();
    }

    /** The report that a worker will send of a task. */
    Said said() {
        int drawn = calm ? 9 : draw.between(0, 9);
        return drawn == 0 ? Said.UNABLE : drawn == 1 ? Said.STOPPING : Said.DONE;
    }

    /** For how long a worker will run a task. */
    long runNs() {
        return Duration.ofSeconds(calm ? 1 : draw.between(0, 20)).toNanos();
    }

    /** The fence that a report names: seldom that of another lease. */
    long fence(long fence) {
        return !calm && draw.between(0, 49) == 0 ? Math.max(1, fence - 1) : fence;
    }

    boolean either() {
        return draw.either();
    }

    private void note(String... words) {
        if (trace != null) {
            String what = String.join(" ", words);
            trace.add(String.format(Locale.ROOT, "%7.1f s  %s", clock.nanos() / 1e9, what));
        }
    }

    /** All tasks that were submitted. */
    Set<UUID> tasks() {
        return record.tasks();
    }

    /** The events, one a line. */
    List<String> trace() {
        return trace == null ? List.of() : List.copyOf(trace);
    }
}
