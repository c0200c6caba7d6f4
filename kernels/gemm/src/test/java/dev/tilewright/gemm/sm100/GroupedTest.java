package dev.tilewright.gemm.sm100;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.gemm.AssembledCover;
import dev.tilewright.gemm.Cover;
import dev.tilewright.gemm.GemmKernel;
import dev.tilewright.gemm.TileNumbering;
import dev.tilewright.gemm.TileTable;
import dev.tilewright.gemm.TraceLayout;
import dev.tilewright.gemm.launch.Argument;
import dev.tilewright.gemm.launch.BufferRole;
import dev.tilewright.gemm.launch.FilledBuffer;
import dev.tilewright.gemm.launch.KernelLaunch;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scenario;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.ptx.type.Target;
import dev.tilewright.ptx.validate.Validator;
import dev.tilewright.space.Parameter;
import dev.tilewright.space.SearchSpace;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.space.sm100.Sm100GemmSpace;
import dev.tilewright.testing.Selection;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Several GEMMs in {@code sm100-gemm}: their space, table, maps and texts. */
class GroupedTest {

    private static final long SEED = 20261121;
    private static final int ASSEMBLED_OF_ALL = 4;
    private static final DeviceLimits SMALL = DeviceLimits.of(4);
    private static final Problem PROBLEM = problem(1, "200x136x72", "40x328x392", "72x24x8");
    private static final String TABLE = "tileN=64 rasterOrder=alongM rasterGroup=1 tileLocation=table";

    private static Problem problem(int batch, String... shapes) {
        return new Problem(
                Arrays.stream(shapes).map(ProblemShape::parse).toList(),
                batch,
                OperandTypes.of(DataType.BF16),
                OperandMajors.DEFAULT,
                Scenario.QUIET);
    }

    private static SearchSpace space(Problem problem) {
        return new Sm100GemmSpace().space(problem, DeviceLimits.of(148));
    }

    private static TileTable table(Problem problem, String changes) {
        return (TileTable) new TraceLayout(TileNumbering.of(problem, Configs100.with(TABLE, changes))).tiles();
    }

    @Test
    void theTableHasARowForEachClusterTileOfEachGemm() {
        TileTable table = table(PROBLEM, "tileOrder=asGiven");

        assertThat(table.rows()).hasSize(2 * 3 + 6 + 1);
        assertThat(table.rows().subList(0, 3))
                .containsExactly(
                        new TileTable.Row(0, 0, 0, 2, 2, 3),
                        new TileTable.Row(0, 1, 0, 2, 2, 3),
                        new TileTable.Row(0, 0, 1, 2, 2, 3));
        assertThat(table.rows().get(6)).isEqualTo(new TileTable.Row(1, 0, 0, 7, 1, 6));
        assertThat(table.rows().getLast()).isEqualTo(new TileTable.Row(2, 0, 0, 1, 1, 1));
        assertThat(table.words().subList(8, 16)).containsExactly(0, 1, 0, 2, 2, 3, 0, 0);
    }

    @Test
    void clustersRoundUpInEachGemm() {
        TileTable table = table(PROBLEM, "tileOrder=asGiven clusterM=2 clusterN=2");

        assertThat(table.rows()).hasSize(2 + 3 + 1);
        assertThat(table.rows().get(1)).isEqualTo(new TileTable.Row(0, 0, 2, 2, 2, 3));
        assertThat(table.allTiles()).isEqualTo(6 * 4);
        assertThat(table.isPadding(1, 1, 2)).isFalse();
        assertThat(table.isPadding(1, 1, 3)).isTrue();
        assertThat(table.isPadding(5, 1, 0)).isTrue();
    }

    @Test
    void theLongestComeFirstAndEqualOnesAsGiven() {
        List<TileTable.Row> rows = table(PROBLEM, "tileOrder=longestFirst").rows();

        assertThat(rows).extracting(TileTable.Row::gemm).containsExactly(1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 2);
        assertThat(rows)
                .containsExactlyInAnyOrderElementsOf(
                        table(PROBLEM, "tileOrder=asGiven").rows());
        assertThat(rows.subList(6, 12))
                .isEqualTo(table(PROBLEM, "tileOrder=asGiven").rows().subList(0, 6));
    }

