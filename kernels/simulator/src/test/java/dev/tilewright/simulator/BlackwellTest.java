package dev.tilewright.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Config;
import dev.tilewright.testing.Between;
import dev.tilewright.testing.Draw;
import dev.tilewright.testing.Draws;
import dev.tilewright.testing.From;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What any model of a Blackwell must say, whatever its constants. */
class BlackwellTest {

    private static final Config PAIR = BlackwellCases.PAIR;

    private final Simulator simulator = Simulator.of(SimulatedGpus.B200);

    static Config configs(Draw draw) {
        return Configs.with(
                PAIR,
                "scheduler=" + draw.of("single", "static", "atomic", "clc") + " "
                        + draw.of(
                                "ctaGroup=1 tileM=128 clusterM=1 clusterN=1",
                                "ctaGroup=1 tileM=128 clusterM=1 clusterN=2",
                                "ctaGroup=2 tileM=256 clusterM=2 clusterN=1",
                                "ctaGroup=2 tileM=256 clusterM=2 clusterN=2",
                                "ctaGroup=2 tileM=256 clusterM=4 clusterN=1")
                        + " " + draw.of("tileN=64", "tileN=160", "tileN=256")
                        + " clcStages=4 clcPrefetch=" + draw.of(1, 2, 4)
                        + " clcThrottle=" + draw.of("none", "load", "mainloop")
                        + " rasterOrder=" + draw.of("groupedM", "groupedN", "alongN")
                        + " rasterGroup=4 tileK=64 loadStages=4 epilogueN=16 accumulatorStages=" + draw.of(1, 2));
    }

    static Conditions conditions(Draw draw) {
        return new Conditions(
                draw.either(),
                draw.of(Double.POSITIVE_INFINITY, 2e3, 20e3),
                new Conditions.Arrival(draw.between(0.0, 60e3), draw.between(1, 148), draw.of(5e3, 1e9)));
    }

    /** Whoever comes and goes, each tile is computed once, and nobody's SMs are used before they are free. */
    @Draws
    void everyTileOnce(
            @From("configs") Config config,
            @From("conditions") Conditions conditions,
            @Between(min = 1, max = 4000) int m,
            @Between(min = 1, max = 3000) int n,
            @Between(min = 8, max = 700) int k,
            @Between(min = 0, max = 100) int busySms) {
        Problem problem = Configs.busy(new ProblemShape(m, n, k).toString(), busySms);
        SimulatedRun run = simulator.run(problem, config, conditions, 3);
        int tiles = Math.ceilDiv(m, 128) * Math.ceilDiv(n, config.whole("tileN"));
        assertThat(run.evidence().tilesPerSm()).hasSize(148);
        assertThat(run.evidence().tilesPerSm().stream()
                        .mapToInt(Integer::intValue)
                        .sum())
                .isEqualTo(tiles);
        Set<String> places = new HashSet<>();
        for (TileSpan span : run.spans()) {
            assertThat(places.add(span.tileM() + "," + span.tileN()))
                    .as("tile %s twice", span)
                    .isTrue();
            if (span.sm() < busySms) {
                assertThat(span.startNs() + run.firstStartNs()).isGreaterThan(conditions.busyUntilNs());
            }
        }
        int clusterTiles = run.spans().size() / run.executed().clusterSize();
        if (config.name("scheduler").equals("clc")) {
            int steals =
                    run.dynamic().steals().stream().mapToInt(Integer::intValue).sum();
            assertThat(steals + run.dynamic().steals().size()).isEqualTo(clusterTiles);
            assertThat(run.executed().gridX()).isEqualTo(run.spans().size());
        }
        assertThat(run.dynamic().yieldedNs())
                .isSorted()
                .allMatch(at -> at >= Math.floor(conditions.arrival().atNs()));
    }

