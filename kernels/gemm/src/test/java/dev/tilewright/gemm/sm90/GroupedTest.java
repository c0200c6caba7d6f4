package dev.tilewright.gemm.sm90;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.gemm.AssembledCover;
import dev.tilewright.gemm.Configs;
import dev.tilewright.gemm.Cover;
import dev.tilewright.gemm.GemmKernel;
import dev.tilewright.gemm.TileNumbering;
import dev.tilewright.gemm.TileRecord;
import dev.tilewright.gemm.TileTable;
import dev.tilewright.gemm.TraceLayout;
import dev.tilewright.gemm.launch.Argument;
import dev.tilewright.gemm.launch.BufferRole;
import dev.tilewright.gemm.launch.FilledBuffer;
import dev.tilewright.gemm.launch.KernelLaunch;
import dev.tilewright.gemm.machine.Machine;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Major;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scenario;
import dev.tilewright.model.space.Config;
import dev.tilewright.ptx.Entry;
import dev.tilewright.ptx.PtxModule;
import dev.tilewright.ptx.instruction.Memory;
import dev.tilewright.ptx.instruction.Move;
import dev.tilewright.ptx.instruction.Statement;
import dev.tilewright.ptx.type.GlobalAddress;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.Target;
import dev.tilewright.ptx.validate.Validator;
import dev.tilewright.space.Parameter;
import dev.tilewright.space.SearchSpace;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.space.sm90.Sm90Config;
import dev.tilewright.space.sm90.Sm90GemmSpace;
import dev.tilewright.testing.Selection;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Several GEMMs in {@code sm90-gemm}: their space, maps, texts, and their way through the machine. */
class GroupedTest {

    private static final long SEED = 20261121;
    private static final int ASSEMBLED_OF_ALL = 4;
    private static final DeviceLimits SMALL = DeviceLimits.of(6);
    private static final String TABLE = "tileLocation=table tileOrder=asGiven clcThrottle=none";

    /** Every tail, depths from 1 block to 17, groups of one tile, fewer tiles than SMs, a batch. */
    private static final List<Problem> PROBLEMS = List.of(
            problem(1, "200x72x1064", "72x520x8", "1x8x72", "300x136x328"),
            problem(1, "136x72x264", "40x24x64"),
            problem(3, "136x200x136"),
            problem(2, "1100x264x64", "64x136x520"));

    private static Problem problem(int batch, String... shapes) {
        return new Problem(
                Arrays.stream(shapes).map(ProblemShape::parse).toList(),
                batch,
                OperandTypes.of(DataType.BF16),
                OperandMajors.DEFAULT,
                Scenario.QUIET);
    }

    private static SearchSpace space(Problem problem) {
        return new Sm90GemmSpace().space(problem, DeviceLimits.of(132));
    }

    static Stream<Config> configs() {
        List<String> works = List.of(
                "mode=cooperative tileM=128 tileOrder=asGiven",
                "mode=cooperative consumers=1 tileM=64 epilogueN=32 tileOrder=longestFirst",
                "mode=pingpong tileM=64 loadStages=3 tileOrder=asGiven",
                "mode=pingpong tileM=64 loadStages=5 tileOrder=longestFirst");
        List<String> clusters = List.of(
                "clusterM=1 clusterN=1 tileN=64",
                "clusterM=2 clusterN=1 multicast=both tileN=176",
                "clusterM=1 clusterN=2 multicast=both tileN=64",
                "clusterM=2 clusterN=1 multicast=none tileN=176");
        List<Config> all = new ArrayList<>();
        for (String scheduler : List.of("single", "static", "atomic", "atomic clcThrottle=loaded")) {
            for (String work : works) {
                for (String cluster : clusters) {
                    if (!(scheduler.equals("single") && work.contains("pingpong"))) {
                        all.add(Configs.with(TABLE, work, cluster, "scheduler=" + scheduler));
                    }
                }
            }
        }
        return all.stream();
    }

    @ParameterizedTest
    @MethodSource("configs")
    void everyTileOfEveryGemmOnce(Config config) {
        GemmKernel kernel = new Sm90Gemm().build(config, true);
        for (Problem problem : PROBLEMS) {
            KernelLaunch launch = kernel.launch(problem, SMALL, config);
            Map<Long, Integer> memory = new HashMap<>();
            for (int seed = 1; seed <= 2; seed++) {
                memory.keySet().removeIf(address -> address >= Machine.address(BufferRole.TRACE));
                Machine.Outcome outcome = Machine.run(kernel, launch, memory, seed);
                assertTilesOnce(problem, config, outcome, launch.gridX());
                assertElementsOnce(launch, outcome.stores());
                assertThat(memory.getOrDefault(Machine.address(BufferRole.COUNTER), 0))
                        .as("counter")
                        .isZero();
            }
        }
    }