    @Test
    void theBatchOfAGroupComesBeforeTheNextGroup() {
        TileTable table = table(problem(2, "128x64x64", "128x64x128"), "tileOrder=asGiven");

        assertThat(table.rows()).extracting(TileTable.Row::gemm).containsExactly(0, 1, 2, 3);
        assertThat(table.rows()).extracting(TileTable.Row::kBlocks).containsExactly(1, 1, 2, 2);
    }

    @ParameterizedTest
    @CsvSource({"single, 13", "static, 4", "atomic, 4", "clc, 13"})
    void theLaunchCarriesTableAndMaps(String scheduler, int ctas) {
        Config config = Configs100.with(TABLE, "tileOrder=asGiven scheduler=" + scheduler);
        KernelLaunch launch = new Sm100Gemm().build(config, false).launch(PROBLEM, SMALL, config);

        assertThat(launch.gridX()).isEqualTo(ctas);
        assertThat(launch.arguments())
                .startsWith(
                        new Argument.Pointer(BufferRole.MAPS, 0),
                        new Argument.Pointer(BufferRole.TILES, 0),
                        new Argument.U32(13))
                .hasSize(scheduler.equals("atomic") ? 4 : 3);
        assertThat(launch.filled()).extracting(FilledBuffer::role).containsExactly(BufferRole.MAPS, BufferRole.TILES);
        assertThat(launch.filled()).extracting(FilledBuffer::bytes).containsExactly(9 * 128L, 13 * 32L);
        List<Argument.TensorMap> maps = ((FilledBuffer.Maps) launch.filled().getFirst()).maps();
        assertThat(maps)
                .extracting(Argument.TensorMap::buffer)
                .startsWith(BufferRole.A, BufferRole.B, BufferRole.D, BufferRole.A);
        // The second GEMM begins behind the first one, in bytes.
        assertThat(maps.get(3).offsetBytes()).isEqualTo(2 * 200 * 72);
        assertThat(maps.get(4).offsetBytes()).isEqualTo(2 * 136 * 72);
        assertThat(maps.get(5).offsetBytes()).isEqualTo(2 * 200 * 136);
        assertThat(maps.get(8).offsetBytes()).isEqualTo(2 * (200 * 136 + 40 * 328));
        assertThat(maps.get(4).dims()).containsExactly(392L, 328L);
        assertThat(maps.get(4).strides()).containsExactly(784L);
    }

    @Test
    void oneGemmMayHaveATableToo() {
        Problem one = Problem.of(ProblemShape.parse("200x136x72"), DataType.BF16);
        Config config = Configs100.with(TABLE, "tileOrder=longestFirst scheduler=clc");

        assertThat(new Sm100Gemm()
                        .build(config, false)
                        .launch(one, SMALL, config)
                        .gridX())
                .isEqualTo(6);
    }

    @Test
    void aKernelOfOneGemmIsNotLaunchedForSeveral() {
        Config config = Configs100.with("tileN=64");
        GemmKernel kernel = new Sm100Gemm().build(config, false);

        assertThatThrownBy(() -> kernel.launch(PROBLEM, SMALL, config))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("groups = 3 and batch = 1: several GEMMs need tileLocation = table, got ");
        Config table = Configs100.with(TABLE, "tileOrder=asGiven");
        assertThatThrownBy(() -> kernel.launch(PROBLEM, SMALL, table))
                .hasMessageStartingWith("the kernel was built for other text parameters");
    }