    @Test
    void eachClusterUnderClcFailsOnceForEachQueryInFlight() {
        Problem problem = Configs.bf16("8192x4096x1024");
        SimulatedRun one = simulator.run(problem, Configs.with(PAIR, "scheduler=clc"), 1);
        SimulatedRun three = simulator.run(problem, Configs.with(PAIR, "scheduler=clc clcPrefetch=3"), 1);
        assertThat(one.dynamic().steals()).hasSize(74);
        assertThat(one.dynamic().failedQueries()).isEqualTo(74);
        assertThat(three.dynamic().failedQueries()).isBetween(74, 3 * 74);
    }

    @Test
    void afterAPreemptionTheRestIsLaunchedAsFreshClusters() {
        Problem problem = Configs.bf16("8192x8192x4096");
        Config clc = Configs.with(PAIR, "scheduler=clc");
        Conditions.Arrival newcomer = new Conditions.Arrival(100e3, 10, 50e3);
        SimulatedRun quiet = simulator.run(problem, clc, 1);
        SimulatedRun preempted = simulator.run(problem, clc, Conditions.USUAL.with(newcomer), 1);
        assertThat(preempted.dynamic().yieldedNs()).hasSize(10);
        assertThat(preempted.dynamic().steals()).hasSizeGreaterThan(74);
        assertThat(preempted.dynamic().failedQueries())
                .isGreaterThan(quiet.dynamic().failedQueries());
        assertThat(preempted.timeNs()).isGreaterThan(quiet.timeNs());
    }

    @Test
    void aNewcomerAfterTheEndGetsIdleSmsAtOnce() {
        Conditions late = Conditions.USUAL.with(new Conditions.Arrival(1e9, 148, 1));
        SimulatedRun run = simulator.run(Configs.bf16("1024x2048x512"), PAIR, late, 1);
        assertThat(run.dynamic().yieldedNs()).hasSize(148).containsOnly(1_000_000_000L);
        assertThat(run.timeNs())
                .isEqualTo(simulator.run(Configs.bf16("1024x2048x512"), PAIR, 1).timeNs());
    }

    @Test
    void aSecondAccumulatorHidesTheEpilogue() {
        Problem problem = Configs.bf16("8192x8192x1024");
        double one = simulator
                .run(problem, Configs.with(PAIR, "accumulatorStages=1"), 1)
                .timeNs();
        double two = simulator.run(problem, PAIR, 1).timeNs();
        assertThat(one / two).isGreaterThan(1.1);
    }

    @Test
    void anEpilogueLongerThanTheMainloopSetsThePace() {
        // One warpgroup does all epilogues: two accumulators do not make them run side by side.
        Config shallow = Configs.with(PAIR, "accumulatorStages=2");
        SimulatedRun run =
                simulator.run(Configs.bf16("16384x16384x64"), shallow, Conditions.USUAL.withoutVariation(), 1);
        double epilogueNs = (128 * 256 / 16.0 + 4 * 40) * 1e3 / run.clockMhz();
        assertThat(run.timeNs()).isGreaterThan(55 * epilogueNs);
    }

    @Test
    void aPairFillsItsSharedMemoryWithLess() {
        // Neighbours that want the same rows share what leaves L2 also without a pair; but each then takes in all of B.
        Problem problem = Configs.bf16("8192x8192x2048");
        SimulatedRun pair = simulator.run(problem, PAIR, 1);
        SimulatedRun alone = simulator.run(problem, Configs.with(PAIR, "ctaGroup=1 tileM=128 clusterM=1"), 1);
        assertThat(pair.l2Bytes()).isLessThanOrEqualTo(alone.l2Bytes());
        assertThat(pair.tflops()).isGreaterThan(alone.tflops() * 1.05);
    }

    @Test
    void theVendorsSquareSettlesNearThePublishedClock() {
        // Playbook 8: 1.32 to 1.38 GHz, 1600 TFLOP/s of the vendor's kernel by its counters, 1545 by latency.
        SimulatedRun run = simulator.run(Configs.bf16("8192x8192x8192"), PAIR, 1);
        assertThat(run.clockMhz()).isBetween(1320.0, 1420.0);
        assertThat(run.tflops()).isBetween(1545 * 0.9, 1600.0);
    }

