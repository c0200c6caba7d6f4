package dev.tilewright.gemm.space;

import static dev.tilewright.gemm.space.GemmRules.rule;
import static dev.tilewright.gemm.space.GemmRules.when;

import dev.tilewright.gemm.space.AnchorChoice.Wish;
import dev.tilewright.gemm.space.Sm90Config.Mode;
import dev.tilewright.model.problem.Major;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.Constraint;
import dev.tilewright.model.space.Parameter;
import dev.tilewright.model.space.SearchSpace;
import dev.tilewright.model.trial.Architecture;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** What the Hopper family {@code sm90-gemm} computes, and what may be tried for it. */
public final class Sm90GemmSpace implements FamilySpace {

    public static final String FAMILY = "sm90-gemm";

    private static final int SMALLEST_TILE = 64;
    /**
     * Registers that a consumer thread gets beside its accumulators, at the least. The assembler takes up to 50 where
     * they are free, and does not spill with 32: the tests assemble the configs that have exactly these.
     */
    private static final int WORKING_REGISTERS = 32;
    /** The same by a table: which GEMM the tile is of, and where its map lies, is known to the tile alone. */
    private static final int WORKING_REGISTERS_OF_A_TABLE = 36;
    /** The same where the pieces of a split tile are added up. */
    private static final int WORKING_REGISTERS_OF_PIECES = 44;
    /**
     * Registers that the assembler wants beside the accumulators of one instruction, of those that a thread has at the
     * entry: what is redistributed later does not count for it.
     */
    private static final int INSTRUCTION_REGISTERS = 26;

    /** Registers of an SM for each of 128 threads. */
    private static final int WARPGROUP_REGISTERS = 512;
    /** Fewest registers that a producer may be left with. */
    private static final int PRODUCER_REGISTERS = 24;

    private static final int MAX_REGISTERS = 255;
    private static final int MAX_CLUSTER = 4;

    /** The raster group of the orders that know none. */
    private static final int UNUSED_GROUP = 4;

    /** Every width of one instruction that is worth it, to fit tiles to waves, and some of two side by side. */
    private static final int[] TILE_COLUMNS = IntStream.concat(
                    IntStream.iterate(64, columns -> columns <= 256, columns -> columns + 8),
                    IntStream.of(272, 288, 304, 320))
            .toArray();

    /** What the anchor of a study looks like, as far as the problem allows; the first wish matters most. */
    private static final List<Wish> ANCHOR = List.of(
            Wish.of("mode", Mode.COOPERATIVE.toString()),
            Wish.of("consumers", 2),
            Wish.of("tileM", 128),
            Wish.of("tileN", 256),
            Wish.of("tileK", 64),
            Wish.of("scheduler", Scheduler.STATIC.toString()),
            Wish.of("clusterM", 2),
            Wish.of("clusterN", 1),
            Wish.of("multicast", "both"),
            Wish.of("loadStages", 4),
            Wish.of("rasterOrder", "groupedM"),
            Wish.of("rasterGroup", 8));

    @Override
    public String family() {
        return FAMILY;
    }

    @Override
    public Optional<Architecture> architecture() {
        return Optional.of(Architecture.SM90);
    }

    @Override
    public Optional<String> refusal(Problem problem) {
        return Sm90Operands.refusal(problem.types(), problem.major())
                .or(() -> GemmRules.refuseExtents(problem, SMALLEST_TILE, SMALLEST_TILE));
    }

    @Override
    public SearchSpace space(Problem problem, DeviceLimits limits) {
        Sm90Operands operands = Sm90Operands.of(problem);
        List<Parameter> parameters = Stream.of(
                        operands.parameters(),
                        ofTheKernel(operands),
                        problem.isSingle() ? Stream.of(SplitRules.parameter(problem)) : ofTheTable())
                .flatMap(each -> each)
                .toList();
        return new SearchSpace(
                FAMILY,
                parameters,
                GemmRules.beside(problem.scenario(), limits, constraints(problem, operands, limits)));
    }

    @Override
    public Optional<Config> anchor(Problem problem, DeviceLimits limits) {
        return AnchorChoice.first(space(problem, limits), ANCHOR);
    }