    private static void assertTilesOnce(Problem problem, Config config, Machine.Outcome outcome, int ctas) {
        TraceLayout layout = new TraceLayout(TileNumbering.of(problem, config));
        ByteBuffer bytes = ByteBuffer.allocate((int) layout.bytes()).order(ByteOrder.LITTLE_ENDIAN);
        long start = Machine.address(BufferRole.TRACE);
        for (int at = 0; at < bytes.capacity(); at += 4) {
            bytes.putInt(at, outcome.global().getOrDefault(start + at, 0));
        }
        // Decoding refuses a tile that was not visited exactly once.
        List<TileRecord> records = layout.decode(bytes);
        List<TileTable.Row> rows = ((TileTable) layout.tiles()).rows();
        int size = layout.tiles().clusterSize();
        for (int tile = 0; tile < rows.size(); tile++) {
            for (int rank = 0; rank < size; rank++) {
                TileRecord record = records.get(tile * size + rank);
                assertThat(record.tileM()).isEqualTo(rows.get(tile).tileM() + rank % config.whole("clusterM"));
                assertThat(record.tileN()).isEqualTo(rows.get(tile).tileN() + rank / config.whole("clusterM"));
            }
        }
        assertThat(records.stream().map(TileRecord::cta).distinct()).hasSize(ctas);
    }

    /** Each store went through a map of D of some GEMM, which knows the extents; together they cover each D once. */
    private static void assertElementsOnce(KernelLaunch launch, List<Machine.TileStore> stores) {
        Map<Long, byte[][]> stored = new HashMap<>();
        for (Argument.TensorMap map : maps(launch)) {
            if (map.buffer() == BufferRole.D) {
                stored.put(
                        map.offsetBytes(),
                        new byte[map.dims().get(1).intValue()]
                                [map.dims().getFirst().intValue()]);
            }
        }
        for (Machine.TileStore store : stores) {
            byte[][] d = stored.get(store.map().offsetBytes());
            int bottom = Math.min(d.length, store.row() + store.map().box().get(1));
            int right = Math.min(d[0].length, store.column() + store.map().box().get(0));
            for (int row = store.row(); row < bottom; row++) {
                for (int column = store.column(); column < right; column++) {
                    d[row][column]++;
                }
            }
        }
        stored.forEach((offset, d) -> {
            for (byte[] row : d) {
                byte[] once = new byte[row.length];
                Arrays.fill(once, (byte) 1);
                assertThat(row).as("D at byte " + offset).isEqualTo(once);
            }
        });
    }

    private static List<Argument.TensorMap> maps(KernelLaunch launch) {
        return ((FilledBuffer.Maps) launch.filled().getFirst()).maps();
    }

    @Test
    void eachGemmHasAMapForEachBoxOfItsOutput() {
        Problem problem = problem(1, "200x136x72", "40x328x392");
        Config wide = Configs.with(TABLE, "tileN=128");
        Config narrow = Configs.with(TABLE, "tileN=176");

        assertThat(maps(new Sm90Gemm().build(wide, false).launch(problem, SMALL, wide)))
                .extracting(Argument.TensorMap::buffer)
                .containsExactly(BufferRole.A, BufferRole.B, BufferRole.D, BufferRole.A, BufferRole.B, BufferRole.D);
        List<Argument.TensorMap> maps = maps(new Sm90Gemm().build(narrow, false).launch(problem, SMALL, narrow));
        assertThat(maps).hasSize(8);
        assertThat(maps.subList(6, 8)).allSatisfy(map -> {
            assertThat(map.buffer()).isEqualTo(BufferRole.D);
            assertThat(map.offsetBytes()).isEqualTo(2 * 200 * 136);
            assertThat(map.dims()).containsExactly(328L, 40L);
        });
        assertThat(maps.get(6).box()).containsExactly(64, 64);
        assertThat(maps.get(7).box()).containsExactly(48, 64);
    }

