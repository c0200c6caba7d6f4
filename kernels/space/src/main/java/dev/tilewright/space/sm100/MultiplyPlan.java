package dev.tilewright.space.sm100;

import static dev.tilewright.space.gemm.GemmRules.when;
import static dev.tilewright.space.gemm.TypedRule.typed;

import dev.tilewright.space.Parameter;
import dev.tilewright.space.gemm.GemmWords;
import dev.tilewright.space.gemm.TypedRule;
import dev.tilewright.space.parameter.Key;
import dev.tilewright.space.text.Spelling;
import dev.tilewright.space.text.Word;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The multiplication of a kernel: its tile, and the accumulators in tensor memory. */
public record MultiplyPlan(Sm100Config config) {

    static final Key<Integer> CTA_GROUP = Key.whole("ctaGroup");
    static final Key<Integer> TILE_M = Key.whole("tileM");
    static final Key<Integer> TILE_N = Key.whole("tileN");
    static final Key<Integer> ACCUMULATOR_STAGES = Key.whole("accumulatorStages");

    /** All that decide the text. */
    static final List<Key<?>> KEYS = List.of(CTA_GROUP, TILE_M, TILE_N, ACCUMULATOR_STAGES);

    private static final int MOST_COLUMNS = 256;
    private static final int COLUMN_STEP = 16;
    private static final int SMALLEST_ALLOCATION = 32;

    /** CTAs that multiply together: 1, or a pair along M. */
    public int ctaGroup() {
        return CTA_GROUP.of(config.values());
    }

    /** Rows of the tile of a CTA or of a pair, 128 for each CTA. */
    public int tileM() {
        return TILE_M.of(config.values());
    }

    /** Columns of the tile. */
    public int tileN() {
        return TILE_N.of(config.values());
    }

    /** Accumulators in tensor memory: with 2, one is stored while the other is computed. */
    public int accumulatorStages() {
        return ACCUMULATOR_STAGES.of(config.values());
    }

    /** Columns of tensor memory to allocate: a power of two that holds all accumulators. */
    public int tensorColumns() {
        int used = accumulatorStages() * tileN();
        return Math.max(SMALLEST_ALLOCATION, Integer.highestOneBit(2 * used - 1));
    }

    static Stream<Parameter> parameters() {
        return Stream.of(
                CTA_GROUP.text(2, 1),
                TILE_M.text(128, 256),
                TILE_N.text(256, 192, 128, 64),
                ACCUMULATOR_STAGES.text(2, 1));
    }

    static Stream<TypedRule<Sm100Config>> rules() {
        return Stream.of(
                typed("ctaGroup", MultiplyPlan::groupSize, CTA_GROUP),
                typed("groupRows", MultiplyPlan::groupRows, CTA_GROUP, TILE_M),
                typed("groupColumns", MultiplyPlan::groupColumns, CTA_GROUP, TILE_N),
                typed("accumulatorStages", MultiplyPlan::accumulatorCount, ACCUMULATOR_STAGES));
    }

    private static Optional<String> groupSize(Sm100Config config) {
        int group = config.multiply().ctaGroup();
        return when(group != 1 && group != 2, () -> "ctaGroup must be 1 or 2, got " + group);
    }

    private static Optional<String> groupRows(Sm100Config config) {
        MultiplyPlan multiply = config.multiply();
        int rows = Sm100Config.CTA_ROWS * multiply.ctaGroup();
        return when(
                multiply.tileM() != rows,
                () -> "tileM must be " + rows + ", " + Sm100Config.CTA_ROWS + " for each of " + multiply.ctaGroup()
                        + " CTAs, got " + multiply.tileM());
    }

    private static Optional<String> groupColumns(Sm100Config config) {
        int unit = COLUMN_STEP * config.multiply().ctaGroup();
        int columns = config.multiply().tileN();
        return when(
                columns < unit || columns > MOST_COLUMNS || columns % unit != 0,
                () -> "tileN must be a multiple of " + unit + " up to " + MOST_COLUMNS + ", got " + columns);
    }

    private static Optional<String> accumulatorCount(Sm100Config config) {
        int stages = config.multiply().accumulatorStages();
        return when(stages != 1 && stages != 2, () -> "accumulatorStages must be 1 or 2, got " + stages);
    }

    static Stream<Word> words() {
        return Stream.of(
                Word.unless(
                        CTA_GROUP.name() + "=1",
                        Spelling.named("pair", CTA_GROUP.name() + "=2", "two CTAs multiply together")),
                GemmWords.number(
                        ACCUMULATOR_STAGES.name(), 1, "a#", value -> value + " accumulators in tensor memory"));
    }
}