    /**
     * What is worth trying, in an order in which rules cut early. A wait depth of 0 and a grid smaller than the device
     * can be built and launched too, but never gained time where they were measured. The types and layouts are the
     * problem's; panels and K-major rows are as wide as a swizzle.
     */
    private static Stream<Parameter> ofTheKernel(Sm90Operands operands) {
        return Stream.of(
                Parameter.text("mode", "cooperative", "pingpong"),
                Parameter.text("consumers", 1, 2, 3),
                Parameter.text("tileM", 64, 128, 192, 256),
                Parameter.text("tileN", TILE_COLUMNS),
                Parameter.text("registers", 0, 160, 232, 240),
                Parameter.text(
                        "tileK", 64 / operands.inputBytes(), 128 / operands.inputBytes(), 256 / operands.inputBytes()),
                Parameter.text("swizzle", 64, 128),
                Parameter.text("scheduler", "single", "static", "atomic"),
                Parameter.text("epilogueN", 64 / operands.outputBytes(), 128 / operands.outputBytes()),
                Parameter.text("epilogueStages", 2, 3),
                Parameter.text("loadStages", 2, 3, 4, 5, 6, 7, 8),
                Parameter.text("clusterM", 1, 2, 4),
                Parameter.text("clusterN", 1, 2),
                Parameter.text("multicast", "none", "both"),
                Parameter.text("l2Hint", "none", "keepA", "keepB"),
                Parameter.text("waitDepth", 1),
                Parameter.launch("rasterOrder", "alongM", "alongN", "groupedM", "groupedN"),
                Parameter.launch("rasterGroup", UNUSED_GROUP, 8, 16),
                Parameter.launch("gridSize", 0));
    }

    /** For several GEMMs, whose tiles stand in a table and may be of uneven depth. */
    private static Stream<Parameter> ofTheTable() {
        Parameter throttle = Parameter.text(Throttle.PARAMETER, Throttle.NONE.toString(), Throttle.LOADED.toString());
        return Stream.concat(Stream.of(throttle), TileOrder.parameters());
    }

    private static List<Constraint> constraints(Problem problem, Sm90Operands operands, DeviceLimits limits) {
        return Stream.of(
                        ofAll(problem, operands, limits),
                        majorSpans(operands),
                        problem.isSingle() ? SplitRules.of(problem) : ofSeveral())
                .flatMap(rules -> rules)
                .toList();
    }

    /** The parameters that decide it: only where there is a throttle it counts. */
    private static List<String> sharedMemory(Problem problem) {
        return problem.isSingle()
                ? Sm90SharedMemory.PARAMETERS
                : Stream.concat(Sm90SharedMemory.PARAMETERS.stream(), Stream.of(Throttle.PARAMETER))
                        .toList();
    }

    /** Of an operand that is M- or N-major each CTA loads whole spans of the swizzle. */
    private static Stream<Constraint> majorSpans(Sm90Operands operands) {
        return Stream.concat(
                majorSpan("spanOfA", operands, operands.majorA(), "tileM", "clusterN"),
                majorSpan("spanOfB", operands, operands.majorB(), "tileN", "clusterM"));
    }

    private static Stream<Constraint> majorSpan(
            String id, Sm90Operands operands, Major major, String tile, String sharers) {
        return major == Major.K
                ? Stream.empty()
                : Stream.of(rule(
                        id,
                        config -> majorSpan(operands, tile, sharers, config),
                        tile,
                        sharers,
                        "multicast",
                        "swizzle"));
    }

    private static Optional<String> majorSpan(Sm90Operands operands, String tile, String sharers, Config config) {
        boolean shared = Multicast.of(config) == Multicast.BOTH;
        int rows = config.whole(tile);
        int ctas = config.whole(sharers);
        int loaded = Sm90Config.loadRows(shared, rows, ctas);
        int span = config.whole("swizzle") / operands.inputBytes();
        int columns = Sm90Config.MAX_MMA_COLUMNS;
        return when(
                        tile.equals("tileN") && rows > columns,
                        "an n-major tile of " + rows + " columns is more than the " + columns + " of one instruction")
                .or(() -> when(
                        loaded % span != 0,
                        "each CTA loads " + loaded + " elements along " + tile + ", which must be a multiple of " + span
                                + ", the span of a swizzle of " + config.whole("swizzle") + " bytes"));
    }

