package dev.tilewright.gemm.space;

import static dev.tilewright.gemm.space.GemmRules.rule;
import static dev.tilewright.gemm.space.GemmRules.when;

import dev.tilewright.gemm.space.Sm90Config.Mode;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.Constraint;
import dev.tilewright.model.space.Parameter;
import dev.tilewright.model.space.SearchSpace;
import dev.tilewright.model.trial.Architecture;
import java.util.ArrayList;
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

    /** The same for several GEMMs, whose tiles stand in a table and may be of uneven depth. */
    private static final List<Parameter> OF_SEVERAL = Stream.of(
                    PARAMETERS.stream(),
                    Stream.of(Parameter.text(
                            Throttle.PARAMETER, Throttle.NONE.toString(), Throttle.LOADED.toString())),
                    TileOrder.parameters())
            .flatMap(parameters -> parameters)
            .toList();

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
        return GemmRules.refuseScenario(FAMILY, problem)
                .or(() -> refuseTypes(problem))
                .or(() -> GemmRules.refuseMajors(FAMILY, problem))
                .or(() -> GemmRules.refuseExtents(problem, SMALLEST_TILE, SMALLEST_TILE));
    }

    private static Optional<String> refuseTypes(Problem problem) {
        List<DataType> types = List.of(
                problem.types().a(), problem.types().b(), problem.types().d());
        for (DataType type : types) {
            if (type != DataType.BF16) {
                return Optional.of("types " + types + ": " + FAMILY + " takes bf16 for a, b and d, got " + type);
            }
        }
        return Optional.empty();
    }

    @Override
    public SearchSpace space(Problem problem, DeviceLimits limits) {
        if (problem.isSingle()) {
            return new SearchSpace(
                    FAMILY, PARAMETERS, constraints(problem.groups(), limits, Sm90SharedMemory.PARAMETERS));
        }
        List<String> deciding = Stream.concat(Sm90SharedMemory.PARAMETERS.stream(), Stream.of(Throttle.PARAMETER))
                .toList();
        List<Constraint> constraints = new ArrayList<>(constraints(problem.groups(), limits, deciding));
        constraints.add(rule("throttleUnused", Sm90GemmSpace::throttleUnused, "scheduler", Throttle.PARAMETER));
        return new SearchSpace(FAMILY, OF_SEVERAL, constraints);
    }

    /** @param sharedMemory the parameters that decide it */
    private static List<Constraint> constraints(
            List<ProblemShape> groups, DeviceLimits limits, List<String> sharedMemory) {
        return List.of(
                rule("modeConsumers", Sm90GemmSpace::modeConsumers, "mode", "consumers"),
                rule("consumerRows", Sm90GemmSpace::consumerRows, "mode", "consumers", "tileM"),
                rule("tileOverhang", config -> tileOverhang(groups, config), "tileM"),
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
                        config -> GemmRules.clusterPadding(groups, config.whole("tileM"), config),
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
                                limits, Sm90SharedMemory.of(config).bytes()),
                        sharedMemory),
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

    private static Optional<String> throttleUnused(Config config) {
        Scheduler scheduler = Scheduler.of(config);
        return when(
                !scheduler.dynamic() && Throttle.of(config) != Throttle.NONE,
                "the scheduler " + scheduler + " asks nobody, so " + Throttle.PARAMETER + " must be " + Throttle.NONE
                        + ", got " + Throttle.of(config));
    }

    private static Optional<String> modeScheduler(Config config) {
        return when(
                is(config, "mode", Mode.PINGPONG) && is(config, "scheduler", Scheduler.SINGLE),
                "the scheduler single gives a CTA 1 tile, pingpong needs 2 to overlap");
    }
}
