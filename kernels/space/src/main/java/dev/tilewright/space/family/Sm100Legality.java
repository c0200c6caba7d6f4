package dev.tilewright.space.family;

import static dev.tilewright.space.family.GemmRules.when;
import static dev.tilewright.space.family.TypedRule.typed;

import dev.tilewright.model.problem.DataType;
import dev.tilewright.space.Constraint;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The configs for which no kernel of {@code sm100-gemm} can be built, each rule once: the constructor of
 * {@link Sm100Config} runs them, and {@link Sm100GemmSpace} lists them before what does not fit a device or is not
 * worth trying.
 */
final class Sm100Legality {

    private static final int MOST_COLUMNS = 256;
    private static final int COLUMN_STEP = 16;
    private static final int LARGEST_CLUSTER = 16;
    /** Rows after which a swizzle repeats: what a CTA loads of a shared operand begins at a multiple. */
    private static final int SWIZZLE_ROWS = 8;

    private static final List<Integer> SPANS = List.of(32, 64, 128, 256);
    private static final List<Integer> PANEL_SPANS = List.of(32, 64, 128);

    private static final List<TypedRule<Sm100Values>> RULES = Stream.of(
                    ofTheRing(), ofTheTile(), ofTheStages(), ofClusters())
            .flatMap(rules -> rules)
            .toList();

    private Sm100Legality() {}

    /** @throws IllegalArgumentException naming the first rule that is broken, and the value */
    static void require(Sm100Config config) {
        TypedRule.require(RULES, config);
    }

    static Stream<Constraint> constraints() {
        return RULES.stream().map(rule -> rule.on(Sm100Reading::new));
    }

    /** First of all, since the ring of a typed config is made before the config. */
    private static Stream<TypedRule<Sm100Values>> ofTheRing() {
        return Stream.of(typed("prefetchSlots", Sm100Legality::prefetchSlots, "clcStages", "clcPrefetch"));
    }

    private static Stream<TypedRule<Sm100Values>> ofTheTile() {
        return Stream.of(
                typed("ctaGroup", Sm100Legality::ctaGroup, "ctaGroup"),
                typed("groupRows", Sm100Legality::groupRows, "ctaGroup", "tileM"),
                typed("groupColumns", Sm100Legality::groupColumns, "ctaGroup", "tileN"),
                typed("inputs", Sm100Legality::inputs, "inputType"),
                typed("outputs", Sm100Legality::outputs, "outputType"),
                typed("stageSpan", Sm100Legality::stageSpan, "tileK", "inputType"));
    }

    private static Stream<TypedRule<Sm100Values>> ofTheStages() {
        return Stream.of(
                typed("loadStages", Sm100Legality::loadStages, "loadStages"),
                typed("accumulatorStages", Sm100Legality::accumulatorStages, "accumulatorStages"),
                typed("panelSpan", Sm100Legality::panelSpan, "epilogueN", "outputType"),
                typed("panelColumns", Sm100Legality::panelColumns, "tileN", "epilogueN"));
    }

    private static Stream<TypedRule<Sm100Values>> ofClusters() {
        return Stream.of(
                typed("groupCluster", Sm100Legality::groupCluster, "ctaGroup", "clusterM"),
                typed("clusterExtents", Sm100Legality::clusterExtents, "clusterM", "clusterN"),
                typed("sharedRows", Sm100Legality::sharedRows, "clusterN", "multicast"),
                typed("sharedColumns", Sm100Legality::sharedColumns, "tileN", "clusterM", "multicast"));
    }

    private static Optional<String> ctaGroup(Sm100Values values) {
        int group = values.ctaGroup();
        return when(group != 1 && group != 2, () -> "ctaGroup must be 1 or 2, got " + group);
    }

    private static Optional<String> groupRows(Sm100Values values) {
        int rows = Sm100Config.CTA_ROWS * values.ctaGroup();
        return when(
                values.tileM() != rows,
                () -> "tileM must be " + rows + ", " + Sm100Config.CTA_ROWS + " for each of " + values.ctaGroup()
                        + " CTAs, got " + values.tileM());
    }

