package dev.tilewright.gemm.sm90;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.gemm.AssembledCover;
import dev.tilewright.gemm.Configs;
import dev.tilewright.gemm.GemmFamily;
import dev.tilewright.gemm.GemmKernel;
import dev.tilewright.gemm.family.GemmFamilies;
import dev.tilewright.gemm.launch.Argument;
import dev.tilewright.gemm.launch.BufferDemand;
import dev.tilewright.gemm.launch.BufferRole;
import dev.tilewright.gemm.launch.KernelLaunch;
import dev.tilewright.gemm.launch.Swizzle;
import dev.tilewright.gemm.machine.Machine;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scenario;
import dev.tilewright.model.space.Config;
import dev.tilewright.ptx.type.Target;
import dev.tilewright.space.device.DeviceLimits;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class Sm90GemmTest {

    private static final DeviceLimits H200 = DeviceLimits.of(132);

    private final GemmFamily family = GemmFamilies.standard().named("sm90-gemm");

    private static Problem problem(String shape) {
        return Problem.of(ProblemShape.parse(shape), DataType.BF16);
    }

    private KernelLaunch launch(String shape, String changes) {
        Config config = Configs.with(changes);
        return family.build(config, false).launch(problem(shape), H200, config);
    }

    @Test
    void theSameConfigGivesTheSameBytes() {
        Config config = Configs.with("scheduler=atomic clusterM=2 multicast=both");
        assertThat(family.build(config, false).text())
                .isEqualTo(new Sm90Gemm().build(config, false).text());
        assertThat(family.build(config, true).text())
                .isNotEqualTo(family.build(config, false).text());
    }

    @Test
    void theTextDoesNotDependOnLaunchParameters() {
        String text = family.build(Configs.with(), false).text();
        for (String launch : List.of("rasterOrder=alongN", "rasterOrder=groupedN rasterGroup=16", "gridSize=64")) {
            assertThat(family.build(Configs.with(launch), false).text()).isEqualTo(text);
        }
        assertThat(family.build(Configs.with("loadStages=5"), false).text()).isNotEqualTo(text);
    }

    @Test
    void gridsByScheduler() {
        // 32 x 16 tiles of 128 x 128.
        assertThat(launch("4096x2048x64", "scheduler=single").gridX()).isEqualTo(512);
        assertThat(launch("4096x2048x64", "scheduler=static").gridX()).isEqualTo(132);
        assertThat(launch("4096x2048x64", "scheduler=static gridSize=100").gridX())
                .isEqualTo(100);
        assertThat(launch("4096x2048x64", "scheduler=atomic gridSize=101 clusterM=2")
                        .gridX())
                .isEqualTo(100);
        assertThat(launch("4096x2048x64", "scheduler=static ctasPerSm=2").gridX())
                .isEqualTo(264);
        assertThat(launch("4096x2048x64", "scheduler=atomic ctasPerSm=2 clusterM=2 clusterN=2")
                        .gridX())
                .as("two CTAs on each SM of the 30 clusters that are resident")
                .isEqualTo(240);
        assertThat(launch("4096x2048x64", "scheduler=static clusterM=2 clusterN=2")
                        .gridX())
                .isEqualTo(120);
        assertThat(launch("300x200x64", "scheduler=static ctasPerSm=2").gridX()).isEqualTo(6);
        assertThat(launch("300x200x64", "scheduler=static").gridX()).isEqualTo(6);
        assertThat(launch("300x200x64", "scheduler=single clusterM=2").gridX()).isEqualTo(8);
    }

    /** A box of TMA has 256 rows at the most, of either operand. */
    @Test
    void tallTilesAreLoadedInTwoBoxes() {
        String one = "consumers=1 registers=0 loadStages=2 ";
        assertThat(launch("640x128x64", one + "tileM=320 tileN=64").arguments())
                .startsWith(
                        map(BufferRole.A, 64, 640, 64, 160, Swizzle.B128, 128),
                        map(BufferRole.B, 64, 128, 64, 64, Swizzle.B128, 128));
        assertThat(launch("128x640x64", one + "tileM=64 tileN=320").arguments())
                .startsWith(
                        map(BufferRole.A, 64, 128, 64, 64, Swizzle.B128, 128),
                        map(BufferRole.B, 64, 640, 64, 160, Swizzle.B128, 128));
    }

    @Test
    void argumentsInTheOrderOfTheEntry() {
        Config config = Configs.with("tileN=176 clusterM=2 multicast=both scheduler=atomic rasterOrder=groupedN");
        GemmKernel kernel = family.build(config, true);
        KernelLaunch launch = kernel.launch(problem("1000x1512x704"), H200, config);
        assertThat(launch.arguments())
                .containsExactly(
                        map(BufferRole.A, 704, 1000, 64, 128, Swizzle.B128, 128),
                        map(BufferRole.B, 704, 1512, 64, 88, Swizzle.B128, 128),
                        map(BufferRole.D, 1512, 1000, 64, 64, Swizzle.B128, 0),
                        map(BufferRole.D, 1512, 1000, 48, 64, Swizzle.B128, 0),
                        new Argument.U32(8),
                        new Argument.U32(9),
                        new Argument.U32(36),
                        new Argument.U32(11),
                        // Bands of 8 of the 9 columns x 4 rows, the last of one column: each with multiplier and shift.
                        new Argument.U32(32),
                        new Argument.U32(1 << 31),
                        new Argument.U32(5),
                        new Argument.U32(8),
                        new Argument.U32(1 << 31),
                        new Argument.U32(3),
                        new Argument.U32(1),
                        new Argument.U32(1 << 31),
                        new Argument.U32(0),
                        new Argument.U32(1),
                        new Argument.U32(1),
                        new Argument.Pointer(BufferRole.COUNTER, 0),
                        new Argument.Pointer(BufferRole.TRACE, 0));
        assertThat(launch.buffers())
                .containsExactly(
                        new BufferDemand(BufferRole.COUNTER, 4, BufferDemand.Zero.ONCE),
                        new BufferDemand(BufferRole.TRACE, 72 * 48, BufferDemand.Zero.EACH_LAUNCH));
        assertThat(kernel.module().entry(launch.entry()).params()).hasSize(21);
        assertThat(launch.threads()).isEqualTo(384);
        assertThat(launch.clusterSize()).isEqualTo(2);
        assertThat(launch.gridX()).isEqualTo(72);
    }

    @Test
    void launchesOverlapWhereTheTextWaits() {
        String ordinary = family.build(Configs.with(), false).text();
        assertThat(family.build(Configs.with("launchOverlap=none"), false).text())
                .isEqualTo(ordinary)
                .doesNotContain("griddepcontrol");
        assertThat(launch("1000x1512x704", "launchOverlap=none").overlaps()).isFalse();
        for (String from : List.of("prologue", "loaded")) {
            assertThat(family.build(Configs.with("launchOverlap=" + from), false)
                            .text())
                    .containsOnlyOnce("griddepcontrol.wait")
                    .containsOnlyOnce("griddepcontrol.launch_dependents");
            KernelLaunch overlapped = launch("1000x1512x704", "launchOverlap=" + from);
            assertThat(overlapped)
                    .usingRecursiveComparison()
                    .ignoringFields("overlaps")
                    .isEqualTo(launch("1000x1512x704", ""));
            assertThat(overlapped.overlaps()).isTrue();
        }
        assertThatThrownBy(() -> family.build(Configs.with("launchOverlap=early"), false))
                .hasMessage("launchOverlap must be one of [none, prologue, loaded], got 'early'");
        KernelLaunch scaled = launchOfEightBits("launchOverlap=loaded");
        assertThat(scaled.withScale(2).overlaps()).isTrue();
    }

    private KernelLaunch launchOfEightBits(String changes) {
        Config config = Configs.with("typeA=e4m3 typeB=e5m2 tileK=128 " + changes);
        Problem problem = new Problem(
                List.of(ProblemShape.parse("1000x1512x704")),
                1,
                new OperandTypes(DataType.E4M3, DataType.E5M2, DataType.BF16),
                OperandMajors.DEFAULT,
                Scenario.QUIET);
        return family.build(config, false).launch(problem, H200, config);
    }

    /** Neither spills nor wgmmas one after the other: the waits are outside of the loops. */
    @Test
    void overlappedTextsAssemble() throws Exception {
        new AssembledCover(new Sm90Gemm(), Target.SM_90A)
                .assemble(List.of(
                        Configs.with("launchOverlap=prologue tileN=256"),
                        Configs.with("launchOverlap=loaded mode=pingpong tileN=176 scheduler=atomic"),
                        Configs.with("launchOverlap=loaded scheduler=atomic clusterM=2 multicast=both"),
                        Configs.with("launchOverlap=prologue scheduler=single consumers=1 tileM=64 tileN=256"),
                        Configs.with("launchOverlap=prologue tileLocation=table scheduler=atomic tileN=192"),
                        Configs.with("launchOverlap=loaded tileLocation=table mode=pingpong tileM=64 tileN=256")));
    }

    @Test
    void piecesOfATileAreHandedOutOneByOne() {
        // 3 x 2 tiles of 128 x 128, each in 2 pieces; a piece of a tile leaves f32.
        for (String scheduler : List.of("single", "static", "atomic")) {
            Config config = Configs.with("splitK=2 scheduler=" + scheduler);
            KernelLaunch launch = family.build(config, true).launch(problem("300x200x192"), H200, config);
            assertThat(launch.gridX()).isEqualTo(12);
            assertThat(launch.arguments())
                    .contains(new Argument.U32(12), new Argument.Pointer(BufferRole.WORKSPACE, 0));
            assertThat(launch.buffers())
                    .contains(
                            new BufferDemand(BufferRole.WORKSPACE, 12L * 128 * 128 * 4, BufferDemand.Zero.NEVER),
                            new BufferDemand(BufferRole.ARRIVALS, 6 * 2 * 4, BufferDemand.Zero.ONCE),
                            new BufferDemand(BufferRole.TRACE, 12 * 48, BufferDemand.Zero.EACH_LAUNCH));
        }
        Config four = Configs.with("splitK=4");
        assertThatThrownBy(() -> family.build(four, false).launch(problem("300x200x192"), H200, four))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("k = 192 has 3 blocks of 64, fewer than the 4 pieces of a tile: ");
    }

    @Test
    void partsOfATileStandInOneCluster() {
        // 3 x 2 tiles of 128 x 128, each for a cluster of 2 CTAs.
        Config config = Configs.with("clusterK=2 scheduler=single");
        KernelLaunch launch = family.build(config, true).launch(problem("300x200x192"), H200, config);
        assertThat(launch.gridX()).isEqualTo(12);
        assertThat(launch.clusterSize()).isEqualTo(2);
        assertThat(launch.arguments()).contains(new Argument.U32(6));
        assertThat(launch.buffers())
                .containsExactly(new BufferDemand(BufferRole.TRACE, 12 * 48, BufferDemand.Zero.EACH_LAUNCH));
        Config four = Configs.with("clusterK=4");
        assertThatThrownBy(() -> family.build(four, false).launch(problem("300x200x192"), H200, four))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("k = 192 has 3 blocks of 64, fewer than the 4 pieces of a tile: ");
    }

    private static Argument map(
            BufferRole role, long inner, long outer, int boxInner, int boxOuter, Swizzle swizzle, int promotion) {
        return new Argument.TensorMap(
                role,
                0,
                DataType.BF16,
                List.of(inner, outer),
                List.of(inner * 2),
                List.of(boxInner, boxOuter),
                swizzle,
                promotion);
    }

    @Test
    void refusals() {
        GemmKernel kernel = family.build(Configs.with(), false);
        assertThatThrownBy(() -> kernel.launch(problem("128x128x100"), H200, Configs.with()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("k = 100 times 2 bytes is 200");
        assertThatThrownBy(() -> kernel.launch(problem("128x128x64"), H200, Configs.with("loadStages=5")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the kernel was built for other text parameters")
                .hasMessageContaining("loadStages=5");
        assertThatThrownBy(() -> family.build(Configs.with("mode=serial"), false))
                .hasMessage("mode must be one of [cooperative, pingpong], got 'serial'");
        assertThatThrownBy(() -> GemmFamilies.standard().named("sm80-gemm"))
                .hasMessage("unknown kernel family 'sm80-gemm'; known: sm90-gemm, sm100-gemm");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "tileM=100 | tileM must be a multiple of 64, got 100",
                "consumers=3 tileM=64 | tileM must be a multiple of 192, 64 for each of 3 warpgroups that share a tile,"
                        + " got 64",
                "tileM=192 tileN=200 | tileN must be a multiple of 16 where two warpgroups share the columns of 192"
                        + " rows, got 200",
                "mode=pingpong tileM=96 | tileM must be a multiple of 64, got 96",
                "tileM=0 | tileM must be a multiple of 64",
                "tileN=100 | tileN must be a multiple of 8 up to 320, got 100",
                "tileN=328 | tileN must be a multiple of 8 up to 320, got 328",
                "tileN=264 | tileN above 256 is made of two instructions side by side, so it must be a multiple of 16, got 264",
                "tileK=48 | tileK must fill spans of the swizzle, 128 bytes each, got 48",
                "tileK=16 swizzle=32 | 32",
                "swizzle=96 tileK=48 | 96",
                "consumers=4 tileM=256 | consumers must be from 1 to 3, got 4",
                "consumers=0 | consumers must be from 1 to 3, got 0",
                "consumers=1 mode=pingpong | pingpong takes 2 consumers in turn, got 1",
                "ctasPerSm=3 | ctasPerSm must be 1 or 2, got 3",
                "loadStages=1 | loadStages must be at least 2 with waitDepth = 1, got 1",
                "loadStages=0 waitDepth=0 | loadStages must be at least 1 with waitDepth = 0, got 0",
                "clusterM=0 | clusterM must be at least 1, got 0",
                "epilogueStages=1 | epilogueStages must be at least 2, got 1",
                "splitK=0 | splitK must be at least 1, got 0",
                "swapAB=1 typeD=f32 epilogueN=32 | swapAB must be 0 unless A and B are K-major and D has 16 bits, got 1",
                "swapAB=1 majorA=m | swapAB must be 0 unless A and B are K-major and D has 16 bits, got 1",
                "swapAB=1 tileM=88 tileN=72 | tileN must be a multiple of 64, got 72",
                "loadStart=tock | loadStart must be one of [free, tick], got 'tock'",
                "clusterOrder=smid | clusterOrder must be one of [launch, gpc], got 'smid'",
                "swapAB=1 tileM=264 | tileM must be a multiple of 8 up to 256, got 264",
                "splitK=24 | splitK must be at most 23, got 24",
                "splitK=2 tileLocation=table | splitK must be 1 where tiles stand in a table, which gives each of them whole, got 2",
                "clusterK=3 | clusterK must be one of [1, 2, 4, 8], got 3",
                "clusterK=2 splitK=2 | splitK must be 1 where the CTAs of a cluster share the depth of a tile, got 2 with clusterK = 2",
                "clusterK=2 tileLocation=table | clusterK must be 1 where tiles stand in a table, whose GEMMs may have fewer blocks of K than a cluster has parts, got 2",
                "l2Hint=keepD | l2Hint must be one of [none, keepA, keepB], got 'keepD'",
                "epilogueN=20 | epilogueN must be one of [16, 32, 64], a panel as wide as a swizzle, got 20",
                "epilogueN=128 | got 128",
                "registers=100 | 100",
                "waitDepth=-1 | waitDepth must be 0 or 1, got -1",
                "waitDepth=2 | waitDepth must be 0 or 1, got 2",
            })
    void refusesWhatCannotBeBuiltNamingTheValue(String changes, String message) {
        for (boolean traced : new boolean[] {false, true}) {
            assertThatThrownBy(() -> family.build(Configs.with(changes), traced))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(message);
        }
    }

    /** What a launch that was broken off leaves behind: the next one misses a tile, and its trace shows it. */
    @Test
    void aCounterThatIsNotZeroLosesATile() {
        Config config = Configs.with("scheduler=atomic tileN=64");
        GemmKernel kernel = family.build(config, true);
        DeviceLimits two = DeviceLimits.of(2);
        KernelLaunch launch = kernel.launch(problem("256x320x64"), two, config);
        Map<Long, Integer> memory = new HashMap<>(Map.of(Machine.address(BufferRole.COUNTER), 1));
        Machine.run(kernel, launch, memory, 1);
        long visited = memory.entrySet().stream()
                .filter(word -> word.getKey() >= Machine.address(BufferRole.TRACE))
                .filter(word -> (word.getKey() - Machine.address(BufferRole.TRACE)) % 48 == 0 && word.getValue() == 1)
                .count();
        assertThat(visited).isEqualTo(9);
    }
}