    /** Offsets are in bytes of the operand's own type, extents of an M-major one the other way round. */
    @Test
    void mapsKnowTypesAndLayouts() {
        Problem one = problem(1, "208x136x80", "48x328x400");
        Problem eightBits = new Problem(
                one.groups(),
                1,
                new OperandTypes(DataType.E4M3, DataType.E5M2, DataType.F32),
                OperandMajors.DEFAULT,
                Scenario.QUIET);
        Config scaled = Configs.with(TABLE, "tileN=64 tileK=128 typeA=e4m3 typeB=e5m2 typeD=f32 epilogueN=32");
        KernelLaunch launch = new Sm90Gemm().build(scaled, false).launch(eightBits, SMALL, scaled);
        assertThat(launch.takesScale()).isTrue();
        assertThat(maps(launch).subList(3, 6))
                .extracting(Argument.TensorMap::offsetBytes)
                .containsExactly(208L * 80, 136L * 80, 208L * 136 * 4);

        Problem turned = new Problem(
                one.groups(),
                1,
                OperandTypes.of(DataType.BF16),
                new OperandMajors(Major.M, Major.N, Major.N),
                Scenario.QUIET);
        Config columns = Configs.with(TABLE, "tileN=64 majorA=m majorB=n");
        assertThat(maps(new Sm90Gemm().build(columns, false).launch(turned, SMALL, columns))
                        .subList(3, 6))
                .extracting(Argument.TensorMap::dims)
                .containsExactly(List.of(48L, 400L), List.of(328L, 400L), List.of(328L, 48L));
        assertThatThrownBy(() -> new Sm90Gemm().build(columns, false).launch(one, SMALL, columns))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("the kernel computes ");
        assertThat(space(eightBits).names(Parameter.Kind.TEXT)).contains("typeA", "typeB", "typeD", "tileLocation");
    }

    @Test
    void aPingpongThatDoesNotKnowTheDepthOfTheOthersTileIsCaught() {
        Config config = Configs.with(TABLE, "mode=pingpong tileM=64 tileN=64 loadStages=3 scheduler=static");
        GemmKernel kernel = new Sm90Gemm().build(config, false);
        KernelLaunch launch = kernel.launch(problem(1, "640x64x200", "640x64x136"), DeviceLimits.of(1), config);
        Machine.run(kernel, launch, new HashMap<>(), 1);

        GemmKernel ignorant = withDepthsOfOne(kernel);
        assertThatThrownBy(() -> {
                    for (int seed = 1; seed <= 5; seed++) {
                        Machine.run(ignorant, launch, new HashMap<>(), seed);
                    }
                })
                .isInstanceOf(IllegalStateException.class);
    }

    /** Takes every tile that is looked up for its depth alone for one of one block. */
    private static GemmKernel withDepthsOfOne(GemmKernel kernel) {
        Entry entry = kernel.module().entry(Sm90Gemm.ENTRY);
        List<Statement> body = entry.body().stream()
                .map(statement -> statement instanceof Memory.Load load
                                && load.address() instanceof GlobalAddress
                                && load.d().size() == 1
                        ? new Move.Copy(ScalarType.U32, load.d().getFirst(), Immediate.b32(1))
                        : statement)
                .toList();
        assertThat(body).isNotEqualTo(entry.body());
        Entry changed = entry.withBody(body);
        PtxModule module =
                new PtxModule(kernel.module().target(), kernel.module().shared(), List.of(changed));
        return new GemmKernel(module, kernel.text(), false, kernel.rule(), kernel.sumError());
    }

    @Test
    void theSpaceTriesBothOrdersOfTheTable() {
        SearchSpace space = space(PROBLEMS.getFirst());

        assertThat(space.names(Parameter.Kind.LAUNCH))
                .containsExactly("rasterOrder", "rasterGroup", "l2Promotion", "gridSize", "tileOrder");
        assertThat(space.names(Parameter.Kind.TEXT)).contains("tileLocation", "scheduler", "mode", "clcThrottle");
        SearchSpace one = space(Problem.of(ProblemShape.parse("200x136x72"), DataType.BF16));
        assertThat(one.names(Parameter.Kind.TEXT)).contains("tileLocation").doesNotContain("clcThrottle");
        assertThat(one.names(Parameter.Kind.LAUNCH)).doesNotContain("tileOrder");
    }

