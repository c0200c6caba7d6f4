package dev.tilewright.gemm.space;

import dev.tilewright.gemm.space.Sm90Config.Mode;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.raster.RasterOrder;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.Constraint;
import dev.tilewright.model.space.Parameter;
import dev.tilewright.model.space.SearchSpace;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** What the Hopper family {@code sm90-gemm} computes, and what may be tried for it. */
public final class Sm90GemmSpace implements FamilySpace {

    public static final String FAMILY = "sm90-gemm";

    /** Tile numbers are 32-bit in the kernel; this leaves room for padding. */
    private static final long MAX_TILES = 1L << 28;
    /** Tensor coordinates are signed 32-bit; this leaves room for the last tile. */
    private static final int MAX_EXTENT = 1 << 30;

    private static final int SMALLEST_TILE = 64;
    /**
     * Registers that a consumer thread gets beside its accumulators, at the least. The assembler takes up to 50 where
     * they are free, and does not spill with 40: the tests assemble the configs that have exactly these.
     */
    private static final int WORKING_REGISTERS = 40;

    private static final int MAX_REGISTERS = 255;

    /** The raster group of the orders that know none. */
    private static final int UNUSED_GROUP = 4;

    /**
     * What is worth trying, in an order in which rules cut early. A wait depth of 0 and a grid smaller than the device
     * can be built and launched too, but never gained time where they were measured.
     */
    private static final List<Parameter> PARAMETERS = List.of(
            Parameter.text("mode", "cooperative", "pingpong"),
            Parameter.text("consumers", 1, 2),
            Parameter.text("tileM", 64, 128, 256),
            Parameter.text("tileN", 64, 128, 176, 192, 256),
            Parameter.text("registers", 0, 232),
            Parameter.text("tileK", 32, 64),
            Parameter.text("swizzle", 64, 128),
            Parameter.text("scheduler", "single", "static", "atomic"),
            Parameter.text("epilogueN", 32, 64),
            Parameter.text("loadStages", 3, 4, 5, 6, 8),
            Parameter.text("clusterM", 1, 2),
            Parameter.text("clusterN", 1, 2),
            Parameter.text("multicast", "none", "both"),
            Parameter.text("waitDepth", 1),
            Parameter.launch("rasterOrder", "alongM", "alongN", "groupedM", "groupedN"),
            Parameter.launch("rasterGroup", UNUSED_GROUP, 8, 16),
            Parameter.launch("gridSize", 0));

    @Override
    public String family() {
        return FAMILY;
    }

    @Override
    public Optional<String> refusal(Problem problem) {
        if (!problem.isSingle()) {
            return Optional.of("groups = " + problem.groups().size() + " and batch = " + problem.batch() + ": " + FAMILY
                    + " computes one GEMM, so both must be 1");
        }
        if (problem.scenario().busySms() > 0) {
            return Optional.of("busySms = " + problem.scenario().busySms() + ": " + FAMILY + " cannot hold SMs busy");
        }
        List<DataType> types = List.of(
                problem.types().a(), problem.types().b(), problem.types().d());
        for (DataType type : types) {
            if (type != DataType.BF16) {
                return Optional.of("types " + types + ": " + FAMILY + " takes bf16 for a, b and d, got " + type);
            }
        }
        if (!problem.major().equals(OperandMajors.DEFAULT)) {
            return Optional.of("major a = " + problem.major().a() + ", b = "
                    + problem.major().b() + ", d = " + problem.major().d() + ": " + FAMILY
                    + " takes a = k, b = k and d = n");
        }
        return refusal(problem.shape());
    }

