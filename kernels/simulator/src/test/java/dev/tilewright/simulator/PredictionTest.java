package dev.tilewright.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.model.space.Config;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** What the model says of the H200, beside what was measured on one: in order rather than in size. */
class PredictionTest {

    private static final List<MeasuredKernel> SUITE = MeasuredKernel.SUITE;
    private static final Config PING_PONG = Configs.with(Configs.large(), "mode=pingpong tileN=176 loadStages=5");
    private static final Path DOCUMENT = Path.of("../../docs/simulator.md");

    private final Simulator simulator = Simulator.of(SimulatedGpus.H200);

    private SimulatedRun run(String shape, Config config, String change) {
        return simulator.run(Configs.bf16(shape), Configs.with(config, change), 1);
    }

    private double tflops(String shape, Config config, String change) {
        return run(shape, config, change).tflops();
    }

    @ParameterizedTest
    @FieldSource("SUITE")
    void aKnownKernelIsPredictedWithinFifteenPercent(MeasuredKernel kernel) {
        double ratio = simulator.run(kernel.problem(), kernel.config(), 1).tflops() / kernel.tflops();
        assertThat(ratio).as(kernel.shape()).isBetween(0.85, 1.15);
    }

    @Test
    void cyclesAtTheLargeSquareAreWithinFourPercentOfTheCountedOnes() {
        // kernel-lab section 4, million cycles.
        assertThat(megacycles(PING_PONG, "rasterGroup=8")).isBetween(2.137 * 0.96, 2.137 * 1.04);
        assertThat(megacycles(PING_PONG, "clusterM=1 rasterGroup=16")).isBetween(2.135 * 0.96, 2.135 * 1.04);
        assertThat(megacycles(Configs.large(), "rasterGroup=8")).isBetween(2.197 * 0.96, 2.197 * 1.04);
        assertThat(megacycles(Configs.large(), "tileM=256 tileN=192 loadStages=3 rasterGroup=4"))
                .isBetween(2.262 * 0.96, 2.262 * 1.04);
    }

    private double megacycles(Config config, String change) {
        SimulatedRun run = run("8192x8192x8192", config, change);
        return run.timeNs() * run.clockMhz() / 1e9;
    }

    @Test
    void dramReadsAtTheLargeSquareAreWithinAQuarterOfTheCountedOnes() {
        // kernel-lab sections 3 and 4, GB read; the model's figure includes 0.134 GB written.
        assertThat(readGigabytes(PING_PONG, "rasterGroup=8")).isBetween(1.55 * 0.75, 1.55 * 1.25);
        assertThat(readGigabytes(PING_PONG, "rasterGroup=4")).isBetween(1.78 * 0.75, 1.78 * 1.25);
        assertThat(readGigabytes(PING_PONG, "rasterOrder=groupedN rasterGroup=2"))
                .isBetween(4.47 * 0.75, 4.47 * 1.25);
        assertThat(readGigabytes(Configs.large(), "rasterGroup=8")).isBetween(1.25 * 0.75, 1.25 * 1.25);
        assertThat(readGigabytes(Configs.large(), "tileM=256 tileN=192 loadStages=3 rasterGroup=4"))
                .isBetween(1.02 * 0.75, 1.02 * 1.25);
    }

    private double readGigabytes(Config config, String change) {
        return run("8192x8192x8192", config, change).dramBytes() / 1e9 - 0.134;
    }

    @Test
    void largeTilesBeatSmallOnes() {
        String cube = "8192x8192x8192";
        double large = tflops(cube, Configs.large(), "loadStages=4");
        double medium = tflops(cube, Configs.large(), "tileN=128 loadStages=6");
        double small = tflops(cube, Configs.large(), "tileM=64 tileN=64 clusterM=1 consumers=1 loadStages=8");
        assertThat(large).isGreaterThan(medium);
        assertThat(medium).isGreaterThan(small * 1.3);
    }

    @Test
    void bandsOfEightRowsBeatNoBandsAndThinOnes() {
        String cube = "8192x8192x8192";
        double grouped = tflops(cube, PING_PONG, "rasterGroup=8");
        assertThat(grouped).isGreaterThan(tflops(cube, PING_PONG, "rasterOrder=alongM") * 1.01);
        assertThat(grouped).isGreaterThan(tflops(cube, PING_PONG, "rasterOrder=groupedN rasterGroup=2") * 1.01);
        assertThat(grouped).isGreaterThan(tflops(cube, PING_PONG, "rasterGroup=2") * 1.01);
    }

