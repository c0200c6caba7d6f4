package dev.tilewright.api.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.testing.SettableClock;
import dev.tilewright.api.work.LeaseRow.Ending;
import dev.tilewright.api.work.WorkState.State;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** The events of a simulation, noted beside the queue, and the checks after every step. */
final class SimulationRecord {

    /** The life of a lease in a simulation. */
    static final Duration LIFE = Duration.ofSeconds(15);

    /** By so much a clock may be corrected unnoticed. */
    private static final Duration LEAP = Duration.ofSeconds(2);

    private final SimulatedStorage storage;
    private final SettableClock clock;
    private final Map<UUID, Integer> results = new LinkedHashMap<>();
    private final Map<UUID, Set<UUID>> unable = new HashMap<>();
    private final Map<UUID, Map<UUID, Integer>> refusals = new HashMap<>();
    private final Map<UUID, Long> heardNs = new HashMap<>();
    private final Set<UUID> confirmed = new HashSet<>();
    private final Set<UUID> cancelled = new HashSet<>();
    private final Set<UUID> touched = new HashSet<>();

    SimulationRecord(SimulatedStorage storage, SettableClock clock) {
        this.storage = storage;
        this.clock = clock;
    }

    void submitted(UUID task) {
        results.put(task, 0);
        unable.put(task, new HashSet<>());
        refusals.put(task, new HashMap<>());
        touched.add(task);
    }

    Set<UUID> tasks() {
        return results.keySet();
    }

    void granted(LeaseRow lease) {
        heardNs.put(lease.id(), clock.nanos());
        touched.add(lease.work().id());
    }

    void heard(UUID lease) {
        heardNs.put(lease, clock.nanos());
        confirmed.add(lease);
    }

    /** All that live are given their whole life. */
    void renewed() {
        heardNs.replaceAll((lease, ns) -> clock.nanos());
    }

    void finished(LeaseRow lease, long fence) {
        UUID task = lease.work().id();
        touched.add(task);
        assertThat(results.merge(task, 1, Integer::sum))
                .as("results of %s", task)
                .isEqualTo(1);
        assertThat(fence).as("fence of the report that counts").isEqualTo(lease.fence());
        assertThat(storage.state(task).fence()).as("last fence of %s", task).isEqualTo(fence);
    }

    void refused(LeaseRow lease, UUID worker) {
        UUID task = lease.work().id();
        touched.add(task);
        unable.get(task).add(worker);
        refusals.get(task).merge(worker, 1, Integer::sum);
    }

    void endedByRefusals(UUID task, QueueRules.Refused verdict) {
        switch (verdict) {
            case BACK -> throw new IllegalArgumentException("a task that goes back has not ended");
            case BY_WORKERS ->
                assertThat(unable.get(task)).as("workers that refused %s", task).hasSize(3);
            case BY_THE_ONLY_ONE ->
                assertThat(refusals.get(task)).as("refusals of %s", task).containsValue(3);
        }
    }

    void cancelled(UUID task) {
        cancelled.add(task);
        touched.add(task);
    }

    /** A lease ended since its worker was not heard; nobody may lose work while it speaks. */
    void silent(LeaseRow lease) {
        touched.add(lease.work().id());
        Duration silence = Duration.ofNanos(clock.nanos() - heardNs.get(lease.id()));
        assertThat(silence).as("silence of %s, which was taken back", lease).isGreaterThanOrEqualTo(LIFE.minus(LEAP));
        assertThat(lease.ending())
                .as("the end of %s", lease)
                .isEqualTo(confirmed.contains(lease.id()) ? Ending.EXPIRED : Ending.UNDELIVERED);
    }

    /** Checks every task that a step has touched; returns their states. */
    List<WorkState> check() {
        List<WorkState> states = touched.stream().sorted().map(this::check).toList();
        touched.clear();
        return states;
    }

    /** Checks every task, also those that no step was seen to touch. */
    void checkAll() {
        results.keySet().forEach(this::check);
    }

    private WorkState check(UUID task) {
        WorkState state = storage.state(task);
        List<LeaseRow> leases = storage.leasesOf(task);
        long live = leases.stream().filter(LeaseRow::isLive).count();
        require(live == (state.state() == State.LEASED ? 1 : 0), "live leases are %d", live, state);
        require(state.fence() == leases.size(), "leases are %d", leases.size(), state);
        for (int i = 0; i < leases.size(); i++) {
            require(
                    leases.get(i).fence() == i + 1,
                    "the fence of a lease is %d",
                    leases.get(i).fence(),
                    state);
        }
        long lost = count(leases, Ending.EXPIRED);
        long counted = lost
                + count(leases, Ending.REPORTED)
                + live
                + (results.get(task) == 0 && state.state() == State.OVER ? count(leases, Ending.CANCELLED) : 0);
        require(state.attempts() == counted, "attempts that count are %d", counted, state);
        require(lost <= 3 && (lost < 3 || state.state() == State.OVER), "lost workers are %d", lost, state);
        boolean explained = results.get(task) == 1
                || lost == 3
                || count(leases, Ending.CANCELLED) > 0
                || unable.get(task).size() == 3
                || refusals.get(task).containsValue(3)
                || cancelled.contains(task);
        require(state.state() != State.OVER || explained, "results are %d", results.get(task), state);
        return state;
    }

    private static long count(List<LeaseRow> leases, Ending ending) {
        return leases.stream().filter(lease -> lease.ending() == ending).count();
    }

    private static void require(boolean holds, String what, long number, WorkState state) {
        if (!holds) {
            throw new AssertionError(String.format(what, number) + ", but " + state);
        }
    }

    /** After the last fault everything ends: nothing was lost, and no lease of a dead worker lives. */
    boolean isOver() {
        return results.keySet().stream().allMatch(task -> storage.state(task).state() == State.OVER);
    }
}