    private static Stream<Constraint> ofSeveral() {
        return Stream.of(
                rule("throttleUnused", Sm90GemmSpace::throttleUnused, "scheduler", Throttle.PARAMETER),
                rule("producerRegisters", Sm90GemmSpace::producerRegisters, "consumers", "registers"));
    }

    private static Stream<Constraint> ofAll(Problem problem, Sm90Operands operands, DeviceLimits limits) {
        List<ProblemShape> groups = problem.groups();
        return Stream.of(
                rule("modeConsumers", Sm90GemmSpace::modeConsumers, "mode", "consumers"),
                rule("consumerRows", Sm90GemmSpace::consumerRows, "mode", "consumers", "tileM"),
                rule("tileOverhang", config -> tileOverhang(groups, config), "tileM"),
                rule("registerPool", Sm90GemmSpace::registerPool, "consumers", "registers"),
                rule("instructionRegisters", Sm90GemmSpace::instructionRegisters, "consumers", "tileN"),
                rule(
                        "accumulatorRegisters",
                        Sm90GemmSpace::accumulators,
                        "mode",
                        "consumers",
                        "tileM",
                        "tileN",
                        "registers",
                        problem.isSingle() ? SplitRules.SPLIT_K : TileLocation.PARAMETER),
                rule("swizzleSpan", config -> swizzleSpan(operands, config), "tileK", "swizzle"),
                rule("clusterSize", Sm90GemmSpace::clusterSize, "clusterM", "clusterN"),
                rule(
                        "clusterPadding",
                        config -> GemmRules.clusterPadding(groups, config.whole("tileM"), config),
                        "tileM",
                        "tileN",
                        "clusterM",
                        "clusterN"),
                rule("multicastUnused", Sm90GemmSpace::multicastUnused, "clusterM", "clusterN", "multicast"),
                rule("modeScheduler", Sm90GemmSpace::modeScheduler, "mode", "scheduler"),
                rule(
                        "sharedMemory",
                        config -> GemmRules.fits(
                                limits, Sm90SharedMemory.of(config, operands).bytes()),
                        sharedMemory(problem)),
                rule(
                        "rasterGroupUnused",
                        config -> GemmRules.rasterGroupUnused(config, UNUSED_GROUP),
                        "rasterOrder",
                        "rasterGroup"),
                rule("waveClusters", config -> GemmRules.waveClusters(limits, config), "clusterM", "clusterN"));
    }

    private static boolean is(Config config, String parameter, Object value) {
        return config.name(parameter).equals(value.toString());
    }

    private static int warpgroupsPerTile(Config config) {
        return Mode.of(config).warpgroupsPerTile(config.whole("consumers"));
    }

    private static Optional<String> modeConsumers(Config config) {
        return when(
                is(config, "mode", Mode.PINGPONG) && config.whole("consumers") != 2,
                "pingpong takes 2 consumers in turn, got " + config.whole("consumers"));
    }

    private static Optional<String> consumerRows(Config config) {
        int rows = Sm90Config.MMA_ROWS * warpgroupsPerTile(config);
        return when(
                config.whole("tileM") % rows != 0,
                config.whole("tileM") + " rows are no multiple of " + rows + ", 64 for each of "
                        + warpgroupsPerTile(config) + " warpgroups that share a tile");
    }

    private static Optional<String> tileOverhang(List<ProblemShape> groups, Config config) {
        int tileM = config.whole("tileM");
        int m = groups.stream().mapToInt(ProblemShape::m).max().orElseThrow();
        return when(
                tileM > SMALLEST_TILE && tileM - SMALLEST_TILE >= m,
                "of " + tileM + " rows at least " + (tileM - m) + " are padding for m = " + m
                        + ": 64 rows less would do");
    }