    @Test
    void aShortTileWaitsForNoDeepOnesBytes() {
        Problem mixed = Configs.grouped(1, "1024x1024x1024", "1024x2048x16384", "1024x1024x1024", "1024x2048x16384");
        Problem shallow = Configs.grouped(1, "1024x1024x1024", "1024x2048x1024", "1024x1024x1024", "1024x2048x1024");
        assertThat(longest(mixed, 0)).isLessThan(longest(shallow, 0) * 1.5);
    }

    @Test
    void aDeepTileDoesNotHaveShortOnesBesideItAllTheTime() {
        Problem last = Configs.grouped(1, "8192x4096x64", "4096x8192x64", "2048x2048x8192");
        Problem alone = Configs.grouped(1, "2048x2048x8192");
        assertThat(longest(last, 2)).isLessThan(longest(alone, 0) * 1.5);
    }

    private double longest(Problem problem, int group) {
        return simulator.run(problem, BlackwellCases.SMALL, 1).spans().stream()
                .filter(span -> span.group() == group)
                .mapToDouble(span -> span.endNs() - span.startNs())
                .max()
                .orElseThrow();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ctaGroup=3 | ctaGroup must be 1 or 2, got 3",
                "clusterM=1 | clusterM must be a multiple of the 2 CTAs of a group, which lie along M, got 1",
                "clusterM=6 multicast=none | the simulator knows clusters of 1, 2, 4 CTAs, got a cluster of 6",
                "tileM=192 | tileM must be 256, 128 for each of 2 CTAs, got 192",
                "accumulatorStages=0 | accumulatorStages must be 1 or 2, got 0",
                "accumulatorStages=3 | accumulatorStages must be 1 or 2, got 3",
                "loadStages=0 | loadStages must be at least 1, got 0",
                "scheduler=clc clcPrefetch=0 | queries in flight must be from 1 to the 64 slots that take their answers, got 0",
                "scheduler=clc clcThrottle=late | clcThrottle must be one of [none, load, loaded, mainloop], got 'late'",
                "scheduler=stealing | scheduler must be one of [single, static, atomic, clc], got 'stealing'",
            })
    void whatItCannotTakeIsNamed(String change, String message) {
        assertThatThrownBy(() -> simulator.run(Configs.bf16("1024x512x256"), Configs.with(PAIR, change), 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @Test
    void aHopperRunsNoKernelOfABlackwell() {
        assertThatThrownBy(() -> Simulator.of(SimulatedGpus.H200).run(Configs.bf16("1024x512x256"), PAIR, 1))
                .hasMessageStartingWith("config has no parameter 'mode'");
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, -1, Double.NaN})
    void conditionsAreChecked(double wrong) {
        assertThatThrownBy(() -> Conditions.USUAL.withBusyUntil(wrong))
                .hasMessage("busyUntilNs must be above 0, got " + wrong);
        assertThatThrownBy(() -> new Conditions.Arrival(5, 1, wrong))
                .hasMessage("heldNs must be above 0, got " + wrong);
        assertThatThrownBy(() -> new Conditions.Arrival(-1, 1, 1)).hasMessage("atNs must be at least 0, got -1.0");
        assertThatThrownBy(() -> new Conditions.Arrival(0, 0, 1)).hasMessage("sms must be at least 1, got 0");
    }

    @Test
    void theTestbedsNameTheirGpu() {
        for (GpuConstants gpu : List.of(SimulatedGpus.B200, SimulatedGpus.GB200)) {
            assertThat(Simulator.of(gpu).testbed().device()).isEqualTo(gpu.name());
            assertThat(Simulator.of(gpu).testbed().driver()).isEqualTo("constants-3");
        }
        assertThat(SimulatedGpus.named("gb200")).isSameAs(SimulatedGpus.GB200);
    }
}
