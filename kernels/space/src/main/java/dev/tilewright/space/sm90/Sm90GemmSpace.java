package dev.tilewright.space.sm90;

import static dev.tilewright.space.gemm.GemmRules.rule;
import static dev.tilewright.space.gemm.GemmRules.when;

import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scales;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.Architecture;
import dev.tilewright.space.Constraint;
import dev.tilewright.space.Parameter;
import dev.tilewright.space.SearchSpace;
import dev.tilewright.space.SpaceTree;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.space.family.Blocking;
import dev.tilewright.space.gemm.AnchorChoice;
import dev.tilewright.space.gemm.AnchorChoice.Wish;
import dev.tilewright.space.gemm.GemmRules;
import dev.tilewright.space.gemm.GemmSpace;
import dev.tilewright.space.gemm.GemmWords;
import dev.tilewright.space.gemm.GridSize;
import dev.tilewright.space.gemm.TypedRule;
import dev.tilewright.space.parameter.Key;
import dev.tilewright.space.parameter.Scheduler;
import dev.tilewright.space.sm90.MultiplyPlan.Mode;
import dev.tilewright.space.text.Vocabulary;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The search space of the Hopper family {@code sm90-gemm}, and the problems that it computes. */
public final class Sm90GemmSpace implements GemmSpace {

    public static final String FAMILY = "sm90-gemm";

    private static final int SMALLEST_TILE = 64;

    /** The order of the space; other parameters come behind. */
    private static final List<String> EARLY = Stream.concat(
                    Key.names(
                            SchedulePlan.LOCATION,
                            SplitPlan.SPLIT_K,
                            SplitPlan.CLUSTER_K,
                            MultiplyPlan.MODE,
                            MultiplyPlan.CONSUMERS,
                            MultiplyPlan.SWAP_AB,
                            MultiplyPlan.TILE_M,
                            MultiplyPlan.TILE_N,
                            MultiplyPlan.REGISTERS,
                            MultiplyPlan.CTAS_PER_SM,
                            LoadPlan.TILE_K,
                            LoadPlan.SWIZZLE,
                            SchedulePlan.SCHEDULER,
                            EpiloguePlan.PANEL_N,
                            EpiloguePlan.STAGES,
                            LoadPlan.STAGES,
                            MultiplyPlan.WAIT_DEPTH,
                            ClusterPlan.CLUSTER_M,
                            ClusterPlan.CLUSTER_N,
                            ClusterPlan.MULTICAST,
                            LoadPlan.L2_HINT,
                            LoadPlan.START,
                            ClusterPlan.ORDER)
                            .stream(),
                    Stream.of("rasterOrder", "rasterGroup"))
            .toList();

