package dev.tilewright.gemm.space;

import static dev.tilewright.gemm.space.GemmRules.rule;
import static dev.tilewright.gemm.space.GemmRules.when;

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
import java.util.stream.Stream;

/** What the Hopper family {@code sm90-gemm} computes, and what may be tried for it. */
public final class Sm90GemmSpace implements FamilySpace {

    public static final String FAMILY = "sm90-gemm";

    private static final int SMALLEST_TILE = 64;
    /**
     * Registers that a consumer thread gets beside its accumulators, at the least. The assembler takes up to 50 where
     * they are free, and does not spill with 40: the tests assemble the configs that have exactly these.
     */
    private static final int WORKING_REGISTERS = 40;

    private static final int MAX_REGISTERS = 255;

    /** The raster group of the orders that know none. */
    private static final int UNUSED_GROUP = 4;

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
        return GemmRules.refuseKind(FAMILY, problem)
                .or(() -> Sm90Operands.refusal(problem.types(), problem.major()))
                .or(() -> GemmRules.refuseExtents(problem, SMALLEST_TILE, SMALLEST_TILE));
    }

    @Override
    public SearchSpace space(Problem problem, DeviceLimits limits) {
        Sm90Operands operands = Sm90Operands.of(problem);
        List<Parameter> parameters = Stream.concat(operands.parameters(), ofTheKernel(operands))
                .toList();
        return new SearchSpace(FAMILY, parameters, constraints(problem.shape(), operands, limits));
    }

    /**
     * What is worth trying, in an order in which rules cut early. A wait depth of 0 and a grid smaller than the device
     * can be built and launched too, but never gained time where they were measured. The types and layouts are the
     * problem's; panels and K-major rows are as wide as a swizzle.
     */
    private static Stream<Parameter> ofTheKernel(Sm90Operands operands) {
        return Stream.of(
                Parameter.text("mode", "cooperative", "pingpong"),
                Parameter.text("consumers", 1, 2),
                Parameter.text("tileM", 64, 128, 256),
                Parameter.text("tileN", 64, 128, 176, 192, 256),
                Parameter.text("registers", 0, 232),
                Parameter.text("tileK", 64 / operands.inputBytes(), 128 / operands.inputBytes()),
                Parameter.text("swizzle", 64, 128),
                Parameter.text("scheduler", "single", "static", "atomic"),
                Parameter.text("epilogueN", 64 / operands.outputBytes(), 128 / operands.outputBytes()),
                Parameter.text("loadStages", 3, 4, 5, 6, 8),
                Parameter.text("clusterM", 1, 2),
                Parameter.text("clusterN", 1, 2),
                Parameter.text("multicast", "none", "both"),
                Parameter.text("waitDepth", 1),
                Parameter.launch("rasterOrder", "alongM", "alongN", "groupedM", "groupedN"),
                Parameter.launch("rasterGroup", UNUSED_GROUP, 8, 16),
                Parameter.launch("gridSize", 0));
    }

    private static List<Constraint> constraints(ProblemShape shape, Sm90Operands operands, DeviceLimits limits) {
        return Stream.concat(ofAll(shape, operands, limits), majorSpans(operands))
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
        int loaded = config.whole(tile) / (shared ? config.whole(sharers) : 1);
        int span = config.whole("swizzle") / operands.inputBytes();
        return when(
                loaded % span != 0,
                "each CTA loads " + loaded + " elements along " + tile + ", which must be a multiple of " + span
                        + ", the span of a swizzle of " + config.whole("swizzle") + " bytes");
    }

    private static Stream<Constraint> ofAll(ProblemShape shape, Sm90Operands operands, DeviceLimits limits) {
        return Stream.of(
                rule("modeConsumers", Sm90GemmSpace::modeConsumers, "mode", "consumers"),
                rule("consumerRows", Sm90GemmSpace::consumerRows, "mode", "consumers", "tileM"),
                rule("tileOverhang", config -> tileOverhang(shape, config), "tileM"),
                rule("registerPool", Sm90GemmSpace::registerPool, "consumers", "registers"),
                rule(
                        "accumulatorRegisters",
                        Sm90GemmSpace::accumulators,
                        "mode",
                        "consumers",
                        "tileM",
                        "tileN",
                        "registers"),
                rule("swizzleSpan", config -> swizzleSpan(operands, config), "tileK", "swizzle"),
                rule("clusterSize", Sm90GemmSpace::clusterSize, "clusterM", "clusterN"),
                rule(
                        "clusterPadding",
                        config -> GemmRules.clusterPadding(shape, config.whole("tileM"), config),
                        "tileM",
                        "tileN",
                        "clusterM",
                        "clusterN"),
                rule("multicastUnused", Sm90GemmSpace::multicastUnused, "clusterM", "clusterN", "multicast"),
                rule(
                        "clusterSlice",
                        Sm90GemmSpace::clusterSlice,
                        "tileM",
                        "tileN",
                        "clusterM",
                        "clusterN",
                        "multicast"),
                rule("modeScheduler", Sm90GemmSpace::modeScheduler, "mode", "scheduler"),
                rule(
                        "sharedMemory",
                        config -> GemmRules.fits(
                                limits, Sm90SharedMemory.of(config, operands).bytes()),
                        Sm90SharedMemory.PARAMETERS),
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

    private static Optional<String> tileOverhang(ProblemShape shape, Config config) {
        int tileM = config.whole("tileM");
        return when(
                tileM > SMALLEST_TILE && tileM - SMALLEST_TILE >= shape.m(),
                "of " + tileM + " rows at least " + (tileM - shape.m()) + " are padding for m = " + shape.m()
                        + ": 64 rows less would do");
    }

    private static Optional<String> registerPool(Config config) {
        boolean redistributed = config.whole("registers") != 0;
        return when(
                config.whole("consumers") == 1 && redistributed,
                "with 1 consumer a CTA has 256 threads, which may have 255 registers each without redistribution, so "
                        + config.whole("registers") + " would be fewer");
    }

    private static Optional<String> accumulators(Config config) {
        int consumers = config.whole("consumers");
        int registers = config.whole("registers");
        int entry = Math.min(MAX_REGISTERS, 65_536 / (128 * (1 + consumers)) / 8 * 8);
        int cap = registers == 0 ? entry : registers;
        int accumulators = config.whole("tileM") * config.whole("tileN") / 128 / warpgroupsPerTile(config);
        return when(
                accumulators + WORKING_REGISTERS > cap,
                accumulators + " accumulators and " + WORKING_REGISTERS + " working registers a thread are more than "
                        + cap);
    }

    private static Optional<String> swizzleSpan(Sm90Operands operands, Config config) {
        int bytes = config.whole("tileK") * operands.inputBytes();
        return when(
                operands.anyKMajor() && bytes != config.whole("swizzle"),
                "a row of " + config.whole("tileK") + " elements has " + bytes + " bytes, the swizzle spans "
                        + config.whole("swizzle"));
    }

    private static Optional<String> clusterSize(Config config) {
        int size = config.whole("clusterM") * config.whole("clusterN");
        return when(size > 2, size + " CTAs in a cluster are more than 2: clusters of 4 leave SMs empty");
    }

    private static Optional<String> multicastUnused(Config config) {
        int size = config.whole("clusterM") * config.whole("clusterN");
        return when(
                size == 1 && config.name("multicast").equals("both"),
                "a cluster of " + size + " CTA has nobody to share with");
    }

    private static Optional<String> clusterSlice(Config config) {
        if (config.name("multicast").equals("none")) {
            return Optional.empty();
        }
        int sliceA = config.whole("tileM") / config.whole("clusterN");
        int sliceB = config.whole("tileN") / config.whole("clusterM");
        return when(
                sliceA % 8 != 0 || sliceB % 8 != 0,
                "each CTA loads " + sliceA + " rows of A and " + sliceB
                        + " rows of B, which must be multiples of 8, the rows of a swizzle pattern");
    }

    private static Optional<String> modeScheduler(Config config) {
        return when(
                is(config, "mode", Mode.PINGPONG) && is(config, "scheduler", Scheduler.SINGLE),
                "the scheduler single gives a CTA 1 tile, pingpong needs 2 to overlap");
    }
}
