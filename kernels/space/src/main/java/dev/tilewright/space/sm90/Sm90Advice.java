package dev.tilewright.space.sm90;

import static dev.tilewright.space.device.DeviceLimits.CTAS_PER_SM;
import static dev.tilewright.space.gemm.GemmRules.rule;
import static dev.tilewright.space.gemm.GemmRules.when;

import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Config;
import dev.tilewright.space.Advice;
import dev.tilewright.space.Constraint;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.space.gemm.GemmRules;
import dev.tilewright.space.parameter.ClusterOrder;
import dev.tilewright.space.parameter.Key;
import dev.tilewright.space.parameter.LoadStart;
import dev.tilewright.space.parameter.Scheduler;
import dev.tilewright.space.raster.RasterOrder;
import dev.tilewright.space.sm90.MultiplyPlan.Mode;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Rules out what was never worth trying for {@code sm90-gemm} in the stored studies in {@code docs/results/h200}: where
 * two values of a parameter make no difference that finals could see, the default space has one of them.
 */
final class Sm90Advice {

    /** With more stages than these, one less never won. */
    private static final int FEW_STAGES = 5;

    /** A block of K half as deep is for tiles of which no more stages fit. */
    private static final int SHALLOW_STAGES = 3;

    /** A block of K twice as deep pays off for tiles of which this many stages still fit. */
    private static final int DEEP_STAGES = 4;

    private static final int MOST_STAGES = 8;
    private static final int BLOCK_BYTES = 128;
    /** How many stages hide the latency of loads. */
    private static final int ENOUGH_STAGES = 4;
    /** The same with block scales: a block is promoted besides, and takes longer. */
    private static final int ENOUGH_SCALED_STAGES = 3;

    /** A K of no more blocks is short. */
    private static final int SHORT_K = 32;

    /** Tiles for no more waves are few. */
    private static final int FEW_WAVES = 4;

    private static final String PANEL_RING = EpiloguePlan.STAGES.name();

    private static final int WIDE_PANEL_BYTES = 128;
    private static final int NARROW_PANEL_BYTES = 64;
    private static final int COLUMN_STEP = 8;
    private static final int PAIR = 2;

    /** A cluster has more parts where this many times its CTAs still fit into one wave. */
    private static final int PARTS_LEFT = 4;

    private final Problem problem;
    private final Sm90Operands operands;
    private final DeviceLimits limits;

    private Sm90Advice(Problem problem, Sm90Operands operands, DeviceLimits limits) {
        this.problem = problem;
        this.operands = operands;
        this.limits = limits;
    }

    static Stream<Advice> of(Problem problem, Sm90Operands operands, DeviceLimits limits) {
        Sm90Advice advice = new Sm90Advice(problem, operands, limits);
        return Stream.concat(advice.ofTheTile(), advice.ofTheRest());
    }

    private Stream<Advice> ofTheTile() {
        return Stream.of(
                advice("tileColumns", this::tileColumns, "tileN", MultiplyPlan.SWAP_AB.name()),
                advice("narrowTiles", this::narrowTiles, "tileN", "tileM", MultiplyPlan.SWAP_AB.name()),
                advice("fewRegisters", this::fewRegisters, "registers", ofSums()),
                advice("widestSwizzle", this::widestSwizzle, "swizzle", "tileK"),
                advice(
                        "panelRing",
                        this::panelRing,
                        PANEL_RING,
                        Stream.concat(Stream.of(MultiplyPlan.SWAP_AB.name()), memory("loadStages", PANEL_RING).stream())
                                .toList()),
                advice("widestPanel", this::widestPanel, "epilogueN", memory("loadStages", "epilogueN")),
                advice("blockDepth", this::blockDepth, "tileK", memory("loadStages", "tileK")),
                advice("mostStages", this::mostStages, "loadStages", memory("loadStages", "loadStages")));
    }

    private List<String> ofSums() {
        return Key.names(
                SplitPlan.hasParts(problem, limits)
                        ? MultiplyRegisters.ofSumsInParts(operands)
                        : MultiplyRegisters.ofSums(operands));
    }

