package dev.tilewright.space.sm100;

import static dev.tilewright.space.gemm.GemmRules.when;
import static dev.tilewright.space.gemm.TypedRule.typed;

import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Major;
import dev.tilewright.model.problem.OperandRole;
import dev.tilewright.space.Parameter;
import dev.tilewright.space.gemm.TypedRule;
import dev.tilewright.space.operand.OperandTile;
import dev.tilewright.space.parameter.Key;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The loads of a kernel: the ring of stages between TMA and the tensor cores. */
public record LoadPlan(Sm100Config config) {

    static final Key<Integer> TILE_K = Key.whole("tileK");
    static final Key<Integer> STAGES = Key.whole("loadStages");

    /** All that decide the text. */
    static final List<Key<?>> KEYS = List.of(TILE_K, STAGES);

    private static final int WIDEST_SWIZZLE = 128;
    private static final List<Integer> SPANS = List.of(32, 64, 128, 256);

    /** Depth of a stage in elements; its bytes fill one span of the swizzle, or several spans of 128 bytes. */
    public int tileK() {
        return TILE_K.of(config.values());
    }

    /** Slots of the ring. */
    public int stages() {
        return STAGES.of(config.values());
    }

    /**
     * The content of a stage of one CTA: the tiles of A and B, in this order. Of B each CTA of a pair has half the
     * rows.
     */
    public List<OperandTile> operandTiles() {
        int group = config.multiply().ctaGroup();
        return List.of(
                operandTile(
                        OperandRole.A, Sm100Config.CTA_ROWS, config.cluster().n()),
                operandTile(
                        OperandRole.B,
                        config.multiply().tileN() / group,
                        config.cluster().m() / group));
    }

    private OperandTile operandTile(OperandRole role, int rows, int ctas) {
        int span = Math.min(WIDEST_SWIZZLE, tileK() * config.inputType().bytes());
        return new OperandTile(
                role,
                config.inputType(),
                Major.K,
                rows,
                tileK(),
                span,
                config.cluster().multicast() ? ctas : 1);
    }

    /** Bytes of all stages. */
    int ringBytes() {
        int rows = Sm100Config.CTA_ROWS
                + config.multiply().tileN() / config.multiply().ctaGroup();
        return stages() * rows * tileK() * config.inputType().bytes();
    }

    static Stream<Parameter> parameters() {
        return Stream.of(TILE_K.text(64, 128, 32).usually(64, 128), STAGES.text(8, 7, 6, 5, 4, 3, 2));
    }

    static Stream<TypedRule<Sm100Config>> rules() {
        return Stream.of(
                typed("stageSpan", LoadPlan::stageSpan, TILE_K, Sm100Config.INPUT_TYPE),
                typed("loadStages", LoadPlan::noStages, STAGES));
    }

    private static Optional<String> stageSpan(Sm100Config config) {
        DataType type = config.inputType();
        int tileK = config.load().tileK();
        return when(
                !SPANS.contains(tileK * type.bytes()),
                () -> "tileK must be " + SPANS + " bytes of " + type + ", got " + tileK + " elements");
    }

    private static Optional<String> noStages(Sm100Config config) {
        int stages = config.load().stages();
        return when(stages < 1, () -> "loadStages must be at least 1, got " + stages);
    }
}
