package dev.tilewright.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scales;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.Architecture;
import dev.tilewright.simulator.GpuConstants.Variation;
import dev.tilewright.space.SpaceTree;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.space.device.LaunchModel;
import dev.tilewright.space.sm100.Sm100GemmSpace;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The short cut beside the long way, and what it must not trip over. */
class CostModelTest {

    private final CostModel model = CostModel.of(SimulatedGpus.H200);
    private final Simulator simulator = Simulator.of(SimulatedGpus.H200);

    private double settledNs(String shape, String change) {
        return settledNs(shape, Configs.with(Configs.large(), change));
    }

    private double settledNs(String shape, Config config) {
        return model.settled(Configs.bf16(shape), config).ns();
    }

    @ParameterizedTest
    @ValueSource(strings = {"8192x4096x14336", "4096x14336x4096", "8192x8192x512", "512x8192x8192", "5000x5000x5056"})
    void agreesWithTheSimulatorOnLaunchesOfManyWaves(String shape) {
        for (String change : new String[] {
            "rasterGroup=8", "mode=pingpong tileN=176 loadStages=5 clusterM=1", "tileM=256 tileN=128 scheduler=atomic"
        }) {
            Config config = Configs.with(Configs.large(), change);
            double simulated = simulator.run(Configs.bf16(shape), config, 1).timeNs();
            assertThat(model.settled(Configs.bf16(shape), config).ns() / simulated)
                    .as("%s %s", shape, change)
                    .isCloseTo(1, within(0.08));
        }
    }

    @Test
    void countedCyclesAreWithinThreePercent() {
        Problem cube = Configs.bf16("8192x8192x8192");
        MeasuredKernel.COUNTED.forEach((config, cycles) -> {
            CostModel.Cost cost = model.settled(cube, config);
            assertThat(cost.ns() * cost.clockMhz() / 1e3 / cycles)
                    .as(config.canonical())
                    .isCloseTo(1, within(0.03));
        });
    }

    /**
     * Two products of each element, of which an SM makes 128 in a clock: an epilogue that is not hidden takes longer.
     */
    @Test
    void scalesOfRowsTakeProductsOfTheirOwn() {
        Problem tensor = Problem.of(ProblemShape.parse("4096x4096x512"), DataType.E4M3);
        Config config = Configs.with(Configs.large(), "tileK=128 typeA=e4m3 typeB=e4m3");
        Config ofRows = Configs.with(config, "scales=row");
        double without = model.settled(tensor, config).ns();
        double with = model.settled(tensor.with(Scales.ROW), ofRows).ns();
        assertThat(with / without).isBetween(1.01, 1.25);
        assertThat(simulator.run(tensor.with(Scales.ROW), ofRows, 1).timeNs())
                .isGreaterThan(simulator.run(tensor, config, 1).timeNs());
    }

    @Test
    void aScreenRunsAtAHigherClockThanALongRow() {
        Problem problem = Configs.bf16("4096x4096x4096");
        CostModel.Cost screened = model.screened(problem, Configs.large());
        CostModel.Cost settled = model.settled(problem, Configs.large());
        assertThat(screened.clockMhz()).isGreaterThan(settled.clockMhz()).isLessThan(1980);
        assertThat(screened.ns()).isLessThan(settled.ns());
    }

    /** What is loaded together costs no cycles and less energy: where power limits the clock it rises. */
    @Test
    void loadsAtTicksRaiseAClockThatPowerLimits() {
        Problem problem = Configs.bf16("4096x4096x4096");
        CostModel.Cost free = model.settled(problem, Configs.with(Configs.large(), "loadStart=free"));
        CostModel.Cost atTicks = model.settled(problem, Configs.with(Configs.large(), "loadStart=tick"));
        assertThat(free).isEqualTo(model.settled(problem, Configs.large()));
        assertThat(atTicks.clockMhz() / free.clockMhz()).isBetween(1.01, 1.03);
        assertThat(atTicks.ns()).isLessThan(free.ns());
        assertThat(simulator
                        .run(problem, Configs.with(Configs.large(), "loadStart=tick"), 1)
                        .timeNs())
                .isLessThan(simulator.run(problem, Configs.large(), 1).timeNs());
    }

