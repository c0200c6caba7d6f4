package dev.tilewright.space.family;

import static dev.tilewright.space.family.GemmRules.when;
import static dev.tilewright.space.family.TypedRule.typed;

import dev.tilewright.model.problem.OperandRole;
import dev.tilewright.space.Constraint;
import dev.tilewright.space.family.Sm90Config.Mode;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The configs for which no kernel of {@code sm90-gemm} can be built, each rule once: the constructor of
 * {@link Sm90Config} runs them, and {@link Sm90GemmSpace} lists them before what does not fit a device or is not worth
 * trying.
 */
final class Sm90Legality {

    /** Panels with which the epilogue's ring can go round: one is written while the other is stored. */
    static final int LEAST_PANELS = 2;

    private static final int MAX_CONSUMERS = 3;
    private static final int PINGPONG_CONSUMERS = 2;
    private static final int MAX_CTAS_PER_SM = 2;
    private static final int MAX_TILE_COLUMNS = 320;

    private static final TypedRule<Sm90Values> SPAN_OF_A =
            typed("spanOfA", values -> wholeSpans(OperandRole.A, values), "tileM", "clusterN", "multicast", "swizzle");
    private static final TypedRule<Sm90Values> SPAN_OF_B =
            typed("spanOfB", values -> wholeSpans(OperandRole.B, values), "tileN", "clusterM", "multicast", "swizzle");

    private static final List<TypedRule<Sm90Values>> RULES = Stream.of(
                    ofWarpgroups(), ofTheTile(), ofTheRings(), Sm90SplitLegality.rules(), ofClusters())
            .flatMap(rules -> rules)
            .toList();

    private Sm90Legality() {}

    /** @throws IllegalArgumentException naming the first rule that is broken, and the value */
    static void require(Sm90Config config) {
        TypedRule.require(RULES, config);
    }

    /**
     * The rules about the parameters of a space. What says nothing of its operands is not listed: a tree would keep the
     * parameters waiting for it.
     */
    static Stream<Constraint> constraints(Collection<String> parameters, Sm90Operands operands) {
        return RULES.stream()
                .filter(rule -> rule != SPAN_OF_A || !operands.kMajor(OperandRole.A))
                .filter(rule -> rule != SPAN_OF_B || !operands.kMajor(OperandRole.B))
                .filter(rule -> parameters.containsAll(rule.parameters()))
                .map(rule -> rule.on(config -> new Sm90Reading(config, operands)));
    }

    private static Stream<TypedRule<Sm90Values>> ofWarpgroups() {
        return Stream.of(
                typed("schedulers", Sm90Legality::schedulers, FamilySpace.SCHEDULER),
                typed("throttles", Sm90Legality::throttles, Throttle.PARAMETER),
                typed("consumers", Sm90Legality::consumers, "consumers"),
                typed("modeConsumers", Sm90Legality::modeConsumers, "mode", "consumers"),
                typed("ctasPerSm", Sm90Legality::ctasPerSm, DeviceLimits.CTAS_PER_SM));
    }

    private static Stream<TypedRule<Sm90Values>> ofTheTile() {
        return Stream.of(
                typed("swapOperands", Sm90Legality::swapOperands, SwapAB.PARAMETER),
                typed(
                        "consumerRows",
                        Sm90Legality::consumerRows,
                        "mode",
                        "consumers",
                        SwapAB.PARAMETER,
                        "tileM",
                        "tileN"),
                typed("mmaColumns", Sm90Legality::mmaColumns, SwapAB.PARAMETER, "tileM", "tileN"),
                typed("majorColumns", Sm90Legality::majorColumns, "tileN"),
                typed(
                        "consumerColumns",
                        Sm90Legality::consumerColumns,
                        "mode",
                        "consumers",
                        SwapAB.PARAMETER,
                        "tileM",
                        "tileN",
                        "swizzle"),
                typed("mmaDepth", Sm90Legality::mmaDepth, "tileK"),
                typed("swizzleSpan", Sm90Legality::swizzleSpan, "tileK", "swizzle"));
    }