    @Test
    void theOrderIsALaunchParameter() {
        Sm100Gemm family = new Sm100Gemm();
        Config given = Configs100.with(TABLE, "tileOrder=asGiven");
        Config longest = given.with("tileOrder", ParameterValue.of("longestFirst"));

        assertThat(family.build(longest, true).text())
                .isEqualTo(family.build(given, true).text());
        assertThat(family.build(given, false).launch(PROBLEM, SMALL, longest))
                .isNotEqualTo(family.build(given, false).launch(PROBLEM, SMALL, given));
        Config unknown = given.with("tileOrder", ParameterValue.of("shortestFirst"));
        assertThatThrownBy(() -> family.build(unknown, false).launch(PROBLEM, SMALL, unknown))
                .hasMessage("tileOrder must be one of [asGiven, longestFirst], got 'shortestFirst'");
    }

    @Test
    void theSpaceTriesOrdersOfTheTableAndOneRaster() {
        SearchSpace space = space(PROBLEM);

        assertThat(space.names(Parameter.Kind.LAUNCH))
                .containsExactly("tileOrder", "rasterOrder", "rasterGroup", "gridSize");
        assertThat(space.names(Parameter.Kind.TEXT)).contains("tileLocation", "scheduler", "ctaGroup");
        assertThat(space.parameters().stream()
                        .filter(parameter -> parameter.name().startsWith("raster"))
                        .map(parameter -> parameter.values().size()))
                .containsExactly(1, 1);
        SearchSpace one = space(Problem.of(ProblemShape.parse("200x136x72"), DataType.BF16));
        assertThat(one.names(Parameter.Kind.TEXT)).doesNotContain("tileLocation");
        assertThat(one.names(Parameter.Kind.LAUNCH)).doesNotContain("tileOrder");
    }

    @Test
    void aClusterLargerThanEachOutputIsRefused() {
        Problem low = problem(1, "100x512x64", "120x64x64");
        Config wide = Configs100.with(TABLE, "tileOrder=asGiven clusterN=2");
        Config high = Configs100.with(TABLE, "tileOrder=asGiven clusterM=2");

        assertThat(space(low).violation(wide)).isEmpty();
        assertThat(space(low).violation(high).orElseThrow().toString()).contains("clusterPadding", "2x1");
    }

    @Test
    void refusesByGroupAndRule() {
        Sm100GemmSpace family = new Sm100GemmSpace();

        assertThat(family.refusal(PROBLEM)).isEmpty();
        assertThat(family.refusal(problem(3, "128x64x64"))).isEmpty();
        assertThat(family.refusal(problem(1, "200x136x72", "200x136x70")).orElseThrow())
                .isEqualTo("group 1: k = 70 times 2 bytes is 140: rows of A and B must be a multiple of 16 bytes for "
                        + "the tensor map");
        assertThat(family.refusal(problem(1 << 20, "256x136x64", "128x64x64")).orElseThrow())
                .isEqualTo("groups = 2 and batch = 1048576 have 7340032 tiles of 128x64, more than the 4194304 rows of "
                        + "a table of tiles");
        assertThatThrownBy(() -> problem(1, "200x136x72", "200x0x72")).hasMessage("n must be at least 1, got 0");
    }

    private static List<Config> cover() {
        SearchSpace space = space(problem(1, "4096x14336x512", "4096x14336x4096"));
        List<Config> cover = new ArrayList<>(new Cover(space).pairwise(SEED));
        Collections.shuffle(cover, new Random(SEED));
        return cover;
    }

    @Test
    void everyConfigOfThePairwiseCoverValidates() {
        Sm100Gemm family = new Sm100Gemm();
        for (Config config : cover()) {
            assertThat(Validator.validate(family.build(config, true).module()))
                    .as(config.canonical())
                    .isEmpty();
        }
    }

    @Test
    void aSampleAssemblesWithoutSpills() throws Exception {
        new AssembledCover(new Sm100Gemm(), Target.SM_100A).assemble(Selection.of(cover(), ASSEMBLED_OF_ALL));
    }

    @Test
    @Tag("full")
    void thePairwiseCoverAssemblesWithoutSpills() throws Exception {
        new AssembledCover(new Sm100Gemm(), Target.SM_100A).assemble(cover());
    }
}