    /** The wishes for the anchor of a study, as far as the problem allows; the first matters most. */
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
        return Sm90Operands.refusal(problem.types(), problem.major(), problem.scales())
                .or(() -> when(
                        problem.scales() == Scales.BLOCK && !problem.isSingle(),
                        () -> "scales = block: " + FAMILY + " takes them for one GEMM, got " + problem.shapes()))
                .or(() -> GemmRules.refuseExtents(problem, SMALLEST_TILE, SMALLEST_TILE));
    }

    /**
     * With a shallow ring each block of K is multiplied to its end before the next. On an H100 the same tile was from
     * 19 % slower to 7 % faster that way than with a stage more and two blocks in the works.
     */
    @Override
    public List<String> variants() {
        return Key.names(MultiplyPlan.WAIT_DEPTH);
    }

    @Override
    public List<String> tile() {
        return Key.names(
                MultiplyPlan.MODE,
                MultiplyPlan.CONSUMERS,
                MultiplyPlan.SWAP_AB,
                MultiplyPlan.TILE_M,
                MultiplyPlan.TILE_N,
                LoadPlan.TILE_K,
                SplitPlan.SPLIT_K,
                SplitPlan.CLUSTER_K,
                ClusterPlan.CLUSTER_M,
                ClusterPlan.CLUSTER_N);
    }

    /** Such as {@code static 128x256x64 c2x1 s4 groupedM8 coop2}, and what is not as usual. */
    @Override
    public Vocabulary vocabulary() {
        return new Vocabulary(
                Scheduler.word(),
                Stream.of(
                                GemmWords.ofTheKernel(SchedulePlan.UNUSED_GROUP),
                                Stream.of(MultiplyPlan.warpgroups()),
                                EpiloguePlan.words(),
                                ClusterPlan.words(),
                                SchedulePlan.words(),
                                MultiplyPlan.words(),
                                LoadPlan.words(),
                                SplitPlan.words())
                        .flatMap(words -> words)
                        .toList(),
                Stream.concat(Sm90Operands.NAMES.stream(), Stream.of(SchedulePlan.LOCATION.name()))
                        .collect(Collectors.toSet()));
    }

    @Override
    public Blocking blocking(Config config) {
        Sm90Config typed = Sm90Config.of(config);
        return new Blocking(
                typed.multiply().tileM() * typed.cluster().m(),
                typed.multiply().tileN() * typed.cluster().n(),
                typed.load().tileK(),
                typed.cluster().size(),
                typed.split().pieces(),
                typed.split().parts());
    }

    @Override
    public List<String> walk() {
        return List.of(
                "rasterOrder", "rasterGroup", ClusterPlan.ORDER.name(), LoadPlan.L2_HINT.name(), LoadPlan.START.name());
    }

    @Override
    public SearchSpace space(Problem problem, DeviceLimits limits) {
        Sm90Operands operands = Sm90Operands.of(problem);
        List<Parameter> parameters = parameters(problem, operands, limits, false);
        return new SearchSpace(
                FAMILY,
                parameters,
                constraints(parameters, problem, operands, limits),
                Sm90Advice.of(problem, operands, limits).toList());
    }

    @Override
    public SearchSpace kernels(Problem problem, DeviceLimits limits) {
        Sm90Operands operands = Sm90Operands.of(problem);
        Stream<Parameter> ofAnyShape =
                Stream.concat(parameters(problem, operands, limits, true).stream(), operands.unsaid());
        List<Parameter> parameters = GemmSpace.withUnsaid(ofAnyShape.toList(), Sm90Config.KEYS);
        return new SearchSpace(FAMILY, parameters, constraints(parameters, problem, operands, limits));
    }

    private static List<Parameter> parameters(
            Problem problem, Sm90Operands operands, DeviceLimits limits, boolean ofAnyShape) {
        Stream<Parameter> ofTheKernel = Stream.of(
                        SplitPlan.parameters(problem, limits, ofAnyShape),
                        MultiplyPlan.parameters(problem.groups(), operands, limits, ofAnyShape),
                        LoadPlan.parameters(operands),
                        EpiloguePlan.parameters(operands),
                        ClusterPlan.parameters(problem.groups(), limits, ofAnyShape),
                        SchedulePlan.parameters(problem, limits))
                .flatMap(each -> each);
        return Stream.concat(operands.parameters(), GemmSpace.inOrder(EARLY, ofTheKernel).stream())
                .toList();
    }

    @Override
    public Optional<Config> anchor(SpaceTree space) {
        return AnchorChoice.first(space, ANCHOR);
    }

    private static List<Constraint> constraints(
            List<Parameter> parameters, Problem problem, Sm90Operands operands, DeviceLimits limits) {
        Set<String> names = parameters.stream().map(Parameter::name).collect(Collectors.toSet());
        Stream<TypedRule<Sm90Config>> typed = Stream.of(
                        Sm90Config.rules(names, operands),
                        MultiplyRegisters.rules(operands),
                        MultiplyRules.worthwhile(),
                        ClusterPlan.worthwhile(),
                        SchedulePlan.worthwhile())
                .flatMap(rules -> rules)
                .filter(rule -> names.containsAll(rule.parameters()));
        boolean parts = names.contains(SplitPlan.CLUSTER_K.name());
        List<Constraint> quiet = Stream.of(
                        typed.map(rule -> rule.on(config -> new Sm90Config(config, operands))),
                        ofTheDevice(problem, operands, limits, parts),
                        problem.isSingle() ? ofOne(problem, limits, parts) : Stream.<Constraint>empty())
                .flatMap(rules -> rules)
                .toList();
        return GemmRules.beside(problem.scenario(), limits, quiet);
    }

    private static Stream<Constraint> ofOne(Problem problem, DeviceLimits limits, boolean parts) {
        return Stream.concat(SplitPlan.worthwhile(problem, limits, parts), GridSize.rules(problem, limits));
    }

    private static Stream<Constraint> ofTheDevice(
            Problem problem, Sm90Operands operands, DeviceLimits limits, boolean parts) {
        List<ProblemShape> groups = problem.groups();
        return Stream.of(
                rule("tileOverhang", config -> tileOverhang(groups, config), "tileM"),
                rule(
                        "clusterPadding",
                        config -> GemmRules.clusterPadding(groups, config.whole("tileM"), config),
                        "tileM",
                        "tileN",
                        "clusterM",
                        "clusterN"),
                rule(
                        "sharedMemory",
                        config -> fits(new Sm90Config(config, operands), limits),
                        sharedMemory(problem, parts)),
                rule(
                        "rasterGroupUnused",
                        config -> GemmRules.rasterGroupUnused(config, SchedulePlan.UNUSED_GROUP),
                        "rasterOrder",
                        "rasterGroup"),
                rule("waveClusters", config -> GemmRules.waveClusters(limits, config), "clusterM", "clusterN"));
    }

    /** The parameters that decide it: a throttle and parts of clusters count only where the space has them. */
    private static List<String> sharedMemory(Problem problem, boolean parts) {
        return Stream.concat(
                        (parts ? Sm90SharedMemory.PARAMETERS_OF_PARTS : Sm90SharedMemory.PARAMETERS).stream(),
                        problem.isSingle()
                                ? Stream.of(DeviceLimits.CTAS_PER_SM)
                                : Stream.of(DeviceLimits.CTAS_PER_SM, SchedulePlan.THROTTLE.name()))
                .toList();
    }

    private static Optional<String> fits(Sm90Config config, DeviceLimits limits) {
        return GemmRules.fits(limits, config.multiply().ctasPerSm(), config.sharedBytes());
    }

    private static Optional<String> tileOverhang(List<ProblemShape> groups, Config config) {
        int tileM = config.whole("tileM");
        int m = groups.stream().mapToInt(ProblemShape::m).max().orElseThrow();
        return when(
                tileM > SMALLEST_TILE && tileM - SMALLEST_TILE >= m,
                () -> "of " + tileM + " rows at least " + (tileM - m) + " are padding for m = " + m
                        + ": 64 rows less would do");
    }
}