    private static Optional<String> registerPool(Config config) {
        int consumers = config.whole("consumers");
        int registers = config.whole("registers");
        if (registers == 0) {
            return Optional.empty();
        }
        int entry = entryRegisters(consumers);
        if (registers <= entry) {
            return Optional.of("with " + consumers + " consumers a thread has " + entry
                    + " registers without redistribution, so " + registers + " would be no more");
        }
        int all = consumers * registers + PRODUCER_REGISTERS;
        return when(
                all > WARPGROUP_REGISTERS,
                consumers + " consumers of " + registers + " registers and a producer of " + PRODUCER_REGISTERS
                        + " are " + all + ", more than the " + WARPGROUP_REGISTERS + " that an SM has for 128 threads");
    }

    /** Registers of a thread at the entry, in the units of 8 in which they are given. */
    private static int entryRegisters(int consumers) {
        return Math.min(MAX_REGISTERS, WARPGROUP_REGISTERS / (1 + consumers) / 8 * 8);
    }

    private static Optional<String> instructionRegisters(Config config) {
        int entry = entryRegisters(config.whole("consumers"));
        int tileN = config.whole("tileN");
        int columns = tileN <= Sm90Config.MAX_MMA_COLUMNS ? tileN : tileN / 2;
        int needed = columns / 2 + INSTRUCTION_REGISTERS;
        return when(
                needed > entry,
                "an instruction of " + columns + " columns takes " + needed + " registers, more than the " + entry
                        + " that a thread of " + config.whole("consumers") + " consumers has at the entry");
    }

    private static int workingRegisters(Config config) {
        return switch (TileLocation.of(config)) {
            case TABLE -> WORKING_REGISTERS_OF_A_TABLE;
            case RASTER -> config.whole(SplitRules.SPLIT_K, 1) > 1 ? WORKING_REGISTERS_OF_PIECES : WORKING_REGISTERS;
        };
    }

    private static Optional<String> accumulators(Config config) {
        int working = workingRegisters(config);
        int consumers = config.whole("consumers");
        int registers = config.whole("registers");
        int cap = registers == 0 ? entryRegisters(consumers) : registers;
        int accumulators = config.whole("tileM") * config.whole("tileN") / 128 / warpgroupsPerTile(config);
        return when(
                accumulators + working > cap,
                accumulators + " accumulators and " + working + " working registers a thread are more than " + cap);
    }

    private static Optional<String> swizzleSpan(Sm90Operands operands, Config config) {
        int bytes = config.whole("tileK") * operands.inputBytes();
        return when(
                operands.anyKMajor() && bytes % config.whole("swizzle") != 0,
                "a row of " + config.whole("tileK") + " elements has " + bytes + " bytes, the swizzle spans "
                        + config.whole("swizzle"));
    }

    private static Optional<String> clusterSize(Config config) {
        int size = config.whole("clusterM") * config.whole("clusterN");
        return when(size > MAX_CLUSTER, size + " CTAs in a cluster are more than " + MAX_CLUSTER);
    }

    private static Optional<String> multicastUnused(Config config) {
        int size = config.whole("clusterM") * config.whole("clusterN");
        return when(
                size == 1 && config.name("multicast").equals("both"),
                "a cluster of " + size + " CTA has nobody to share with");
    }

    private static Optional<String> throttleUnused(Config config) {
        Scheduler scheduler = Scheduler.of(config);
        return when(
                !scheduler.dynamic() && Throttle.of(config) != Throttle.NONE,
                "the scheduler " + scheduler + " asks nobody, so " + Throttle.PARAMETER + " must be " + Throttle.NONE
                        + ", got " + Throttle.of(config));
    }

    /** By a table a loading thread holds more than of one GEMM: of this many, the assembler spills some. */
    private static Optional<String> producerRegisters(Config config) {
        int consumers = config.whole("consumers");
        int registers = config.whole("registers");
        return when(
                registers > 0 && Sm90Config.producerRegisters(consumers, registers) == PRODUCER_REGISTERS,
                consumers + " consumers of " + registers + " registers leave a producer " + PRODUCER_REGISTERS
                        + ", too few to load by a table");
    }

    private static Optional<String> modeScheduler(Config config) {
        return when(
                is(config, "mode", Mode.PINGPONG) && is(config, "scheduler", Scheduler.SINGLE),
                "the scheduler single gives a CTA 1 tile, pingpong needs 2 to overlap");
    }
}
