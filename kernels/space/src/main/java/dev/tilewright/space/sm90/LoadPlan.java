package dev.tilewright.space.sm90;

import static dev.tilewright.space.gemm.GemmRules.when;
import static dev.tilewright.space.gemm.TypedRule.typed;

import dev.tilewright.model.problem.OperandRole;
import dev.tilewright.model.problem.Scales;
import dev.tilewright.space.Parameter;
import dev.tilewright.space.gemm.GemmWords;
import dev.tilewright.space.gemm.TypedRule;
import dev.tilewright.space.operand.OperandTile;
import dev.tilewright.space.parameter.Key;
import dev.tilewright.space.parameter.L2Hint;
import dev.tilewright.space.parameter.L2Promotion;
import dev.tilewright.space.parameter.LoadStart;
import dev.tilewright.space.text.Spelling;
import dev.tilewright.space.text.Word;
import dev.tilewright.space.tick.LoadTick;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The loads of a kernel: the ring of stages between TMA and the tensor cores. */
public record LoadPlan(Sm90Config config) {

    static final Key<Integer> TILE_K = Key.whole("tileK");
    static final Key<Integer> STAGES = Key.whole("loadStages");
    static final Key<Integer> SWIZZLE = Key.whole("swizzle");
    static final Key<L2Hint> L2_HINT = Key.named("l2Hint", L2Hint.class).or(L2Hint.NONE);
    static final Key<LoadStart> START = Key.named("loadStart", LoadStart.class).or(LoadStart.FREE);

    /** All that decide the text. */
    static final List<Key<?>> KEYS = List.of(TILE_K, STAGES, SWIZZLE, L2_HINT, START);

    /** Bytes of the narrower of the two swizzles that are tried. */
    static final int LEAST_SWIZZLE = 64;

    /** Products that the tensor cores of an SM add up in a cycle, times the bytes of an input. */
    private static final int MMA_BYTES_PER_CYCLE = 4096;

    /** Depth of a stage in elements. */
    public int tileK() {
        return TILE_K.of(config.values());
    }

    /** Slots of the ring. */
    public int stages() {
        return STAGES.of(config.values());
    }

    /** Span of the shared-memory swizzle of A and B, bytes. */
    public int swizzle() {
        return SWIZZLE.of(config.values());
    }

    /** The operand that is to stay in L2. */
    public L2Hint l2Hint() {
        return L2_HINT.of(config.values());
    }

    /** When blocks of K are asked for. */
    public LoadStart start() {
        return START.of(config.values());
    }

    /** Bytes of A and B of a stage. */
    public int stageBytes() {
        MultiplyPlan multiply = config.multiply();
        return (multiply.tileM() + multiply.tileN()) * depthBytes();
    }

    /** Bytes of a row of A or B in a stage. */
    private int depthBytes() {
        return tileK() * config.operands().inputBytes();
    }

    /** The content of a stage: the tiles of A and B, in this order. */
    public List<OperandTile> operandTiles() {
        return Stream.of(OperandRole.values()).map(this::operandTile).toList();
    }

    private OperandTile operandTile(OperandRole role) {
        return new OperandTile(
                role,
                config.operands().types().of(role),
                config.operands().majors().of(role),
                config.multiply().rows(role),
                tileK(),
                swizzle(),
                config.cluster().sharers(role));
    }

    /** Nanoseconds between the ticks at which blocks of K are asked for, a power of two. */
    public int tickNs() {
        MultiplyPlan multiply = config.multiply();
        return LoadTick.ns((int) ((long) multiply.tileM() * multiply.tileN() * depthBytes() / MMA_BYTES_PER_CYCLE));
    }

    /**
     * The parameters worth trying. Of the K-major operands a row is as wide as a swizzle, or two. Deep blocks are tried
     * only where a user asks for them.
     */
    static Stream<Parameter> parameters(Sm90Operands operands) {
        int row = Sm90Config.BLOCK_BYTES / operands.inputBytes();
        return Stream.of(
                operands.blockScaled()
                        ? TILE_K.text(Scales.BLOCK_K)
                        : TILE_K.text(row, 2 * row, row / 2).usually(row, 2 * row),
                SWIZZLE.text(Sm90Config.BLOCK_BYTES, LEAST_SWIZZLE),
                STAGES.text(8, 7, 6, 5, 4, 3, 2),
                L2_HINT.text(L2Hint.NONE, L2Hint.KEEP_A, L2Hint.KEEP_B)
                        .usually(L2Hint.NONE.toString(), L2Hint.KEEP_A.toString()),
                START.text(LoadStart.FREE, LoadStart.TICK),
                L2Promotion.parameter());
    }

    static Stream<TypedRule<Sm90Config>> rules() {
        return Stream.of(
                typed("mmaDepth", LoadPlan::mmaDepth, TILE_K),
                typed("swizzleSpan", LoadPlan::swizzleSpan, TILE_K, SWIZZLE),
                typed("stagesInUse", LoadPlan::stagesInUse, STAGES, MultiplyPlan.WAIT_DEPTH));
    }

    private static Optional<String> mmaDepth(Sm90Config config) {
        int unit = config.operands().mmaK();
        int tileK = config.load().tileK();
        return when(
                tileK <= 0 || tileK % unit != 0,
                () -> "tileK must be a multiple of " + unit + ", the depth of a wgmma, got " + tileK);
    }

    private static Optional<String> swizzleSpan(Sm90Config config) {
        LoadPlan load = config.load();
        return when(
                config.operands().anyKMajor() && load.depthBytes() % load.swizzle() != 0,
                () -> "tileK must fill spans of the swizzle, " + load.swizzle() + " bytes each, got " + load.tileK()
                        + " elements of " + config.operands().inputBytes() + " bytes");
    }

    /** A stage is handed back when so many later ones are being multiplied: they must have been loaded. */
    private static Optional<String> stagesInUse(Sm90Config config) {
        int least = 1 + config.multiply().waitDepth();
        int stages = config.load().stages();
        return when(
                stages < least,
                () -> "loadStages must be at least " + least + " with waitDepth = "
                        + config.multiply().waitDepth() + ", got " + stages);
    }

    static Stream<Word> words() {
        return Stream.of(
                GemmWords.number(
                        SWIZZLE.name(),
                        Sm90Config.BLOCK_BYTES,
                        "sw#",
                        value -> "shared memory is swizzled in spans of " + value + " bytes"),
                Word.unless(
                        L2_HINT.name() + "=" + L2Hint.NONE,
                        Spelling.named("keepA", L2_HINT.name() + "=" + L2Hint.KEEP_A, "L2 keeps A"),
                        Spelling.named("keepB", L2_HINT.name() + "=" + L2Hint.KEEP_B, "L2 keeps B")),
                L2Promotion.word(),
                GemmWords.name(START.name(), LoadStart.FREE, LoadStart.TICK, "loads start at ticks of a timer"));
    }
}