    private Stream<Advice> ofTheRest() {
        Stream<Advice> ofAll = Stream.of(
                advice("pairsByGpc", Sm90Advice::pairsByGpc, ClusterPlan.ORDER.name(), "clusterM", "clusterN"),
                advice(
                        "multicastClusters",
                        Sm90Advice::multicastClusters,
                        "multicast",
                        "clusterM",
                        "clusterN",
                        ClusterPlan.ORDER.name()),
                advice(
                        "ticksTogether",
                        Sm90Advice::ticksTogether,
                        LoadPlan.START.name(),
                        "mode",
                        "clusterM",
                        "clusterN"));
        Stream<Advice> ofParts = SplitPlan.hasParts(problem, limits)
                ? Stream.of(
                        advice("oneWaveOfParts", this::oneWaveOfParts, SplitPlan.CLUSTER_K.name(), "tileM", "tileN"),
                        advice(
                                "partsAlone",
                                Sm90Advice::partsAlone,
                                SplitPlan.CLUSTER_K.name(),
                                "clusterM",
                                "clusterN"))
                : Stream.empty();
        return problem.isSingle()
                ? Stream.concat(
                        Stream.concat(ofAll, ofParts),
                        Stream.of(
                                advice("fewerSms", Sm90Advice::fewerSms, "gridSize", "scheduler"),
                                advice(
                                        "oneWaveOfPieces",
                                        this::oneWaveOfPieces,
                                        SplitPlan.SPLIT_K.name(),
                                        "tileM",
                                        "tileN"),
                                advice(
                                        "groupOfMany",
                                        this::groupOfMany,
                                        "rasterGroup",
                                        "rasterOrder",
                                        "tileM",
                                        "tileN",
                                        "clusterM",
                                        "clusterN")))
                : ofAll;
    }

    private static Advice advice(
            String id, Function<Config, Optional<String>> check, String about, String... parameters) {
        return advice(id, check, about, List.of(parameters));
    }

    private static Advice advice(
            String id, Function<Config, Optional<String>> check, String about, List<String> parameters) {
        Constraint kept = rule(
                id,
                check,
                Stream.concat(Stream.of(about), parameters.stream()).distinct().toList());
        return new Advice(about, kept);
    }

    /** The parameters that decide the shared memory, except one, and the parameter that the advice is about. */
    private List<String> memory(String without, String about) {
        Stream<String> throttle = problem.isSingle() ? Stream.empty() : Stream.of(SchedulePlan.THROTTLE.name());
        List<String> ofTheKernel = SplitPlan.hasParts(problem, limits)
                ? Sm90SharedMemory.PARAMETERS_OF_PARTS
                : Sm90SharedMemory.PARAMETERS;
        return Stream.of(ofTheKernel.stream(), Stream.of(CTAS_PER_SM, about), throttle)
                .flatMap(each -> each)
                .filter(parameter -> !parameter.equals(without) || about.equals(without))
                .distinct()
                .toList();
    }

    /** If a narrower tile gives as many tiles, the wider one multiplies padding. */
    private Optional<String> tileColumns(Config config) {
        int tileN = config.whole("tileN");
        int less = tileN - (MultiplyPlan.SWAP_AB.of(config) == 1 ? Sm90Config.MMA_ROWS : COLUMN_STEP);
        boolean fits = less < Sm90Config.MMA_ROWS
                || problem.groups().stream().anyMatch(shape -> tiles(shape, less) > tiles(shape, tileN));
        return when(!fits, () -> "tiles of " + less + " columns are as many as tiles of " + tileN);
    }

    /** Narrow tiles are for SMs that would have none: a wider one reads less for each product. */
    private Optional<String> narrowTiles(Config config) {
        int tileN = config.whole("tileN");
        long wider = problem.groups().stream()
                .mapToLong(shape -> GemmRules.tiles(shape, config.whole("tileM"), Sm90Config.MMA_ROWS))
                .sum();
        return when(
                tileN < Sm90Config.MMA_ROWS && wider >= limits.smCount(),
                () -> wider + " tiles of " + Sm90Config.MMA_ROWS + " columns are enough for " + limits.smCount()
                        + " SMs, got tileN = " + tileN);
    }

    private static int tiles(ProblemShape shape, int columns) {
        return Math.ceilDiv(shape.n(), columns);
    }

    /** The fewest registers that hold the accumulators: more made no difference, redistributing them always did. */
    private Optional<String> fewRegisters(Config config) {
        int registers = config.whole("registers");
        Sm90Config read = read(config);
        int fewest = MultiplyPlan.RAISED.stream()
                .filter(raised -> MultiplyRegisters.keeps(
                        read.with(MultiplyPlan.REGISTERS, raised).multiply()))
                .findFirst()
                .orElse(0);
        return when(registers != fewest, () -> fewest + " registers are enough, got " + registers);
    }

    /** A narrower one never gained time. It is tried where rows of K are too short for the wider one. */
    private Optional<String> widestSwizzle(Config config) {
        boolean fills = config.whole("tileK") * operands.inputBytes() % BLOCK_BYTES == 0;
        int widest = fills || !operands.anyKMajor() ? BLOCK_BYTES : BLOCK_BYTES / 2;
        return when(
                config.whole("swizzle") != widest,
                () -> "rows fill spans of " + widest + " bytes, got " + config.whole("swizzle"));
    }

