package dev.tilewright.api.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The rules of the queue in virtual time. {@code -Dqueue.seed=N} replays one schedule and prints what happened in it.
 */
class QueueSimulationTest {

    private static final int STEPS = 200;
    private static final int SCHEDULES = 10_000;

    private static @Nullable Throwable failure(long seed, Faults faults) {
        try {
            new QueueSimulation(seed, new MemoryStorage(), faults, false).run(STEPS);
            return null;
        } catch (AssertionError | RuntimeException broken) {
            return broken;
        }
    }

    /** The first schedule from a seed on that breaks a rule. */
    private static OptionalLong broken(long first, int schedules, Faults faults) {
        return LongStream.range(first, first + schedules)
                .parallel()
                .filter(seed -> failure(seed, faults) != null)
                .findAny();
    }

    private static List<String> traced(long seed) {
        QueueSimulation simulation = new QueueSimulation(seed, new MemoryStorage(), Faults.NONE, true);
        try {
            simulation.run(STEPS);
        } catch (AssertionError | RuntimeException broken) {
            simulation.trace().forEach(System.out::println);
            throw new AssertionError("queue.seed=" + seed + ": " + broken.getMessage(), broken);
        }
        return simulation.trace();
    }

    private static void fail(long seed) {
        traced(seed);
        throw new AssertionError("queue.seed=" + seed + " failed once, and not when it was replayed");
    }

    @Test
    void noScheduleLosesWorkOrCountsItTwice() {
        Long given = Long.getLong("queue.seed");
        if (given != null) {
            traced(given).forEach(System.out::println);
            return;
        }
        broken(0, SCHEDULES, Faults.NONE).ifPresent(QueueSimulationTest::fail);
    }

    @Tag("full")
    @Test
    void noneOfAMillionSchedulesLosesWorkOrCountsItTwice() {
        broken(SCHEDULES, 1_000_000, Faults.NONE).ifPresent(QueueSimulationTest::fail);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void aPlantedFaultIsFound(Faults fault) {
        assertThat(broken(0, SCHEDULES, fault))
                .as("a schedule that finds %s", fault)
                .isPresent();
    }

    /** Otherwise the schedules would be tame, and their silence would prove nothing. */
    @Test
    void schedulesReachEveryEndOfALease() {
        Set<LeaseRow.Ending> seen = EnumSet.noneOf(LeaseRow.Ending.class);
        int tasks = 0;
        int lost = 0;
        for (long seed = 0; seed < 100; seed++) {
            MemoryStorage storage = new MemoryStorage();
            QueueSimulation simulation = new QueueSimulation(seed, storage, Faults.NONE, false);
            simulation.run(STEPS);
            for (UUID task : simulation.tasks()) {
                tasks++;
                lost += storage.lost(WorkId.task(task)) == QueueRules.MOST_LOST ? 1 : 0;
                storage.leasesOf(task).forEach(lease -> seen.add(Objects.requireNonNull(lease.ending())));
            }
        }
        assertThat(seen).containsExactlyInAnyOrder(LeaseRow.Ending.values());
        assertThat(tasks).isGreaterThan(1_000);
        assertThat(lost).as("tasks that cost three workers").isGreaterThan(5);
    }

    @Test
    void aSeedReplaysExactly() {
        List<String> first = traced(17);
        assertThat(first).hasSizeGreaterThan(STEPS / 2);
        assertThat(traced(17)).isEqualTo(first);
        assertThat(traced(18)).isNotEqualTo(first);
    }
}