    /** In a cluster of two along M each CTA has its own rows of A: tiles of one row are to be in one GPC. */
    @Test
    void clustersInTheOrderOfGpcsAreSparedWhatTheyShare() {
        Problem problem = Configs.bf16("4096x4096x4096");
        String pair = "clusterM=2 clusterN=1 multicast=both rasterOrder=";
        CostModel.Cost launched = model.settled(problem, Configs.with(Configs.large(), pair + "alongN"));
        CostModel.Cost byGpc = model.settled(problem, Configs.with(Configs.large(), pair + "alongN clusterOrder=gpc"));
        assertThat(launched)
                .isEqualTo(model.settled(problem, Configs.with(Configs.large(), pair + "alongN clusterOrder=launch")));
        assertThat(byGpc.clockMhz() / launched.clockMhz()).isBetween(1.005, 1.02);
        assertThat(byGpc.ns()).isLessThan(launched.ns());
    }

    /** Tiles of one column have rows of A each for itself; pieces of a tile, all of K; CTAs alone go by GPC anyway. */
    @ParameterizedTest
    @CsvSource({
        "4096x4096x4096, clusterM=2 clusterN=1 multicast=both rasterOrder=groupedM rasterGroup=8",
        "1024x2048x8192, clusterM=2 clusterN=1 multicast=both rasterOrder=alongN splitK=4",
        "4096x4096x4096, clusterM=1 clusterN=1 rasterOrder=alongN",
    })
    void anOrderSavesNothingWhereNothingIsShared(String shape, String parameters) {
        Problem problem = Configs.bf16(shape);
        assertThat(model.settled(problem, Configs.with(Configs.large(), parameters + " clusterOrder=gpc")))
                .isEqualTo(model.settled(problem, Configs.with(Configs.large(), parameters + " clusterOrder=launch")));
    }

    /** Half a tick passes before the first load: of a launch that is short, and has the highest clock, that is much. */
    @Test
    void loadsAtTicksDelayALaunchThatPowerDoesNotLimit() {
        String small = "tileM=64 tileN=128 consumers=1 clusterM=1 registers=0 loadStages=6 ";
        double free = settledNs("256x512x256", small);
        assertThat(settledNs("256x512x256", small + "loadStart=tick") - free).isBetween(60.0, 140.0);
    }

    @Test
    void severalSmallCtasOnAnSmHideEachOthersLatency() {
        String small = "scheduler=single tileM=64 tileN=64 consumers=1 clusterM=1 registers=0 ";
        Config larger =
                Configs.with(Configs.with(Configs.large(), small + "loadStages=3"), "tileM=128 tileN=64 epilogueN=64");
        assertThat(settledNs("8192x8192x512", small + "loadStages=3"))
                .isLessThan(settledNs("8192x8192x512", larger) * 2);
        KernelCost three = KernelCost.of(Configs.with(Configs.large(), small + "loadStages=3"), Architecture.SM90);
        assertThat(three.residentCtas()).isEqualTo(3);
        KernelCost panels = KernelCost.of(
                Configs.with(Configs.large(), small + "loadStages=3 epilogueStages=3"), Architecture.SM90);
        assertThat(panels.residentCtas()).isEqualTo(3);
        KernelCost morePanels = KernelCost.of(
                Configs.with(Configs.large(), small + "loadStages=3 epilogueStages=4"), Architecture.SM90);
        assertThat(morePanels.residentCtas()).isEqualTo(2);
        KernelCost one = KernelCost.of(Configs.with(Configs.large(), "scheduler=single"), Architecture.SM90);
        assertThat(one.residentCtas()).isEqualTo(1);
    }

    /** The epilogue of one behind the mainloop of the other; the share of the tensor cores is the same. */
    @Test
    void aPersistentGridOfTwoCtasOnAnSmHidesItsEpilogues() {
        String one = "tileM=128 tileN=128 consumers=1 clusterM=1 multicast=none registers=232 ";
        for (String scheduler : List.of("scheduler=static ", "scheduler=atomic ")) {
            double gain = settledNs("8192x8192x512", one + scheduler + "ctasPerSm=1 loadStages=2")
                    / settledNs("8192x8192x512", one + scheduler + "ctasPerSm=2 loadStages=2");
            double gainOfLongK = settledNs("8192x8192x8192", one + scheduler + "ctasPerSm=1 loadStages=3")
                    / settledNs("8192x8192x8192", one + scheduler + "ctasPerSm=2 loadStages=3");
            assertThat(gain).as(scheduler).isGreaterThan(1.05).isGreaterThan(gainOfLongK);
        }
        assertThat(settledNs("8192x8192x512", one + "scheduler=static ctasPerSm=2 gridSize=132 loadStages=2"))
                .isEqualTo(settledNs("8192x8192x512", one + "scheduler=static ctasPerSm=1 loadStages=2"));
        KernelCost two = KernelCost.of(
                Configs.with(Configs.large(), one + "scheduler=single ctasPerSm=2 loadStages=2"), Architecture.SM90);
        assertThat(two.residentCtas()).isEqualTo(2);
    }