    /**
     * The wider panel, unless a narrower one leaves room for another stage. Of a few tiles with a short K, and with
     * block scales, the epilogue is a large part: there both are tried, if enough stages are left. So are they where a
     * cluster has more parts than wider panels.
     */
    private Optional<String> widestPanel(Config config) {
        Sm90Config read = read(config);
        Sm90Config wide = read.with(EpiloguePlan.PANEL_N, WIDE_PANEL_BYTES / operands.outputBytes());
        Sm90Config narrow = read.with(EpiloguePlan.PANEL_N, NARROW_PANEL_BYTES / operands.outputBytes());
        int stages = fitting(wide);
        boolean costsStage = stages < fitting(narrow);
        int best = (costsStage ? narrow : wide).epilogue().panelN();
        return when(
                read.epilogue().panelN() != best
                        && wide.split().owners() >= narrow.split().owners()
                        && !(costsStage && stages >= enoughStages() && epilogueWeighs(config)),
                () -> "panels of " + best + " columns are as good and leave as many stages, got "
                        + read.epilogue().panelN());
    }

    /**
     * A ring of two panels, unless a warpgroup waits for one of them in a tile whose epilogue is a large part. There it
     * is the longest that costs no stage, and where one panel more costs one of many both are tried.
     */
    private Optional<String> panelRing(Config config) {
        int ring = config.whole(PANEL_RING);
        boolean waits = read(config).epilogue().panels() > EpiloguePlan.LEAST_PANELS
                && config.whole("epilogueN") * operands.outputBytes() == WIDE_PANEL_BYTES
                && epilogueWeighs(config);
        int best = waits ? longestFreeRing(config) : EpiloguePlan.LEAST_PANELS;
        boolean bothAreTried = waits && ring == best + 1 && fitting(config, ring) >= ENOUGH_STAGES;
        return when(
                ring != best && !bothAreTried,
                () -> "a ring of " + best + " panels is as good and costs no stage, got " + ring);
    }

    /** Panels of the longest ring beside which as many stages fit as beside the shortest, no more than a tile has. */
    private int longestFreeRing(Config config) {
        int most = Math.min(read(config).epilogue().panels(), EpiloguePlan.mostPanels(operands));
        int stages = fitting(config, EpiloguePlan.LEAST_PANELS);
        int ring = EpiloguePlan.LEAST_PANELS;
        while (ring < most && fitting(config, ring + 1) == stages) {
            ring++;
        }
        return ring;
    }

    private int fitting(Config config, int ring) {
        return fitting(read(config).with(EpiloguePlan.STAGES, ring));
    }

    private int enoughStages() {
        return operands.blockScaled() ? ENOUGH_SCALED_STAGES : ENOUGH_STAGES;
    }

    /** Whether the epilogue is a large part of the time of a tile, which nothing else of its SM hides. */
    private boolean epilogueWeighs(Config config) {
        return operands.blockScaled() || isShort(config);
    }

    private boolean isShort(Config config) {
        long tiles = problem.groups().stream()
                .mapToLong(shape -> GemmRules.tiles(shape, config.whole("tileM"), config.whole("tileN")))
                .sum();
        int k = problem.groups().stream().mapToInt(ProblemShape::k).max().orElseThrow();
        return tiles <= (long) FEW_WAVES * limits.smCount() && k * operands.inputBytes() <= SHORT_K * BLOCK_BYTES;
    }

    private Optional<String> blockDepth(Config config) {
        int bytes = config.whole("tileK") * operands.inputBytes();
        if (bytes == BLOCK_BYTES) {
            return Optional.empty();
        }
        if (bytes > BLOCK_BYTES) {
            int stages = fitting(read(config));
            return when(
                    stages < DEEP_STAGES,
                    () -> "of blocks of " + bytes + " bytes " + stages + " stages fit, fewer than " + DEEP_STAGES);
        }
        int stages = fitting(read(config).with(LoadPlan.TILE_K, BLOCK_BYTES / operands.inputBytes()));
        return when(
                stages > SHALLOW_STAGES,
                () -> "of blocks of " + BLOCK_BYTES + " bytes " + stages + " stages fit, more than " + SHALLOW_STAGES);
    }

    /** As many stages as fit; where these are few also one less, which hands memory of L2 to the others. */
    private Optional<String> mostStages(Config config) {
        int stages = config.whole("loadStages");
        int most = fitting(read(config));
        int least = most <= FEW_STAGES ? most - 1 : most;
        return when(stages < least, () -> most + " stages fit, got " + stages);
    }