    private static Stream<TypedRule<Sm90Values>> ofTheRings() {
        return Stream.of(
                typed("waitDepth", Sm90Legality::waitDepth, "waitDepth"),
                typed("stagesInUse", Sm90Legality::stagesInUse, "loadStages", "waitDepth"),
                typed("panelSpan", Sm90Legality::panelSpan, "epilogueN"),
                typed("panels", Sm90Legality::panels, "epilogueStages"));
    }

    private static Stream<TypedRule<Sm90Values>> ofClusters() {
        return Stream.of(
                typed("clusterExtents", Sm90Legality::clusterExtents, "clusterM", "clusterN"), SPAN_OF_A, SPAN_OF_B);
    }

    private static Optional<String> schedulers(Sm90Values values) {
        return when(
                !Scheduler.HOPPER.contains(values.scheduler()),
                () -> "scheduler must be one of " + Scheduler.HOPPER + ", got '" + values.scheduler() + "'");
    }

    private static Optional<String> throttles(Sm90Values values) {
        return when(
                values.throttle() != Throttle.NONE && values.throttle() != Throttle.LOADED,
                () -> Throttle.PARAMETER + " must be one of [" + Throttle.NONE + ", " + Throttle.LOADED + "], got '"
                        + values.throttle() + "'");
    }

    private static Optional<String> consumers(Sm90Values values) {
        int consumers = values.consumers();
        return when(
                consumers < 1 || consumers > MAX_CONSUMERS,
                () -> "consumers must be from 1 to " + MAX_CONSUMERS + ", got " + consumers);
    }

    private static Optional<String> modeConsumers(Sm90Values values) {
        return when(
                values.mode() == Mode.PINGPONG && values.consumers() != PINGPONG_CONSUMERS,
                () -> "pingpong takes " + PINGPONG_CONSUMERS + " consumers in turn, got " + values.consumers());
    }

    private static Optional<String> ctasPerSm(Sm90Values values) {
        int ctas = values.ctasPerSm();
        return when(
                ctas < 1 || ctas > MAX_CTAS_PER_SM,
                () -> DeviceLimits.CTAS_PER_SM + " must be 1 or " + MAX_CTAS_PER_SM + ", got " + ctas);
    }

    private static Optional<String> swapOperands(Sm90Values values) {
        return when(
                values.swapAB() && !SwapAB.possible(values.operands()),
                () -> SwapAB.PARAMETER + " must be 0 unless A and B are K-major and D has 16 bits, got 1");
    }

    /** The operand that holds the rows of instructions, for a refusal. */
    private static String ofRows(Sm90Values values) {
        return values.swapAB() ? "tileN" : "tileM";
    }

    private static String ofColumns(Sm90Values values) {
        return values.swapAB() ? "tileM" : "tileN";
    }

    private static Optional<String> consumerRows(Sm90Values values) {
        int sharers = values.warpgroupsPerTile();
        int rows = values.tileRows();
        return when(rows <= 0 || !WarpgroupTile.canShare(sharers, rows), () -> {
            int unit = WarpgroupTile.rowUnit(sharers);
            String why = unit == Sm90Config.MMA_ROWS
                    ? ""
                    : ", " + Sm90Config.MMA_ROWS + " for each of " + sharers + " warpgroups that share a tile";
            return ofRows(values) + " must be a multiple of " + unit + why + ", got " + rows;
        });
    }

    private static Optional<String> mmaColumns(Sm90Values values) {
        int columns = values.tileColumns();
        int most = values.swapAB() ? Sm90Config.MAX_MMA_COLUMNS : MAX_TILE_COLUMNS;
        int step = Sm90Config.MMA_COLUMNS;
        return when(
                        columns < step || columns > most || columns % step != 0,
                        () -> ofColumns(values) + " must be a multiple of " + step + " up to " + most + ", got "
                                + columns)
                .or(() -> when(
                        columns > Sm90Config.MAX_MMA_COLUMNS && columns % (2 * step) != 0,
                        () -> ofColumns(values) + " above " + Sm90Config.MAX_MMA_COLUMNS
                                + " is made of two instructions side by side, so it must be a multiple of " + 2 * step
                                + ", got " + columns));
    }

