package dev.tilewright.space.family;

import static dev.tilewright.space.family.DeviceLimits.CTAS_PER_SM;
import static dev.tilewright.space.family.GemmRules.rule;
import static dev.tilewright.space.family.GemmRules.when;

import dev.tilewright.model.problem.OperandRole;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.Architecture;
import dev.tilewright.space.Constraint;
import dev.tilewright.space.Parameter;
import dev.tilewright.space.SearchSpace;
import dev.tilewright.space.SpaceTree;
import dev.tilewright.space.family.AnchorChoice.Wish;
import dev.tilewright.space.family.Sm90Config.Mode;
import dev.tilewright.space.text.Vocabulary;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The search space of the Hopper family {@code sm90-gemm}, and the problems that it computes. */
public final class Sm90GemmSpace implements GemmSpace {

    public static final String FAMILY = "sm90-gemm";

    private static final int SMALLEST_TILE = 64;
    /** Bytes of the narrower of the two swizzles that are tried. */
    private static final int LEAST_SWIZZLE = 64;

    private static final String WAIT_DEPTH = "waitDepth";
    /** With so many stages at the most one that is handed back early may be missed. */
    private static final int FEW_STAGES = 3;

    /** The raster group of the orders that know none. */
    private static final int UNUSED_GROUP = 4;

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
                .or(() -> GemmRules.refuseExtents(problem, SMALLEST_TILE, SMALLEST_TILE));
    }

    /**
     * With a shallow ring each block of K is multiplied to its end before the next. On an H100 the same tile was from
     * 19 % slower to 7 % faster that way than with a stage more and two blocks in the works.
     */
    @Override
    public List<String> variants() {
        return List.of("waitDepth");
    }

    @Override
    public List<String> tile() {
        return List.of(
                "mode",
                "consumers",
                SwapAB.PARAMETER,
                "tileM",
                "tileN",
                "tileK",
                SplitRules.SPLIT_K,
                "clusterM",
                "clusterN");
    }

    @Override
    public Vocabulary vocabulary() {
        return Sm90Words.vocabulary();
    }

    @Override
    public Blocking blocking(Config config) {
        return Blocking.of(Sm90Config.of(config));
    }

    @Override
    public List<String> walk() {
        return List.of("rasterOrder", "rasterGroup", ClusterOrder.PARAMETER, "l2Hint", LoadStart.PARAMETER);
    }

    @Override
    public SearchSpace space(Problem problem, DeviceLimits limits) {
        Sm90Operands operands = Sm90Operands.of(problem);
        List<Parameter> parameters = Stream.of(
                        operands.parameters(),
                        Stream.of(location(problem.isSingle())),
                        Stream.of(SplitRules.parameter(problem, limits)),
                        ofTheKernel(problem.groups(), operands, limits),
                        Stream.of(Sm90GridSize.parameter(problem, limits)),
                        problem.isSingle() ? Stream.<Parameter>empty() : ofSeveralGemms(),
                        problem.scenario().launchOverlap() ? ofTheOverlap() : Stream.<Parameter>empty())
                .flatMap(each -> each)
                .toList();
        return new SearchSpace(
                FAMILY,
                parameters,
                GemmRules.beside(problem.scenario(), limits, constraints(parameters, problem, operands, limits)),
                Sm90Advice.of(problem, operands, limits).toList());
    }

    @Override
    public Optional<Config> anchor(SpaceTree space) {
        return AnchorChoice.first(space, ANCHOR);
    }

    /**
     * The parameters worth trying, in an order in which rules cut early. The types and layouts are the problem's;
     * panels and K-major rows are as wide as a swizzle. A wait depth of 0 and a grid smaller than the device never
     * gained time where they were measured, so that they are tried only where they might: with few stages, and without
     * another wave. No cluster is tried that is larger than an output of the smallest tiles.
     */
    private static Stream<Parameter> ofTheKernel(
            List<ProblemShape> groups, Sm90Operands operands, DeviceLimits limits) {
        int m = groups.stream().mapToInt(ProblemShape::m).max().orElseThrow();
        int n = groups.stream().mapToInt(ProblemShape::n).max().orElseThrow();
        return Stream.of(
                Parameter.text("mode", "cooperative", "pingpong"),
                Parameter.text("consumers", 2, 3, 1),
                SwapAB.parameter(operands),
                SwapAB.tileRows(groups, operands, limits),
                Parameter.text("tileN", tileColumns(operands)),
                Parameter.text("registers", 0, 160, 232, 240),
                Parameter.text(CTAS_PER_SM, 1, 2).usually(1),
                Parameter.text(
                                "tileK",
                                128 / operands.inputBytes(),
                                256 / operands.inputBytes(),
                                64 / operands.inputBytes())
                        .usually(128 / operands.inputBytes(), 256 / operands.inputBytes()),
                Parameter.text("swizzle", 128, LEAST_SWIZZLE),
                Scheduler.parameter(Scheduler.HOPPER),
                Parameter.text("epilogueN", 128 / operands.outputBytes(), 64 / operands.outputBytes()),
                Parameter.text("epilogueStages", 2, 3),
                Parameter.text("loadStages", 8, 7, 6, 5, 4, 3, 2),
                Parameter.text(WAIT_DEPTH, 1, 0),
                Parameter.text("clusterM", within(Math.ceilDiv(m, SMALLEST_TILE), 1, 2, 4)),
                Parameter.text("clusterN", within(Math.ceilDiv(n, SMALLEST_TILE), 1, 2, 4)),
                Parameter.text("multicast", "both", "none", "a", "b").usually("both", "none", "a"),
                Parameter.text("l2Hint", "none", "keepA", "keepB").usually("none", "keepA"),
                LoadStart.parameter(),
                ClusterOrder.parameter(),
                Parameter.launch("rasterOrder", "groupedM", "groupedN", "alongM", "alongN"),
                Parameter.launch("rasterGroup", 8, 16, UNUSED_GROUP),
                L2Promotion.parameter());
    }

    /**
     * Every width of one instruction that is worth it, to fit tiles to waves, and some of two side by side. Of an
     * N-major operand an instruction takes whole spans of the swizzle, and all columns are of one.
     */
    private static int[] tileColumns(Sm90Operands operands) {
        if (!operands.kMajor(OperandRole.B)) {
            int span = LEAST_SWIZZLE / operands.inputBytes();
            return IntStream.iterate(64, columns -> columns <= Sm90Config.MAX_MMA_COLUMNS, columns -> columns + span)
                    .toArray();
        }
        return IntStream.concat(
                        IntStream.iterate(64, columns -> columns <= Sm90Config.MAX_MMA_COLUMNS, columns -> columns + 8),
                        IntStream.of(272, 288, 304, 320))
                .toArray();
    }

    private static int[] within(int most, int... values) {
        return IntStream.of(values).filter(value -> value <= most).toArray();
    }

    private static Parameter location(boolean single) {
        return Parameter.text(TileLocation.PARAMETER, (single ? TileLocation.RASTER : TileLocation.TABLE).toString());
    }

    /** For several GEMMs, whose tiles stand in a table and may be of uneven depth. */
    private static Stream<Parameter> ofSeveralGemms() {
        return Stream.of(
                Parameter.text(Throttle.PARAMETER, Throttle.NONE.toString(), Throttle.LOADED.toString()),
                TileOrder.parameter());
    }

    /** Parameters of overlapping launches. A kernel without overlap is tried in other scenarios only. */
    private static Stream<Parameter> ofTheOverlap() {
        return Stream.of(Parameter.text(
                LaunchOverlap.PARAMETER, LaunchOverlap.PROLOGUE.toString(), LaunchOverlap.LOADED.toString()));
    }

    private static List<Constraint> constraints(
            List<Parameter> parameters, Problem problem, Sm90Operands operands, DeviceLimits limits) {
        Set<String> names = parameters.stream().map(Parameter::name).collect(Collectors.toSet());
        return Stream.of(
                        Sm90Legality.constraints(names, operands),
                        Sm90Registers.constraints(operands),
                        ofAll(problem, operands, limits),
                        Sm90Clusters.rules(),
                        problem.isSingle() ? ofOne(problem, limits) : ofSeveral())
                .flatMap(rules -> rules)
                .toList();
    }

    /** The parameters that decide it: only where there is a throttle it counts. */
    private static List<String> sharedMemory(Problem problem) {
        return Stream.concat(
                        Sm90SharedMemory.PARAMETERS.stream(),
                        problem.isSingle() ? Stream.of(CTAS_PER_SM) : Stream.of(CTAS_PER_SM, Throttle.PARAMETER))
                .toList();
    }

    private static Stream<Constraint> ofOne(Problem problem, DeviceLimits limits) {
        return Stream.concat(SplitRules.of(problem, limits), Sm90GridSize.rules(problem, limits));
    }

    private static Stream<Constraint> ofSeveral() {
        return Stream.of(rule("throttleUnused", Sm90GemmSpace::throttleUnused, "scheduler", Throttle.PARAMETER));
    }

    private static Stream<Constraint> ofAll(Problem problem, Sm90Operands operands, DeviceLimits limits) {
        List<ProblemShape> groups = problem.groups();
        return Stream.of(
                rule("modeCtas", Sm90GemmSpace::modeCtas, "mode", CTAS_PER_SM),
                SwapAB.unused(),
                ClusterOrder.unused(),
                rule("tileOverhang", config -> tileOverhang(groups, config), "tileM"),
                rule(
                        "clusterPadding",
                        config -> GemmRules.clusterPadding(groups, config.whole("tileM"), config),
                        "tileM",
                        "tileN",
                        "clusterM",
                        "clusterN"),
                rule("waitDepthStages", Sm90GemmSpace::waitDepthStages, "loadStages", WAIT_DEPTH),
                rule("modeScheduler", Sm90GemmSpace::modeScheduler, "mode", "scheduler"),
                rule(
                        "sharedMemory",
                        config -> GemmRules.fits(
                                limits,
                                config.whole(CTAS_PER_SM, 1),
                                Sm90SharedMemory.bytes(new Sm90Reading(config, operands))),
                        sharedMemory(problem)),
                rule(
                        "rasterGroupUnused",
                        config -> GemmRules.rasterGroupUnused(config, UNUSED_GROUP),
                        "rasterOrder",
                        "rasterGroup"),
                rule("waveClusters", config -> GemmRules.waveClusters(limits, config), "clusterM", "clusterN"));
    }

    /** Either way one tile is stored while another is multiplied. */
    private static Optional<String> modeCtas(Config config) {
        int ctas = config.whole(CTAS_PER_SM, 1);
        return when(
                Mode.of(config) == Mode.PINGPONG && ctas > 1,
                () -> "pingpong hides its epilogues by itself, so " + CTAS_PER_SM + " must be 1, got " + ctas);
    }

    private static Optional<String> tileOverhang(List<ProblemShape> groups, Config config) {
        int tileM = config.whole("tileM");
        int m = groups.stream().mapToInt(ProblemShape::m).max().orElseThrow();
        return when(
                tileM > SMALLEST_TILE && tileM - SMALLEST_TILE >= m,
                () -> "of " + tileM + " rows at least " + (tileM - m) + " are padding for m = " + m
                        + ": 64 rows less would do");
    }

    private static Optional<String> throttleUnused(Config config) {
        Scheduler scheduler = Scheduler.of(config);
        return when(
                !scheduler.dynamic() && Throttle.of(config) != Throttle.NONE,
                () -> "the scheduler " + scheduler + " asks nobody, so " + Throttle.PARAMETER + " must be "
                        + Throttle.NONE + ", got " + Throttle.of(config));
    }

    /** To hand a stage back before the next one is issued costs time. It pays off if there are few stages. */
    private static Optional<String> waitDepthStages(Config config) {
        int stages = config.whole("loadStages");
        int depth = config.whole(WAIT_DEPTH);
        return when(
                depth == 0 && stages > FEW_STAGES,
                () -> WAIT_DEPTH + " must be 1 with more than " + FEW_STAGES + " stages, got " + depth + " with "
                        + stages);
    }

    private static Optional<String> modeScheduler(Config config) {
        return when(
                Mode.of(config) == Mode.PINGPONG && Scheduler.of(config) == Scheduler.SINGLE,
                () -> "the scheduler single gives a CTA 1 tile, pingpong needs 2 to overlap");
    }
}