    /** Stages that fit beside the epilogue, at most as many as are tried. */
    private int fitting(Sm90Config values) {
        return Sm90SharedMemory.fitting(
                values, limits.sharedBytesPerCta(values.multiply().ctasPerSm()), MOST_STAGES);
    }

    private Sm90Config read(Config config) {
        return new Sm90Config(config, operands);
    }

    private static int size(Config config) {
        return config.whole("clusterM") * config.whole("clusterN");
    }

    private static Optional<String> pairsByGpc(Config config) {
        return when(
                ClusterPlan.ORDER.of(config) == ClusterOrder.GPC && size(config) != PAIR,
                () -> "only clusters of " + PAIR + " gained by their GPC, got " + size(config));
    }

    private static Optional<String> multicastClusters(Config config) {
        return switch (ClusterPlan.MULTICAST.of(config)) {
            case NONE ->
                when(
                        size(config) > PAIR || ClusterPlan.ORDER.of(config) == ClusterOrder.GPC,
                        () -> "a cluster of " + size(config) + " CTAs that shares nothing never won");
            case A, B ->
                when(
                        config.whole("clusterN") <= config.whole("clusterM"),
                        () -> "rows of A alone were worth sharing along a longer N only");
            case BOTH -> Optional.empty();
        };
    }

    /** Two warpgroups in turn keep clusters together by themselves, and large clusters share by multicast. */
    private static Optional<String> ticksTogether(Config config) {
        boolean drifts = MultiplyPlan.MODE.of(config) == Mode.COOPERATIVE && size(config) <= PAIR;
        return when(
                !drifts && LoadPlan.START.of(config) == LoadStart.TICK,
                () -> "ticks bring those together that drift apart: cooperative kernels in clusters of at most "
                        + PAIR);
    }

    private static Optional<String> fewerSms(Config config) {
        return when(
                config.whole("gridSize") != 0 && Scheduler.KEY.of(config) != Scheduler.STATIC,
                () -> "only static grids gained by SMs that are left out");
    }

    /**
     * Pieces that fill a wave, or one fewer: where tiles or fewer pieces leave no SM idle, more only cost their sums.
     */
    private Optional<String> oneWaveOfPieces(Config config) {
        int pieces = config.whole(SplitPlan.SPLIT_K.name(), 1);
        long tiles = GemmRules.tiles(problem.shape(), config.whole("tileM"), config.whole("tileN"));
        long most = limits.smCount() / tiles;
        return when(
                pieces > 1
                        && !limits.emulated()
                        && (pieces > most || pieces < most - 1 && pieces < SplitPlan.MAX_PIECES_ADVISED - 1),
                () -> tiles + " tiles in " + pieces + " pieces each are not one wave of " + limits.smCount() + " SMs");
    }

    /**
     * Parts that fill a wave, or half of it: more would wait for each other's SMs. Whether fewer are better depends on
     * the blocks of K that each of them has.
     */
    private Optional<String> oneWaveOfParts(Config config) {
        int parts = SplitPlan.CLUSTER_K.of(config);
        long tiles = GemmRules.tiles(problem.shape(), config.whole("tileM"), config.whole("tileN"));
        return when(
                parts > 1
                        && !limits.emulated()
                        && (tiles * parts > limits.smCount()
                                || parts < SplitPlan.MOST_PARTS && tiles * parts * PARTS_LEFT <= limits.smCount()),
                () -> tiles + " tiles in " + parts + " parts each are not one wave of " + limits.smCount() + " SMs");
    }

    /** The operands of a tile are read once, but for the smaller one of few rows. */
    private static Optional<String> partsAlone(Config config) {
        return when(
                SplitPlan.CLUSTER_K.of(config) > 1 && size(config) > 1,
                () -> "a cluster whose CTAs share the depth of a tile has one tile, got " + size(config));
    }

    /** A group of all tiles along its extent is the order without groups. */
    private Optional<String> groupOfMany(Config config) {
        RasterOrder order = RasterOrder.parse(config.name("rasterOrder"));
        int group = config.whole("rasterGroup");
        int along = order == RasterOrder.GROUPED_N
                ? Math.ceilDiv(problem.shape().n(), config.whole("tileN") * config.whole("clusterN"))
                : Math.ceilDiv(problem.shape().m(), config.whole("tileM") * config.whole("clusterM"));
        return when(
                order.grouped() && group >= along,
                () -> "a group of " + group + " holds all " + along + " cluster tiles along its extent");
    }
}