    private static Optional<String> refusal(ProblemShape shape) {
        int rowBytes = Sm90Config.ELEMENT_BYTES;
        if ((long) shape.k() * rowBytes % 16 != 0) {
            return Optional.of("k = " + shape.k() + " times " + rowBytes + " bytes is " + (long) shape.k() * rowBytes
                    + ": rows of A and B must be a multiple of 16 bytes for the tensor map");
        }
        if ((long) shape.n() * rowBytes % 16 != 0) {
            return Optional.of("n = " + shape.n() + " times " + rowBytes + " bytes is " + (long) shape.n() * rowBytes
                    + ": rows of D must be a multiple of 16 bytes for the tensor map");
        }
        int largest = Math.max(shape.m(), Math.max(shape.n(), shape.k()));
        if (largest > MAX_EXTENT) {
            return Optional.of("extent " + largest + " of " + shape + " is more than " + MAX_EXTENT
                    + ": tensor coordinates are signed 32-bit numbers");
        }
        long tiles = (long) Math.ceilDiv(shape.m(), SMALLEST_TILE) * Math.ceilDiv(shape.n(), SMALLEST_TILE);
        if (tiles > MAX_TILES) {
            return Optional.of(
                    shape + " has " + tiles + " tiles of 64x64, more than " + MAX_TILES + ": tile numbers are 32-bit");
        }
        return Optional.empty();
    }

    @Override
    public SearchSpace space(Problem problem, DeviceLimits limits) {
        return new SearchSpace(FAMILY, PARAMETERS, constraints(problem.shape(), limits));
    }

    private static List<Constraint> constraints(ProblemShape shape, DeviceLimits limits) {
        return List.of(
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
                rule("swizzleSpan", Sm90GemmSpace::swizzleSpan, "tileK", "swizzle"),
                rule("clusterSize", Sm90GemmSpace::clusterSize, "clusterM", "clusterN"),
                rule(
                        "clusterPadding",
                        config -> clusterPadding(shape, config),
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
                rule("sharedMemory", config -> sharedMemory(limits, config), Sm90SharedMemory.PARAMETERS),
                rule("rasterGroupUnused", Sm90GemmSpace::rasterGroupUnused, "rasterOrder", "rasterGroup"),
                rule("waveClusters", config -> waveClusters(limits, config), "clusterM", "clusterN"));
    }

    private static Constraint rule(String id, Function<Config, Optional<String>> check, String... parameters) {
        return rule(id, check, List.of(parameters));
    }

    private static Constraint rule(String id, Function<Config, Optional<String>> check, List<String> parameters) {
        return new Constraint(id, parameters, check);
    }

    private static Optional<String> when(boolean broken, String reason) {
        return broken ? Optional.of(reason) : Optional.empty();
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

    private static Optional<String> swizzleSpan(Config config) {
        int bytes = config.whole("tileK") * Sm90Config.ELEMENT_BYTES;
        return when(
                bytes != config.whole("swizzle"),
                "a row of " + config.whole("tileK") + " elements has " + bytes + " bytes, the swizzle spans "
                        + config.whole("swizzle"));
    }

    private static Optional<String> clusterSize(Config config) {
        int size = config.whole("clusterM") * config.whole("clusterN");
        return when(size > 2, size + " CTAs in a cluster are more than 2: clusters of 4 leave SMs empty");
    }

    private static Optional<String> clusterPadding(ProblemShape shape, Config config) {
        int tilesM = Math.ceilDiv(shape.m(), config.whole("tileM"));
        int tilesN = Math.ceilDiv(shape.n(), config.whole("tileN"));
        return when(
                config.whole("clusterM") > tilesM || config.whole("clusterN") > tilesN,
                "a cluster of " + config.whole("clusterM") + "x" + config.whole("clusterN")
                        + " tiles is larger than the " + tilesM + "x" + tilesN + " tiles of the output");
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

    private static Optional<String> sharedMemory(DeviceLimits limits, Config config) {
        int bytes = Sm90SharedMemory.of(config).bytes();
        return when(
                bytes > limits.sharedBytesPerCta(),
                bytes + " bytes of shared memory are more than " + limits.sharedBytesPerCta());
    }

    private static Optional<String> rasterGroupUnused(Config config) {
        String order = config.name("rasterOrder");
        int group = config.whole("rasterGroup");
        return when(
                !RasterOrder.parse(order).grouped() && group != UNUSED_GROUP,
                order + " knows no group, so rasterGroup must be " + UNUSED_GROUP + ", which stands for all, got "
                        + group);
    }

    private static Optional<String> waveClusters(DeviceLimits limits, Config config) {
        int cluster = config.whole("clusterM") * config.whole("clusterN");
        return when(
                limits.smCount() < cluster,
                "a device with " + limits.smCount() + " SMs holds no cluster of " + cluster + " CTAs");
    }
}