    private static Optional<String> groupColumns(Sm100Values values) {
        int unit = COLUMN_STEP * values.ctaGroup();
        int columns = values.tileN();
        return when(
                columns < unit || columns > MOST_COLUMNS || columns % unit != 0,
                () -> "tileN must be a multiple of " + unit + " up to " + MOST_COLUMNS + ", got " + columns);
    }

    private static Optional<String> inputs(Sm100Values values) {
        DataType type = values.inputType();
        return when(
                !Sm100Config.INPUTS.contains(type),
                () -> "inputType must be one of " + Sm100Config.INPUTS + ", got " + type);
    }

    private static Optional<String> outputs(Sm100Values values) {
        DataType type = values.outputType();
        return when(
                !Sm100Config.OUTPUTS.contains(type),
                () -> "outputType must be one of " + Sm100Config.OUTPUTS + ", got " + type);
    }

    private static Optional<String> stageSpan(Sm100Values values) {
        DataType type = values.inputType();
        return when(
                !SPANS.contains(values.tileK() * type.bytes()),
                () -> "tileK must be " + SPANS + " bytes of " + type + ", got " + values.tileK() + " elements");
    }

    private static Optional<String> loadStages(Sm100Values values) {
        return when(values.loadStages() < 1, () -> "loadStages must be at least 1, got " + values.loadStages());
    }

    private static Optional<String> accumulatorStages(Sm100Values values) {
        int stages = values.accumulatorStages();
        return when(stages != 1 && stages != 2, () -> "accumulatorStages must be 1 or 2, got " + stages);
    }

    private static Optional<String> panelSpan(Sm100Values values) {
        DataType type = values.outputType();
        return when(
                !PANEL_SPANS.contains(values.epilogueN() * type.bytes()),
                () -> "epilogueN must be " + PANEL_SPANS + " bytes of " + type + ", a panel as wide as a swizzle, got "
                        + values.epilogueN() + " columns");
    }

    private static Optional<String> panelColumns(Sm100Values values) {
        return when(
                values.tileN() % values.epilogueN() != 0,
                () -> "epilogueN must divide the " + values.tileN() + " columns of a tile, got " + values.epilogueN());
    }

    private static Optional<String> prefetchSlots(Sm100Values values) {
        return RingPlan.refusal(values.clcStages(), values.clcPrefetch());
    }

    private static Optional<String> groupCluster(Sm100Values values) {
        int group = values.ctaGroup();
        return when(
                values.clusterM() % group != 0,
                () -> "clusterM must be a multiple of the " + group + " CTAs of a group, which lie along M, got "
                        + values.clusterM());
    }

    private static Optional<String> clusterExtents(Sm100Values values) {
        int size = values.clusterSize();
        return when(values.clusterM() < 1, () -> "clusterM must be at least 1, got " + values.clusterM())
                .or(() -> when(values.clusterN() < 1, () -> "clusterN must be at least 1, got " + values.clusterN()))
                .or(() -> when(
                        size > LARGEST_CLUSTER,
                        () -> "a cluster must have at most " + LARGEST_CLUSTER + " CTAs, got " + size));
    }

    private static Optional<String> sharedRows(Sm100Values values) {
        return when(
                values.multicast() && Sm100Config.CTA_ROWS % (SWIZZLE_ROWS * values.clusterN()) != 0,
                () -> "with multicast, clusterN must divide the rows of A into multiples of " + SWIZZLE_ROWS + ", got "
                        + values.clusterN());
    }

    private static Optional<String> sharedColumns(Sm100Values values) {
        int unit = SWIZZLE_ROWS * values.clusterM();
        return when(
                values.multicast() && values.tileN() % unit != 0,
                () -> "with multicast over " + values.clusterM() + " CTAs, tileN must be a multiple of " + unit
                        + ", got " + values.tileN());
    }
}
