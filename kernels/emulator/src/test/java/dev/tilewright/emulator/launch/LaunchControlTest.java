package dev.tilewright.emulator.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.emulator.Ptxas;
import dev.tilewright.emulator.RunEnd;
import dev.tilewright.emulator.hazard.Finding;
import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.hazard.Rule;
import dev.tilewright.emulator.launch.StealingKernel.Omission;
import dev.tilewright.emulator.run.Launching;
import dev.tilewright.emulator.run.Options;
import dev.tilewright.emulator.run.Statistics;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Cluster launch control: every cluster's work is done once, whatever the machine does; and each rule is checked. */
class LaunchControlTest {
    private static final int SEEDS = 50;

    private static RunEnd.Completed completed(StealingKernel kernel, int clusters, Options options) {
        RunEnd verdict = kernel.run(clusters, options);
        assertThat(verdict)
                .as(() -> "seed " + options.seed() + ": "
                        + (verdict instanceof RunEnd.Faulted f ? f.finding().message() : ""))
                .isInstanceOf(RunEnd.Completed.class);
        return (RunEnd.Completed) verdict;
    }

    @ParameterizedTest
    @CsvSource({"1, 1, 13", "1, 3, 29", "2, 1, 11", "2, 2, 17", "4, 3, 7", "2, 4, 1", "1, 2, 3"})
    void allIsDoneOnce(int cluster, int slots, int clusters) {
        StealingKernel kernel = new StealingKernel(cluster, slots);
        int stolen = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            Launching launching = seed % 2 == 0 ? Launching.PROMPT : Launching.rough();
            RunEnd.Completed run =
                    completed(kernel, clusters, Options.seed(seed).withLaunching(launching));
            assertThat(StealingKernel.counts(run)).as("seed " + seed).containsOnly(1);
            Statistics statistics = run.statistics();
            assertThat(statistics.clusters().size() + stolen(statistics)).isEqualTo(clusters);
            assertThat(statistics.ctas())
                    .isEqualTo(cluster * statistics.clusters().size());
            stolen += stolen(statistics);
        }
        if (clusters > 4 / cluster) {
            assertThat(stolen).isPositive();
        }
    }

    private static int stolen(Statistics statistics) {
        return statistics.clusters().stream()
                .mapToInt(Statistics.ClusterRun::stolen)
                .sum();
    }

    @Test
    void promptMachineLaunchesWhatFitsAndTheRestIsStolen() {
        RunEnd.Completed run = completed(new StealingKernel(2, 2), 20, Options.seed(0));
        assertThat(run.statistics().clusters()).hasSize(2);
        assertThat(stolen(run.statistics())).isEqualTo(18);
        assertThat(run.statistics().clusters())
                .extracting(Statistics.ClusterRun::failed)
                .containsExactly(1, 1);
    }

    @Test
    void failuresLeaveClustersToBeLaunchedLater() {
        Launching failing = new Launching(0, 40, 0, false);
        Set<Integer> launched = new HashSet<>();
        for (int seed = 1; seed <= SEEDS; seed++) {
            Statistics statistics = completed(
                            new StealingKernel(1, 2), 24, Options.seed(seed).withLaunching(failing))
                    .statistics();
            assertThat(statistics.clusters().stream()
                            .mapToInt(Statistics.ClusterRun::failed)
                            .sum())
                    .isEqualTo(statistics.clusters().size());
            launched.add(statistics.clusters().size());
        }
        assertThat(launched).anyMatch(count -> count > 4).hasSizeGreaterThan(3);
    }

    @Test
    void preemptedGridGoesOnLater() {
        Launching preempted = new Launching(0, 0, 0, true);
        int fresh = 0;
        for (int seed = 1; seed <= SEEDS; seed++) {
            RunEnd.Completed run =
                    completed(new StealingKernel(1, 1), 40, Options.seed(seed).withLaunching(preempted));
            assertThat(StealingKernel.counts(run)).containsOnly(1);
            fresh += run.statistics().clusters().size() > 4 ? 1 : 0;
        }
        assertThat(fresh).isGreaterThan(SEEDS / 4);
    }

    @Test
    void smsThatBecomeFreeAreUsed() {
        Launching late = new Launching(0, 0, 2, false);
        int used = 0;
        for (int seed = 1; seed <= SEEDS; seed++) {
            Statistics statistics = completed(
                            new StealingKernel(1, 1), 60, Options.seed(seed).withLaunching(late))
                    .statistics();
            used += statistics.clusters().stream().anyMatch(c -> c.sms().getFirst() >= 2) ? 1 : 0;
            assertThat(statistics.clusters().size()).isBetween(2, 4);
        }
        assertThat(used).isGreaterThan(SEEDS / 4);
    }

    @Test
    void assembles() throws Exception {
        Ptxas.assemble(new StealingKernel(1, 2).module());
        Ptxas.assemble(new StealingKernel(4, 3).module());
    }

    private static Finding finding(StealingKernel kernel) {
        for (int seed = 0; seed < SEEDS; seed++) {
            if (kernel.run(9, Options.seed(seed)) instanceof RunEnd.Faulted faulted) {
                return faulted.finding();
            }
        }
        throw new AssertionError("no hazard within " + SEEDS + " seeds");
    }

    private static void requireEverySeedFinds(StealingKernel kernel, Class<? extends Hazard> kind, String text) {
        Finding finding = finding(kernel);
        assertThat(finding.hazard()).as(finding.message()).isInstanceOf(kind);
        assertThat(finding.message()).contains(text);
        assertThat(finding.site().kernel()).isEqualTo("steal");
        assertThat(finding.site().line()).isPositive();
    }

    @Test
    void rulesAreChecked() {
        StealingKernel good = new StealingKernel(2, 1);
        requireEverySeedFinds(
                good.without(Omission.RELEASE_FENCE),
                Hazard.LaunchControlMisuse.class,
                "generic.release.sync_restrict");
        requireEverySeedFinds(
                good.without(Omission.ACQUIRE_FENCE), Hazard.LaunchControlMisuse.class, "acquire.sync_restrict");
        requireEverySeedFinds(
                good.without(Omission.CHECK), Hazard.LaunchControlMisuse.class, "says no cluster was cancelled");
        requireEverySeedFinds(
                good.without(Omission.STOP), Hazard.LaunchControlMisuse.class, "which has seen an answer fail");
        requireEverySeedFinds(good.without(Omission.WIDE_WAIT), Hazard.Race.class, "has scope .cta");
    }

    /** As CUTLASS waits for answers in clusters of two: by the book they are not seen, on hardware they are. */
    @Test
    void aNarrowWaitMayBeAccepted() {
        StealingKernel narrow = new StealingKernel(2, 1).without(Omission.WIDE_WAIT);
        for (int seed = 0; seed < SEEDS; seed++) {
            RunEnd.Completed run = completed(narrow, 9, Options.seed(seed).withAccepted(Set.of(Rule.CLUSTER_SCOPE)));
            assertThat(StealingKernel.counts(run)).as("seed " + seed).containsOnly(1);
        }
        assertThat(finding(narrow).rule()).isEqualTo(Rule.CLUSTER_SCOPE);
    }

    @Test
    void barriersOfAnswersAreChecked() {
        StealingKernel good = new StealingKernel(2, 1);
        for (Omission omission : Arrays.asList(Omission.EXPECT, Omission.FULL, Omission.EMPTY, Omission.LAST_BARRIER)) {
            Finding finding = finding(good.without(omission));
            assertThat(finding.hazard())
                    .as(omission + ": " + finding.message())
                    .isInstanceOfAny(
                            Hazard.UnbalancedTx.class,
                            Hazard.ReadBeforeCopy.class,
                            Hazard.OverwrittenUnread.class,
                            Hazard.UninitialisedRead.class,
                            Hazard.BarrierMisuse.class,
                            Hazard.LaunchControlMisuse.class,
                            Hazard.LeakedWork.class,
                            Hazard.PhaseOverrun.class,
                            Hazard.ExitedCta.class,
                            Hazard.EarlyExit.class,
                            Hazard.Race.class);
        }
    }
}
