package dev.tilewright.space.sm100;

import static dev.tilewright.space.gemm.GemmRules.when;
import static dev.tilewright.space.gemm.TypedRule.typed;

import dev.tilewright.model.problem.DataType;
import dev.tilewright.space.Parameter;
import dev.tilewright.space.gemm.GemmWords;
import dev.tilewright.space.gemm.TypedRule;
import dev.tilewright.space.parameter.Key;
import dev.tilewright.space.text.Word;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The epilogue of a kernel: the ring of panels through which it stores its tiles. */
public record EpiloguePlan(Sm100Config config) {

    /** Columns of the panel that is tried first. */
    private static final int USUAL_PANEL = 32;

    static final Key<Integer> PANEL_N = Key.whole("epilogueN");

    /** All that decide the text. */
    static final List<Key<?>> KEYS = List.of(PANEL_N);

    /** Panels of the ring. */
    public static final int PANELS = 2;

    private static final List<Integer> SPANS = List.of(32, 64, 128);

    /** Columns of a panel. */
    public int panelN() {
        return PANEL_N.of(config.values());
    }

    /** Bytes of the ring. */
    int ringBytes() {
        return PANELS * Sm100Config.CTA_ROWS * panelN() * config.outputType().bytes();
    }

    static Stream<Parameter> parameters() {
        return Stream.of(PANEL_N.text(32, 64, 16));
    }

    static Stream<TypedRule<Sm100Config>> rules() {
        return Stream.of(
                typed("panelSpan", EpiloguePlan::panelSpan, PANEL_N, Sm100Config.OUTPUT_TYPE),
                typed("panelColumns", EpiloguePlan::panelColumns, MultiplyPlan.TILE_N, PANEL_N));
    }

    private static Optional<String> panelSpan(Sm100Config config) {
        DataType type = config.outputType();
        int columns = config.epilogue().panelN();
        return when(
                !SPANS.contains(columns * type.bytes()),
                () -> "epilogueN must be " + SPANS + " bytes of " + type + ", a panel as wide as a swizzle, got "
                        + columns + " columns");
    }

    private static Optional<String> panelColumns(Sm100Config config) {
        int tileN = config.multiply().tileN();
        int columns = config.epilogue().panelN();
        return when(
                tileN % columns != 0,
                () -> "epilogueN must divide the " + tileN + " columns of a tile, got " + columns);
    }

    static Stream<Word> words() {
        return Stream.of(GemmWords.panels(USUAL_PANEL));
    }
}
