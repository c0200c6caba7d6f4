package dev.tilewright.space.sm100;

import static dev.tilewright.space.gemm.GemmRules.rule;
import static dev.tilewright.space.gemm.GemmRules.when;

import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scales;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.Architecture;
import dev.tilewright.space.Advice;
import dev.tilewright.space.Constraint;
import dev.tilewright.space.Parameter;
import dev.tilewright.space.SearchSpace;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.space.family.Blocking;
import dev.tilewright.space.gemm.GemmRules;
import dev.tilewright.space.gemm.GemmSpace;
import dev.tilewright.space.gemm.GemmWords;
import dev.tilewright.space.parameter.Key;
import dev.tilewright.space.parameter.Scheduler;
import dev.tilewright.space.text.Vocabulary;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The search space of the Blackwell family {@code sm100-gemm}, and the problems that it computes. */
public final class Sm100GemmSpace implements GemmSpace {

    public static final String FAMILY = "sm100-gemm";

    private static final int SMALLEST_TILE_N = 64;
    private static final int MOST_STAGES = 8;

    /** The parameters that decide the shared memory. */
    private static final List<String> MEMORY = Key.names(
            SchedulePlan.SCHEDULER,
            MultiplyPlan.CTA_GROUP,
            MultiplyPlan.TILE_N,
            LoadPlan.TILE_K,
            LoadPlan.STAGES,
            MultiplyPlan.ACCUMULATOR_STAGES,
            EpiloguePlan.PANEL_N,
            SchedulePlan.SLOTS,
            SchedulePlan.THROTTLE,
            Sm100Config.INPUT_TYPE,
            Sm100Config.OUTPUT_TYPE);

    /** The order of the space. */
    private static final List<String> EARLY = Key.names(
            Sm100Config.INPUT_TYPE,
            Sm100Config.OUTPUT_TYPE,
            MultiplyPlan.CTA_GROUP,
            MultiplyPlan.TILE_M,
            ClusterPlan.CLUSTER_M,
            ClusterPlan.CLUSTER_N,
            ClusterPlan.MULTICAST,
            SchedulePlan.SCHEDULER,
            SchedulePlan.SLOTS,
            SchedulePlan.PREFETCH,
            SchedulePlan.THROTTLE,
            MultiplyPlan.TILE_N,
            MultiplyPlan.ACCUMULATOR_STAGES,
            EpiloguePlan.PANEL_N,
            LoadPlan.TILE_K,
            LoadPlan.STAGES,
            SCALES,
            EPILOGUE);

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
                .or(() -> problem.scales().refusal(problem.types()))
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
        return Key.names(
                MultiplyPlan.CTA_GROUP,
                MultiplyPlan.TILE_M,
                MultiplyPlan.TILE_N,
                LoadPlan.TILE_K,
                ClusterPlan.CLUSTER_M,
                ClusterPlan.CLUSTER_N);
    }

    /** Such as {@code clc 256x256x64 c2x1 s4 groupedM8}, and what is not as usual. */
    @Override
    public Vocabulary vocabulary() {
        return new Vocabulary(
                Scheduler.word(),
                Stream.of(
                                GemmWords.ofTheKernel(SchedulePlan.UNUSED_GROUP),
                                EpiloguePlan.words(),
                                ClusterPlan.words(),
                                MultiplyPlan.words(),
                                SchedulePlan.words())
                        .flatMap(words -> words)
                        .toList(),
                Set.copyOf(Key.names(
                        Sm100Config.INPUT_TYPE, Sm100Config.OUTPUT_TYPE, SCALES, EPILOGUE, SchedulePlan.LOCATION)));
    }

    @Override
    public Blocking blocking(Config config) {
        Sm100Config typed = Sm100Config.of(config);
        return new Blocking(
                Sm100Config.CTA_ROWS * typed.cluster().m(),
                typed.multiply().tileN() * typed.cluster().n(),
                typed.load().tileK(),
                typed.cluster().size(),
                1);
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

    /** Its values do not depend on the shape. */
    @Override
    public SearchSpace kernels(Problem problem, DeviceLimits limits) {
        List<Parameter> parameters = GemmSpace.withUnsaid(parameters(problem, limits), Sm100Config.KEYS);
        return new SearchSpace(
                FAMILY,
                parameters,
                GemmRules.beside(problem.scenario(), limits, constraints(problem.groups(), limits)));
    }

    /** The parameters worth trying. The types and the epilogue are the problem's. */
    private static List<Parameter> parameters(Problem problem, DeviceLimits limits) {
        Stream<Parameter> ofTheProblem = Stream.of(
                Sm100Config.INPUT_TYPE.text(problem.types().a()),
                Sm100Config.OUTPUT_TYPE.text(problem.types().d()));
        Stream<Parameter> scales =
                problem.scales() == Scales.TENSOR ? Stream.empty() : Stream.of(SCALES.text(problem.scales()));
        Stream<Parameter> epilogue =
                problem.epilogue().isNone() ? Stream.empty() : Stream.of(EPILOGUE.text(problem.epilogue()));
        Stream<Parameter> all = Stream.of(
                        ofTheProblem,
                        scales,
                        epilogue,
                        MultiplyPlan.parameters(),
                        ClusterPlan.parameters(),
                        LoadPlan.parameters(),
                        EpiloguePlan.parameters(),
                        SchedulePlan.parameters(problem, limits))
                .flatMap(each -> each);
        return GemmSpace.inOrder(EARLY, all);
    }

    private static List<Constraint> constraints(List<ProblemShape> groups, DeviceLimits limits) {
        Stream<Constraint> typed = Stream.of(Sm100Config.rules(), ClusterPlan.worthwhile(), SchedulePlan.worthwhile())
                .flatMap(rules -> rules)
                .map(rule -> rule.on(Sm100Config::read));
        return Stream.concat(typed, ofTheDevice(groups, limits)).toList();
    }

    /** Configs that do not fit. */
    private static Stream<Constraint> ofTheDevice(List<ProblemShape> groups, DeviceLimits limits) {
        return Stream.of(
                rule(
                        "clusterPadding",
                        config -> GemmRules.clusterPadding(groups, Sm100Config.CTA_ROWS, config),
                        "tileN",
                        "clusterM",
                        "clusterN"),
                rule("sharedMemory", config -> fits(limits, config), MEMORY),
                rule(
                        "rasterGroupUnused",
                        config -> GemmRules.rasterGroupUnused(config, SchedulePlan.UNUSED_GROUP),
                        "rasterOrder",
                        "rasterGroup"),
                rule("waveClusters", config -> GemmRules.waveClusters(limits, config), "clusterM", "clusterN"));
    }

    private static Optional<String> fits(DeviceLimits limits, Config config) {
        return GemmRules.fits(limits, Sm100Config.read(config).sharedBytes());
    }

    /** As many stages as fit, or one less: fewer hide less of the loads and free nothing that is needed. */
    private static Advice mostStages(DeviceLimits limits) {
        return new Advice(LoadPlan.STAGES.name(), rule("mostStages", config -> mostStages(limits, config), MEMORY));
    }

    private static Optional<String> mostStages(DeviceLimits limits, Config config) {
        int stages = LoadPlan.STAGES.of(config);
        int more = stages + 2;
        boolean fits = more <= MOST_STAGES
                && fits(limits, LoadPlan.STAGES.in(config, more)).isEmpty();
        return when(fits, () -> more + " stages fit, got " + stages);
    }
}
