package dev.tilewright.space.family;

import static dev.tilewright.space.family.GemmRules.rule;
import static dev.tilewright.space.family.GemmRules.when;

import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scales;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.model.trial.Architecture;
import dev.tilewright.space.Advice;
import dev.tilewright.space.Constraint;
import dev.tilewright.space.Parameter;
import dev.tilewright.space.SearchSpace;
import dev.tilewright.space.text.Vocabulary;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The search space of the Blackwell family {@code sm100-gemm}, and the problems that it computes. */
public final class Sm100GemmSpace implements GemmSpace {

    public static final String FAMILY = "sm100-gemm";

    private static final int SMALLEST_TILE_N = 64;
    private static final int MOST_STAGES = 8;
    private static final int LARGEST_CLUSTER = 4;

    /** The raster group of the orders that know none. */
    private static final int UNUSED_GROUP = 1;

    @Override
    public String family() {
        return FAMILY;
    }

    @Override
    public Optional<Architecture> architecture() {
        return Optional.of(Architecture.SM100);
    }

    @Override
    public Optional<String> refusal(Problem problem) {
        return GemmRules.refuseLaunchOverlap(FAMILY, problem)
                .or(() -> refuseTypes(problem.types()))
                .or(() -> Sm100Config.refusal(problem.scales()))
                .or(() -> GemmRules.refuseMajors(FAMILY, problem))
                .or(() -> GemmRules.refuseExtents(problem, Sm100Config.CTA_ROWS, SMALLEST_TILE_N));
    }

    private static Optional<String> refuseTypes(OperandTypes types) {
        String given = "types a = " + types.a() + ", b = " + types.b() + ", d = " + types.d() + ": " + FAMILY;
        if (types.a() != types.b()) {
            return Optional.of(given + " takes one type for a and b");
        }
        if (!Sm100Config.INPUTS.contains(types.a())) {
            return Optional.of(given + " takes one of " + Sm100Config.INPUTS + " for a and b, got " + types.a());
        }
        return when(
                !Sm100Config.OUTPUTS.contains(types.d()),
                () -> given + " takes one of " + Sm100Config.OUTPUTS + " for d, got " + types.d());
    }

    @Override
    public List<String> tile() {
        return List.of("ctaGroup", "tileM", "tileN", "tileK", "clusterM", "clusterN");
    }

    @Override
    public Vocabulary vocabulary() {
        return Sm100Words.vocabulary();
    }

    @Override
    public Blocking blocking(Config config) {
        return Blocking.of(Sm100Config.of(config));
    }

    @Override
    public List<String> walk() {
        return List.of("rasterOrder", "rasterGroup");
    }

    @Override
    public SearchSpace space(Problem problem, DeviceLimits limits) {
        return new SearchSpace(
                FAMILY,
                parameters(problem, limits),
                GemmRules.beside(problem.scenario(), limits, constraints(problem.groups(), limits)),
                List.of(mostStages(limits)));
    }

    /** The parameters worth trying, in an order in which rules cut early. The types are the problem's. */
    private static List<Parameter> parameters(Problem problem, DeviceLimits limits) {
        return Stream.of(
                        ofTheKernel(problem.types()),
                        problem.scales() == Scales.TENSOR
                                ? Stream.<Parameter>empty()
                                : Stream.of(Parameter.text(
                                        Sm100Config.SCALES, problem.scales().toString())),
                        problem.epilogue().isNone()
                                ? Stream.<Parameter>empty()
                                : Stream.of(Parameter.text(
                                        Sm100Config.EPILOGUE, problem.epilogue().toString())),
                        problem.isSingle() ? ofARaster() : ofATable(),
                        Stream.of(Sm90GridSize.parameter(problem.scenario(), limits, ALL_RESIDENT)))
                .flatMap(each -> each)
                .toList();
    }

    private static Stream<Parameter> ofTheKernel(OperandTypes types) {
        return Stream.of(
                Parameter.text("inputType", types.a().toString()),
                Parameter.text("outputType", types.d().toString()),
                Parameter.text("ctaGroup", 2, 1),
                Parameter.text("tileM", 128, 256),
                Parameter.text("clusterM", 1, 2, 4),
                Parameter.text("clusterN", 1, 2, 4),
                Parameter.text("multicast", "both", "none"),
                Scheduler.parameter(Scheduler.BLACKWELL),
                Parameter.text("clcStages", 1, 2, 3, 4),
                Parameter.text("clcPrefetch", 1, 2, 3, 4).usually(1, 2),
                Parameter.text("clcThrottle", "none", "load", "mainloop"),
                Parameter.text("tileN", 256, 192, 128, 64),
                Parameter.text("accumulatorStages", 2, 1),
                Parameter.text("epilogueN", 32, 64, 16),
                Parameter.text("tileK", 64, 128, 32).usually(64, 128),
                Parameter.text("loadStages", 8, 7, 6, 5, 4, 3, 2));
    }