    @Test
    void elevenWavesForTenAndAHalfShowAsIdleTail() {
        // 1376 tiles of 256x192 on 66 clusters of two: 10.42 waves take the time of 11.
        Config quantised = Configs.with(Configs.large(), "tileM=256 tileN=192 loadStages=3");
        SimulatedRun run = run("8192x8192x8192", quantised, "rasterGroup=6");
        assertThat(run.evidence().idleTailFraction()).isBetween(0.03, 0.08);
        assertThat(run.evidence().tilesPerSm()).containsOnly(10, 11);
        // A shape that fits in whole waves: 48 x 66 cluster tiles along N for 11 x 66 clusters.
        SimulatedRun whole = run("5632x12672x8192", quantised, "rasterGroup=11");
        assertThat(whole.evidence().tilesPerSm()).containsOnly(11);
        assertThat(whole.evidence().idleTailFraction()).isLessThan(0.02);
    }

    @Test
    void shortProblemsWantPingPong() {
        // In cycles, as the stored screens have it at the highest clock: 111 us cooperative, 99 us ping-pong.
        SimulatedRun inTurn = run("8192x8192x512", PING_PONG, "clusterM=1");
        SimulatedRun together = run("8192x8192x512", Configs.large(), "clusterM=1");
        assertThat(together.timeNs() * together.clockMhz()).isGreaterThan(inTurn.timeNs() * inTurn.clockMhz() * 1.1);
    }

    @Test
    void tooFewStagesExposeTheLatency() {
        assertThat(tflops("8192x8192x2048", PING_PONG, "loadStages=2"))
                .isLessThan(tflops("8192x8192x2048", PING_PONG, "loadStages=4") * 0.9);
        // Equal in kernel-lab section 3, whose noise is 1.5 %; the model, fitted to sweeps of all rings, gains 2 %.
        assertThat(tflops("8192x8192x2048", PING_PONG, "loadStages=5")
                        / tflops("8192x8192x2048", PING_PONG, "loadStages=4"))
                .isBetween(0.985, 1.03);
    }

    @Test
    void drainingTheTensorCoresAfterEachBlockCostsPingPongATenth() {
        double ratio =
                tflops("8192x8192x8192", PING_PONG, "waitDepth=0") / tflops("8192x8192x8192", PING_PONG, "waitDepth=1");
        assertThat(ratio).isBetween(0.85, 0.93);
        assertThat(tflops("8192x8192x8192", Configs.large(), "waitDepth=0")
                        / tflops("8192x8192x8192", Configs.large(), "waitDepth=1"))
                .isBetween(0.99, 1.01);
    }

    @Test
    void smallProblemsWantSmallTilesAndNoCluster() {
        Config small = Configs.with(Configs.large(), "tileN=64 loadStages=8 clusterM=1");
        double best = tflops("1024x1024x1024", small, "clusterM=1");
        assertThat(best).isGreaterThan(tflops("1024x1024x1024", Configs.large(), "clusterM=1"));
        assertThat(best).isGreaterThan(tflops("1024x1024x1024", small, "clusterM=2"));
    }

    @Test
    void thePowerLimitSetsTheClockOfLargeProblemsAlone() {
        SimulatedRun large = run("8192x8192x8192", Configs.large(), "rasterGroup=8");
        assertThat(large.clockMhz()).isBetween(1300.0, 1550.0);
        assertThat(large.watt()).isBetween(690.0, 702.0);
        SimulatedRun small = run("256x512x256", Configs.large(), "clusterM=1");
        assertThat(small.clockMhz()).isEqualTo(1980);
        assertThat(small.watt()).isLessThan(400);
    }

    @Test
    void noSchedulerWinsEverywhere() {
        List<String> winners = Stream.of(
                        Configs.bf16("8192x8192x8192"), Configs.bf16("128x8192x64"), Configs.busy("4096x4096x4096", 40))
                .map(problem -> Stream.of("single", "static", "atomic")
                        .max(Comparator.comparingDouble(scheduler -> simulator
                                .run(problem, Configs.with(Configs.large(), "scheduler=" + scheduler), 1)
                                .tflops()))
                        .orElseThrow())
                .distinct()
                .toList();
        assertThat(winners).hasSizeGreaterThan(1);
    }

    /** Regenerate with {@code -Dgolden.accept}, which rewrites the part of the document between its two marks. */
    @Test
    void theDocumentHasTheTableOfThisModel() throws IOException {
        String begin = "<!-- begin of the generated table -->\n";
        String end = "<!-- end of the generated table -->\n";
        String document = Files.readString(DOCUMENT);
        int from = document.indexOf(begin) + begin.length();
        int to = document.indexOf(end);
        if (System.getProperty("golden.accept") != null) {
            Files.writeString(
                    DOCUMENT, document.substring(0, from) + PredictionTable.markdown() + document.substring(to));
            return;
        }
        assertThat(document.substring(from, to)).isEqualTo(PredictionTable.markdown());
    }
}