    /** A band of 16 tiles is wanted by wave after wave: it should not make room for what passes through once. */
    @Test
    void keepingTheOperandOfTheBandsReadsLeastFromDram() {
        assertThat(dramBytes("l2Hint=keepA", "groupedM")).isLessThan(0.9 * dramBytes("l2Hint=none", "groupedM"));
        assertThat(dramBytes("l2Hint=keepA", "groupedM")).isLessThan(0.9 * dramBytes("l2Hint=keepB", "groupedM"));
        assertThat(dramBytes("l2Hint=keepB", "groupedN")).isLessThan(0.9 * dramBytes("l2Hint=keepA", "groupedN"));
        assertThat(settledNs("1024x768x512", "l2Hint=keepA"))
                .as("what fits needs no hint")
                .isEqualTo(settledNs("1024x768x512", "l2Hint=none"));
        assertThatThrownBy(() -> settledNs("1024x768x512", "l2Hint=keepC"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("l2Hint must be one of [none, keepA, keepB], got 'keepC'");
    }

    /** The simulator counts them tile by tile, of which those at the edges are cut. */
    @ParameterizedTest
    @CsvSource({
        "5000x1400x1024, static, 1",
        "300x136x72, static, 1",
        "4096x2560x768, single, 1",
        "1000x520x4160, static, 4",
        "8192x8192x512, atomic, 1"
    })
    void bytesFromL2AreThoseOfTheSimulator(String shape, String scheduler, int splitK) {
        Problem problem = Configs.bf16(shape);
        Config wide = Configs.with(Configs.large(), "scheduler=" + scheduler + " splitK=" + splitK);
        for (String tile : List.of("tileN=256", "tileN=128", "tileN=128 multicast=none", "clusterM=1")) {
            Config config = Configs.with(wide, tile);
            double walked = simulator.run(problem, config, 1).l2Bytes();
            assertThat(model.settled(problem, config).l2Bytes()).as(tile).isCloseTo(walked, withinPercentage(0.001));
        }
    }

    @Test
    void bytesFromL2OfGroupsAndBatchesAreThoseOfTheSimulator() {
        Problem groups = Configs.grouped(3, "300x500x4096", "64x64x64", "1000x200x128");
        assertThat(model.settled(groups, Configs.large()).l2Bytes())
                .isCloseTo(simulator.run(groups, Configs.large(), 1).l2Bytes(), withinPercentage(0.001));
    }

    private double dramBytes(String hint, String raster) {
        String alone = " mode=pingpong tileN=152 clusterM=1 multicast=none rasterGroup=16 rasterOrder=" + raster;
        return model.settled(Configs.bf16("5000x6000x5056"), Configs.with(Configs.large(), hint + alone))
                .dramBytes();
    }

    @Test
    void drawingTilesCostsAHandOffInAClusterOnly() {
        double alone = settledNs("8192x8192x512", "scheduler=atomic clusterM=1 multicast=none")
                / settledNs("8192x8192x512", "scheduler=static clusterM=1 multicast=none");
        double pair = settledNs("8192x8192x512", "scheduler=atomic") / settledNs("8192x8192x512", "scheduler=static");
        assertThat(pair).isGreaterThan(alone * 1.03);
    }

    @Test
    void parametersThatItDoesNotKnowHaveNoEffect() {
        Problem problem = Configs.bf16("2048x2048x4096");
        Config config = Configs.with(Configs.large(), "turbo=7 ending=direct");
        assertThat(model.settled(problem, config)).isEqualTo(model.settled(problem, Configs.large()));
    }

    @Test
    void overlappedLaunchesAndSplitTilesHelpSmallProblems() {
        assertThat(settledNs("1024x1024x1024", "launchOverlap=prologue"))
                .isCloseTo(settledNs("1024x1024x1024", "launchOverlap=none") - 1200, within(1.0));
        assertThat(settledNs("256x256x16384", "splitK=8 clusterM=1"))
                .isLessThan(settledNs("256x256x16384", "splitK=1 clusterM=1") / 2);
    }

    /** The sums stay in the cluster: no workspace, and no counter to ask. */
    @Test
    void partsOfAClusterCostLessThanPiecesOfATile() {
        String few = "tileM=64 tileN=128 consumers=1 registers=0 scheduler=single clusterM=1 multicast=none ";
        double parts = settledNs("64x2048x7168", few + "clusterK=4");
        assertThat(parts).isLessThan(settledNs("64x2048x7168", few + "splitK=4"));
        assertThat(parts).isLessThan(settledNs("64x2048x7168", few + "clusterK=1") / 2);
        assertThat(model.settled(Configs.bf16("64x2048x7168"), Configs.with(Configs.large(), few + "clusterK=4"))
                        .dramBytes())
                .isLessThan(model.settled(Configs.bf16("64x2048x7168"), Configs.with(Configs.large(), few + "splitK=4"))
                        .dramBytes());
        assertThatThrownBy(() -> settledNs("256x256x128", "clusterK=4 tileK=64"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("clusterK must be at most 2, the blocks of 64 that k = 128 has, got 4");
    }

    @Test
    void aBatchMovesTheSumsOfItsGemmsAndNoMore() {
        Config halves = Configs.with(Configs.large(), "splitK=2 clusterM=1 multicast=none");
        double one = model.settled(Configs.grouped(1, "4096x5120x4096"), halves).dramBytes();
        assertThat(model.settled(Configs.grouped(4, "4096x5120x4096"), halves).dramBytes())
                .isBetween(3.9 * one, 4.2 * one);
    }

    /** Where tiles fill the waves, the sums of pieces only cost; the more pieces, the more. */
    @Test
    void splitTilesPayForTheirSums() {
        double whole = settledNs("8192x8192x8192", "splitK=1");
        double halves = settledNs("8192x8192x8192", "splitK=2");
        assertThat(halves / whole).isBetween(1.01, 1.5);
        assertThat(settledNs("8192x8192x8192", "splitK=4")).isGreaterThan(halves);
        assertThatThrownBy(() -> settledNs("256x256x128", "splitK=4 tileK=64"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("splitK must be at most 2, the blocks of 64 that k = 128 has, got 4");
    }

    /** The simulator walks the pieces, each once, and agrees with the waves of the cost model. */
    @Test
    void theSimulatorWalksPieces() {
        Problem problem = Configs.bf16("1024x2048x4096");
        Config whole = Configs.with(Configs.large(), "splitK=1 clusterM=1 clusterN=1");
        Config split = Configs.with(Configs.large(), "splitK=3 clusterM=1 clusterN=1");
        SimulatedRun run = simulator.run(problem, split, 1);
        assertThat(run.spans())
                .hasSize(3 * simulator.run(problem, whole, 1).spans().size());
        assertThat(run.timeNs() / model.settled(problem, split).ns()).isBetween(0.7, 1.4);
        assertThat(run.timeNs()).isLessThan(simulator.run(problem, whole, 1).timeNs());
    }

    private double settledCycles(String shape, String changes) {
        return cycles(model.settled(Configs.bf16(shape), Configs.with(Configs.large(), changes)));
    }

    private static double cycles(CostModel.Cost cost) {
        return cost.ns() * cost.clockMhz();
    }

    @Test
    void takesGroupsBatchesNarrowTypesAndBusySms() {
        double one =
                model.settled(Configs.bf16("2048x2048x4096"), Configs.large()).ns();
        double four = model.settled(Configs.grouped(4, "2048x2048x4096"), Configs.large())
                .ns();
        assertThat(four / one).isBetween(3.0, 5.5);
        double mixed = model.settled(
                        Configs.grouped(1, "2048x2048x4096", "1024x4096x512", "2048x2048x4096"), Configs.large())
                .ns();
        assertThat(mixed).isBetween(one, 4 * one);
        Problem narrow = Problem.of(new ProblemShape(8192, 4096, 8192), DataType.E4M3);
        Config ofBytes = Configs.with(Configs.large(), "typeA=e4m3 typeB=e4m3 tileK=128");
        assertThat(model.settled(narrow, ofBytes).ns()).isLessThan(settledNs("8192x4096x8192", "tileK=64") * 0.8);
        assertThat(model.settled(Configs.busy("8192x4096x4096", 32), Configs.with(Configs.large(), "scheduler=atomic"))
                        .ns())
                .isGreaterThan(settledNs("8192x4096x4096", "scheduler=atomic") * 1.1);
    }

    @Test
    void clustersOfAStaticGridThatFindNoRoomComeWhenTheOthersEnd() {
        String four = "clusterM=4 scheduler=static gridSize=132";
        // 512 cluster tiles: 33 clusters have 15 or 16 each, and 3 of them begin behind 15; 30 have up to 18. Cycles
        // are compared: the longer launch, which idles for half of it, runs at the higher clock.
        String fitting = "clusterM=4 scheduler=static";
        double late = settledCycles("8192x8192x4096", four);
        assertThat(late / settledCycles("8192x8192x4096", fitting)).isBetween(1.55, 1.75);
        assertThat(late / settledCycles("8192x8192x4096", "clusterM=4 scheduler=atomic"))
                .isBetween(1.4, 1.75);
        assertThat(settledCycles("2560x2048x4096", four) / settledCycles("2560x2048x4096", fitting))
                .as("of 40 cluster tiles 7 clusters have two, and the last three one, behind others with one")
                .isBetween(0.97, 1.03);
        String small = four + " tileM=64 tileN=64 consumers=1 loadStages=3";
        assertThat(settledNs("8192x8192x4096", small)
                        / settledNs("8192x8192x4096", small.replace("gridSize=132", "gridSize=0")))
                .as("small enough to share an SM with another, a cluster does not wait")
                .isLessThan(1.2);
        // 512 cluster tiles: 66 clusters have up to 8 each; of these, 16 find no room and begin behind 7 or 8.
        Config pairs = Configs.with(Configs.large(), "scheduler=static gridSize=132");
        assertThat(cycles(model.settled(Configs.busy("8192x4096x4096", 32), pairs))
                        / cycles(model.settled(Configs.busy("8192x4096x4096", 0), pairs)))
                .isBetween(1.7, 2.0);
    }

    @Test
    void whatOverlapsTakesTheLongestAndALittleMoreIfBothAreAsLong() {
        Variation sharp = new Variation(0, 0, Double.POSITIVE_INFINITY);
        assertThat(sharp.overlap(7, 7)).isEqualTo(7);
        assertThat(sharp.overlap(0, 0)).isZero();
        for (double exponent : new double[] {2, 2.5, 25, 25.5}) {
            Variation soft = new Variation(0, 0, exponent);
            assertThat(soft.overlap(8, 8)).isCloseTo(8 * Math.pow(2, 1 / exponent), within(1e-9));
            assertThat(soft.overlap(6, 8))
                    .isCloseTo(Math.pow(Math.pow(6, exponent) + Math.pow(8, exponent), 1 / exponent), within(1e-9));
            assertThat(soft.overlap(0, 0)).isZero();
            assertThat(soft.overlap(0, 5)).isEqualTo(5);
        }
    }

    /** Waves of tensor memory are those of registers to the model: it need only order configs as the simulator does. */
    @ParameterizedTest
    @ValueSource(strings = {"4096x4096x4096", "1024x1024x8192", "5000x3000x2048"})
    void ordersConfigsOfBlackwellAsTheSimulatorDoes(String shape) {
        Problem problem = Problem.of(ProblemShape.parse(shape), DataType.BF16);
        SpaceTree space = SpaceTree.of(
                new Sm100GemmSpace().space(problem, DeviceLimits.of(148)).usual(Map.of()));
        SplittableRandom random = new SplittableRandom(5);
        List<Config> drawn = Stream.generate(() -> space.draw(random)).limit(60).toList();
        CostModel costs = CostModel.of(SimulatedGpus.B200);
        Simulator simulator = Simulator.of(SimulatedGpus.B200);
        double[] predicted = drawn.stream()
                .mapToDouble(config -> costs.settled(problem, config).ns())
                .toArray();
        double[] simulated = drawn.stream()
                .mapToDouble(config -> simulator.run(problem, config, 1).timeNs())
                .toArray();
        assertThat(Ranks.spearman(predicted, simulated)).isGreaterThan(0.9);
    }

    @Test
    void saysWhatBoundsALaunch() {
        assertThat(limit("128x65536x8192")).isEqualTo(LaunchModel.Limit.DRAM);
        assertThat(limit("8192x8192x8192")).isEqualTo(LaunchModel.Limit.POWER);
        assertThat(limit("256x256x256")).isEqualTo(LaunchModel.Limit.LATENCY);
    }

    private LaunchModel.Limit limit(String shape) {
        return model.settled(Problem.of(ProblemShape.parse(shape), DataType.BF16), Configs.large())
                .limit();
    }
}