    /** One GEMM. */
    private static Stream<Parameter> ofARaster() {
        return Stream.of(
                Parameter.launch("rasterOrder", "groupedM", "groupedN", "alongM", "alongN"),
                Parameter.launch("rasterGroup", 8, 4, 16, 2, UNUSED_GROUP));
    }

    /** Several: the order of all tiles is tried, that within each GEMM is not. */
    private static Stream<Parameter> ofATable() {
        return Stream.concat(
                TileOrder.parameters(),
                Stream.of(Parameter.launch("rasterOrder", "alongM"), Parameter.launch("rasterGroup", UNUSED_GROUP)));
    }

    private static List<Constraint> constraints(List<ProblemShape> groups, DeviceLimits limits) {
        return Stream.concat(Sm100Legality.constraints(), ofTheDevice(groups, limits))
                .toList();
    }

    /** The constraints: configs that do not fit, or are not worth trying. */
    private static Stream<Constraint> ofTheDevice(List<ProblemShape> groups, DeviceLimits limits) {
        return Stream.of(
                rule("clusterSize", Sm100GemmSpace::clusterSize, "clusterM", "clusterN"),
                rule(
                        "clusterPadding",
                        config -> GemmRules.clusterPadding(groups, Sm100Config.CTA_ROWS, config),
                        "tileN",
                        "clusterM",
                        "clusterN"),
                rule(
                        "multicastUnused",
                        Sm100GemmSpace::multicastUnused,
                        "ctaGroup",
                        "clusterM",
                        "clusterN",
                        "multicast"),
                rule("ringUnused", Sm100GemmSpace::ringUnused, "scheduler", "clcStages", "clcPrefetch", "clcThrottle"),
                rule(
                        "sharedMemory",
                        config -> GemmRules.fits(limits, Sm100SharedMemory.bytes(new Sm100Reading(config))),
                        Sm100SharedMemory.PARAMETERS),
                rule(
                        "rasterGroupUnused",
                        config -> GemmRules.rasterGroupUnused(config, UNUSED_GROUP),
                        "rasterOrder",
                        "rasterGroup"),
                rule("waveClusters", config -> GemmRules.waveClusters(limits, config), "clusterM", "clusterN"));
    }

    /** As many stages as fit, or one less: fewer hide less of the loads and free nothing that is needed. */
    private static Advice mostStages(DeviceLimits limits) {
        return new Advice(
                "loadStages", rule("mostStages", config -> mostStages(limits, config), Sm100SharedMemory.PARAMETERS));
    }

    private static Optional<String> mostStages(DeviceLimits limits, Config config) {
        int more = config.whole("loadStages") + 2;
        Config deeper = config.with("loadStages", ParameterValue.of(more));
        boolean fits = more <= MOST_STAGES
                && GemmRules.fits(limits, Sm100SharedMemory.bytes(new Sm100Reading(deeper)))
                        .isEmpty();
        return when(fits, () -> more + " stages fit, got " + config.whole("loadStages"));
    }

    private static Optional<String> clusterSize(Config config) {
        int size = config.whole("clusterM") * config.whole("clusterN");
        return when(
                size > LARGEST_CLUSTER,
                () -> size + " CTAs in a cluster are more than " + LARGEST_CLUSTER
                        + ": larger clusters leave SMs empty");
    }

    private static Optional<String> multicastUnused(Config config) {
        boolean shares = config.whole("clusterN") > 1 || config.whole("clusterM") > config.whole("ctaGroup");
        return when(
                Multicast.bothOrNone(config) && !shares,
                () -> "in a cluster of " + config.whole("clusterM") + "x" + config.whole("clusterN") + " a group of "
                        + config.whole("ctaGroup") + " CTAs has nobody to share with");
    }

    private static Optional<String> ringUnused(Config config) {
        Scheduler scheduler = Scheduler.of(config);
        int stages = config.whole("clcStages");
        int prefetch = config.whole("clcPrefetch");
        Throttle throttle = Throttle.of(config);
        return when(
                !scheduler.dynamic() && (stages != 1 || prefetch != 1 || throttle != Throttle.NONE),
                () -> "the scheduler " + scheduler
                        + " asks nobody, so clcStages and clcPrefetch must be 1 and clcThrottle "
                        + "none, which stand for nothing, got " + stages + ", " + prefetch + " and " + throttle);
    }
}
