package dev.tilewright.space.sm90;

import static dev.tilewright.space.gemm.GemmRules.when;
import static dev.tilewright.space.gemm.TypedRule.typed;

import dev.tilewright.space.Parameter;
import dev.tilewright.space.gemm.GemmWords;
import dev.tilewright.space.gemm.TypedRule;
import dev.tilewright.space.parameter.Key;
import dev.tilewright.space.text.Word;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The epilogue of a kernel: the ring of panels through which warpgroups store their tiles. */
public record EpiloguePlan(Sm90Config config) {

    /** Panels with which the ring can go round: one is written while the other is stored. */
    static final int LEAST_PANELS = 2;

    /** Columns of the widest panel of 16-bit results, the first that is tried. */
    private static final int USUAL_PANEL = 64;

    static final Key<Integer> PANEL_N = Key.whole("epilogueN");
    static final Key<Integer> STAGES = Key.whole("epilogueStages").or(LEAST_PANELS);

    /** All that decide the text. */
    static final List<Key<?>> KEYS = List.of(PANEL_N, STAGES);

    /** Columns of a panel, those of instructions. */
    public int panelN() {
        return PANEL_N.of(config.values());
    }

    /** Panels of the ring, for each warpgroup. */
    public int stages() {
        return STAGES.of(config.values());
    }

    /** Bytes of a panel of 64 rows. */
    public int panelBytes() {
        return Sm90Config.MMA_ROWS * panelN() * config.operands().outputBytes();
    }

    /** Panels through which one warpgroup stores what it has of a tile. */
    public int panels() {
        WarpgroupTile own = config.multiply().warpgroupTile();
        return own.rows() / Sm90Config.MMA_ROWS * Math.ceilDiv(own.columns(), panelN());
    }

    /** Columns of the last panel where they are fewer than {@link #panelN()}, otherwise 0. */
    public int narrowPanelN() {
        return config.multiply().warpgroupTile().columns() % panelN();
    }

    /** Bytes of all rings of a CTA. */
    public int ringBytes() {
        return config.multiply().consumers() * stages() * panelBytes();
    }

    /** A panel is as wide as a swizzle. */
    static Stream<Parameter> parameters(Sm90Operands operands) {
        return Stream.of(
                PANEL_N.text(128 / operands.outputBytes(), 64 / operands.outputBytes()),
                STAGES.text(IntStream.rangeClosed(LEAST_PANELS, mostPanels(operands))
                        .boxed()
                        .toList()));
    }

    /** Panels of the longest ring that is tried: with block scales a tile has more rows for each of its panels. */
    static int mostPanels(Sm90Operands operands) {
        return operands.blockScaled() ? LEAST_PANELS + 2 : LEAST_PANELS + 1;
    }

    static Stream<TypedRule<Sm90Config>> rules() {
        return Stream.of(
                typed("panelSpan", EpiloguePlan::panelSpan, PANEL_N), typed("panels", EpiloguePlan::fewPanels, STAGES));
    }

    private static Optional<String> panelSpan(Sm90Config config) {
        int columns = config.epilogue().panelN();
        return when(
                !config.operands().isPanel(columns),
                () -> "epilogueN must be one of " + config.operands().panelColumns()
                        + ", a panel as wide as a swizzle, got " + columns);
    }

    private static Optional<String> fewPanels(Sm90Config config) {
        int stages = config.epilogue().stages();
        return when(stages < LEAST_PANELS, () -> "epilogueStages must be at least " + LEAST_PANELS + ", got " + stages);
    }

    static Stream<Word> words() {
        return Stream.of(
                GemmWords.panels(USUAL_PANEL),
                GemmWords.number(
                        STAGES.name(),
                        LEAST_PANELS,
                        "p#",
                        value -> "a warpgroup stores its tiles through " + value + " panels"));
    }
}