    private static Optional<String> majorColumns(Sm90Values values) {
        return when(
                !values.operands().kMajor(OperandRole.B) && values.tileN() > Sm90Config.MAX_MMA_COLUMNS,
                () -> "tileN of an operand that is n-major must be at most " + Sm90Config.MAX_MMA_COLUMNS + ", got "
                        + values.tileN());
    }

    private static Optional<String> consumerColumns(Sm90Values values) {
        int rows = values.tileRows();
        int columns = values.tileColumns();
        if (!WarpgroupTile.byColumns(values.warpgroupsPerTile(), rows)) {
            return Optional.empty();
        }
        Sm90Operands operands = values.operands();
        int unit = 2
                * (operands.kMajor(OperandRole.B) ? Sm90Config.MMA_COLUMNS : values.swizzle() / operands.inputBytes());
        return when(
                columns % unit != 0,
                () -> ofColumns(values) + " must be a multiple of " + unit
                        + " where two warpgroups share the columns of " + rows + " rows, got " + columns);
    }

    private static Optional<String> mmaDepth(Sm90Values values) {
        int unit = values.operands().mmaK();
        return when(
                values.tileK() <= 0 || values.tileK() % unit != 0,
                () -> "tileK must be a multiple of " + unit + ", the depth of a wgmma, got " + values.tileK());
    }

    private static Optional<String> swizzleSpan(Sm90Values values) {
        Sm90Operands operands = values.operands();
        int bytes = values.tileK() * operands.inputBytes();
        return when(
                operands.anyKMajor() && bytes % values.swizzle() != 0,
                () -> "tileK must fill spans of the swizzle, " + values.swizzle() + " bytes each, got " + values.tileK()
                        + " elements of " + operands.inputBytes() + " bytes");
    }

    private static Optional<String> waitDepth(Sm90Values values) {
        int depth = values.waitDepth();
        return when(depth != 0 && depth != 1, () -> "waitDepth must be 0 or 1, got " + depth);
    }

    /** A stage is handed back when so many later ones are being multiplied: they must have been loaded. */
    private static Optional<String> stagesInUse(Sm90Values values) {
        int least = 1 + values.waitDepth();
        return when(
                values.loadStages() < least,
                () -> "loadStages must be at least " + least + " with waitDepth = " + values.waitDepth() + ", got "
                        + values.loadStages());
    }

    private static Optional<String> panelSpan(Sm90Values values) {
        Sm90Operands operands = values.operands();
        return when(
                !operands.isPanel(values.epilogueN()),
                () -> "epilogueN must be one of " + operands.panelColumns() + ", a panel as wide as a swizzle, got "
                        + values.epilogueN());
    }

    private static Optional<String> panels(Sm90Values values) {
        return when(
                values.epilogueStages() < LEAST_PANELS,
                () -> "epilogueStages must be at least " + LEAST_PANELS + ", got " + values.epilogueStages());
    }

    private static Optional<String> clusterExtents(Sm90Values values) {
        return when(values.clusterM() < 1, () -> "clusterM must be at least 1, got " + values.clusterM())
                .or(() -> when(values.clusterN() < 1, () -> "clusterN must be at least 1, got " + values.clusterN()));
    }

    private static Optional<String> wholeSpans(OperandRole role, Sm90Values values) {
        if (values.operands().kMajor(role)) {
            return Optional.empty();
        }
        int span = values.swizzle() / values.operands().inputBytes();
        return when(
                values.loadRows(role) % span != 0,
                () -> "tile" + role.rows().name() + " must make each CTA load a multiple of " + span
                        + " rows of an operand that is " + role.rows() + "-major, the span of the swizzle, got "
                        + values.loadRows(role));
    }
}