    @Test
    void rulesLookAtTheLargestGroup() {
        Problem low = problem(1, "60x1000x72", "130x64x64");

        assertThat(space(low).violation(Configs.with(TABLE, "tileM=128 rasterGroup=4")))
                .isEmpty();
        assertThat(space(low)
                        .violation(Configs.with(TABLE, "tileM=256 tileN=64 rasterGroup=4"))
                        .orElseThrow()
                        .toString())
                .contains("tileOverhang", "m = 130");
    }

    /** The assembler says so: it would spill some of what a thread holds that reads a table. */
    @Test
    void aTableTakesRegisters() {
        Problem problem = problem(1, "1024x1024x1024", "1024x1024x32768");
        Problem one = Problem.of(ProblemShape.parse("2048x1024x1024"), DataType.BF16);
        String producer = "tileN=64 rasterGroup=4 registers=240";
        String consumer = "consumers=3 tileM=192 tileN=192 registers=0 loadStages=2 rasterGroup=4";

        assertThat(space(problem)
                        .violation(Configs.with(TABLE, producer))
                        .orElseThrow()
                        .toString())
                .startsWith("producerRegisters: 2 consumers of 240 registers leave a producer 24, too few to load by a"
                        + " table (");
        assertThat(space(problem)
                        .violation(Configs.with(TABLE, consumer))
                        .orElseThrow()
                        .toString())
                .startsWith(
                        "accumulatorRegisters: 96 accumulators and 40 working registers a thread are more than 128");
        for (String fits : List.of(producer.replace("240", "232"), consumer.replace("tileN=192", "tileN=176"))) {
            assertThat(space(problem).violation(Configs.with(TABLE, fits))).isEmpty();
        }
        assertThat(space(one).violation(Configs.with(producer))).isEmpty();
        assertThat(space(one).violation(Configs.with(consumer))).isEmpty();
    }

    @Test
    void refusesByGroup() {
        Sm90GemmSpace family = new Sm90GemmSpace();

        assertThat(PROBLEMS)
                .allSatisfy(problem -> assertThat(family.refusal(problem)).isEmpty());
        assertThat(family.refusal(problem(1, "200x136x72", "200x136x70")).orElseThrow())
                .startsWith("group 1: k = 70 times 2 bytes is 140: rows of A and B");
        assertThatThrownBy(() -> {
                    Config config = Configs.with("");
                    new Sm90Gemm().build(config, false).launch(PROBLEMS.getFirst(), SMALL, config);
                })
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("groups = 4 and batch = 1: several GEMMs need tileLocation = table");
    }

    private static List<Config> cover() {
        SearchSpace space = space(problem(1, "1024x1024x1024", "1024x1024x32768"));
        List<Config> cover = new ArrayList<>(new Cover(space).pairwise(SEED));
        Collections.shuffle(cover, new Random(SEED));
        return cover;
    }

    @Test
    void everyConfigOfThePairwiseCoverValidates() {
        Sm90Gemm family = new Sm90Gemm();
        for (Config config : cover()) {
            PtxModule module = family.build(config, true).module();
            assertThat(Validator.validate(module)).as(config.canonical()).isEmpty();
            assertThat(Sm90Config.of(config).sharedBytes())
                    .as(config.canonical())
                    .isEqualTo(module.entry(Sm90Gemm.ENTRY).dynamicShared().bytes());
        }
    }

    @Test
    void whoAsksNobodyWaitsForNothing() {
        Problem problem = problem(1, "1024x1024x1024", "1024x1024x32768");

        assertThat(space(problem)
                        .violation(Configs.with(TABLE, "scheduler=static clcThrottle=loaded"))
                        .orElseThrow()
                        .toString())
                .contains("throttleUnused: the scheduler static asks nobody, so clcThrottle must be none, got loaded");
        assertThat(space(problem).violation(Configs.with(TABLE, "scheduler=atomic clcThrottle=loaded")))
                .isEmpty();
        assertThatThrownBy(() -> Sm90Config.of(Configs.with(TABLE, "scheduler=atomic clcThrottle=mainloop")))
                .hasMessage("clcThrottle must be one of [none, loaded], got 'mainloop'");
    }

    @Test
    void aSampleAssemblesWithoutSpills() throws Exception {
        new AssembledCover(new Sm90Gemm(), Target.SM_90A).assemble(Selection.of(cover(), ASSEMBLED_OF_ALL));
    }

    @Test
    @Tag("full")
    void thePairwiseCoverAssemblesWithoutSpills() throws Exception {
        new AssembledCover(new Sm90Gemm(), Target.SM_90A).assemble(cover());
    }
}
