package dev.tilewright.space.sm90;

import static dev.tilewright.space.gemm.GemmWords.number;

import dev.tilewright.model.problem.OperandRole;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.space.Parameter;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.space.gemm.GemmRules;
import dev.tilewright.space.parameter.Key;
import dev.tilewright.space.text.Spelling;
import dev.tilewright.space.text.Word;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The multiplication of a kernel: its tile, and how warpgroups share the work on it. Rows and columns of instructions
 * are those of the tile, or with {@code swapAB} its columns and rows: then the 64 rows of an instruction are rows of B,
 * and a warpgroup multiplies a part of the transposed output.
 */
public record MultiplyPlan(Sm90Config config) {

    /** How warpgroups share work. */
    public enum Mode {
        /** All of them share one tile, by rows or by columns. */
        COOPERATIVE("cooperative"),
        /** Each has its own tile; one multiplies while the other stores. */
        PINGPONG("pingpong");

        private final String value;

        Mode(String value) {
            this.value = value;
        }

        @Override
        public String toString() {
            return value;
        }
    }

    static final Key<Mode> MODE = Key.named("mode", Mode.class);
    static final Key<Integer> CONSUMERS = Key.whole("consumers");
    static final Key<Integer> SWAP_AB = Key.whole("swapAB").or(0);
    static final Key<Integer> TILE_M = Key.whole("tileM");
    static final Key<Integer> TILE_N = Key.whole("tileN");
    static final Key<Integer> REGISTERS = Key.whole("registers");
    static final Key<Integer> CTAS_PER_SM = Key.whole(DeviceLimits.CTAS_PER_SM).or(1);
    static final Key<Integer> WAIT_DEPTH = Key.whole("waitDepth");

    /** All that decide the text. */
    static final List<Key<?>> KEYS =
            List.of(MODE, CONSUMERS, SWAP_AB, TILE_M, TILE_N, REGISTERS, CTAS_PER_SM, WAIT_DEPTH);

    /** Fewest rows of a tile whose operands are swapped. */
    static final int LEAST_SWAPPED_ROWS = 16;

    /** Columns of tiles narrower than a row of instructions is high. */
    static final List<Integer> NARROW = List.of(16, 32, 48);

    /** Registers to which consumers may be raised, the fewest first. */
    static final List<Integer> RAISED = List.of(160, 232, 240);

    /** How warpgroups share work. */
    public Mode mode() {
        return MODE.of(config.values());
    }

    /** Warpgroups that multiply. */
    public int consumers() {
        return CONSUMERS.of(config.values());
    }

    /** Whether the rows of instructions are rows of B. */
    public boolean swapAB() {
        return SWAP_AB.of(config.values()) == 1;
    }

    /** Rows of a CTA tile. */
    public int tileM() {
        return TILE_M.of(config.values());
    }

    /** Columns of a CTA tile. */
    public int tileN() {
        return TILE_N.of(config.values());
    }

    /** Registers of a consumer thread; 0 leaves them as the assembler shares them out. */
    public int registers() {
        return REGISTERS.of(config.values());
    }

    /** CTAs that an SM has at a time, at the least: registers and shared memory are cut for so many. */
    public int ctasPerSm() {
        return CTAS_PER_SM.of(config.values());
    }

    /** Groups of wgmma in flight when a stage is handed back. */
    public int waitDepth() {
        return WAIT_DEPTH.of(config.values());
    }

    /** Threads of a CTA: the producer's warpgroup and the consumers'. */
    public int threads() {
        return Sm90Config.THREADS_PER_WARPGROUP * (1 + consumers());
    }

    /** Warpgroups that multiply for one tile. */
    public int warpgroupsPerTile() {
        return switch (mode()) {
            case COOPERATIVE -> consumers();
            case PINGPONG -> 1;
        };
    }

    /** Rows of an operand that a tile has. */
    public int rows(OperandRole role) {
        return switch (role) {
            case A -> tileM();
            case B -> tileN();
        };
    }

    /** The operand whose rows are the rows of instructions; the rows of the other one are their columns. */
    public OperandRole rowOperand() {
        return swapAB() ? OperandRole.B : OperandRole.A;
    }

    /** Extent of a tile along the rows of its instructions. */
    public int tileRows() {
        return rows(rowOperand());
    }

    /** Extent of a tile along the columns of its instructions. */
    public int tileColumns() {
        return rows(rowOperand().other());
    }

    /** The part of a tile that one warpgroup multiplies. */
    public WarpgroupTile warpgroupTile() {
        return WarpgroupTile.of(warpgroupsPerTile(), tileRows(), tileColumns());
    }

    /** Whether the warpgroups of a tile have all of its rows each, and half of its columns. */
    public boolean sharesColumns() {
        return WarpgroupTile.byColumns(warpgroupsPerTile(), tileRows());
    }

    /** f32 accumulators of a consumer thread. */
    public int accumulators() {
        return tileM() * tileN() / Sm90Config.THREADS_PER_WARPGROUP / warpgroupsPerTile();
    }

    /**
     * Registers of a consumer thread for its sums. Where blocks are scaled it has products beside the sums, and the
     * scales.
     */
    int sumRegisters() {
        ScalePlan scales = config.scales();
        return scales.exist() ? accumulators() + scales.products() + scales.registers() : accumulators();
    }

    /** Registers of a thread when the kernel starts, all that an SM has for it. */
    public int registersAtEntry() {
        return MultiplyRegisters.atEntry(this);
    }

    /** Registers that a thread that multiplies has, after redistribution if there is one. */
    public int consumerRegisters() {
        return registers() == 0 ? registersAtEntry() : registers();
    }

    /** Registers of a producer thread after it gave the others up; 0 if they are not redistributed. */
    public int producerRegisters() {
        return MultiplyRegisters.ofProducer(this);
    }

    /**
     * A wait depth of 0 is tried only with few stages, where a stage that is handed back early may be missed.
     *
     * @param ofAnyShape whether tiles that are tried for other shapes alone are listed too
     */
    static Stream<Parameter> parameters(
            List<ProblemShape> groups, Sm90Operands operands, DeviceLimits limits, boolean ofAnyShape) {
        boolean all = ofAnyShape || limits.emulated();
        return Stream.of(
                MODE.text(Mode.COOPERATIVE, Mode.PINGPONG),
                CONSUMERS.text(2, 3, 1),
                operands.swappable() ? SWAP_AB.text(0, 1) : SWAP_AB.text(0),
                TILE_M.text(tileRows(groups, operands, all)),
                TILE_N.text(tileColumns(operands, all || leavesSmsIdle(groups, limits))),
                REGISTERS.text(Stream.concat(Stream.of(0), RAISED.stream()).toList()),
                CTAS_PER_SM.text(1, 2).usually(1),
                operands.blockScaled() ? WAIT_DEPTH.text(0) : WAIT_DEPTH.text(1, 0));
    }

    /**
     * Rows of tiles: those that either operand can have, and of a swapped one as many as an instruction may have
     * columns, where no fewer would do for as many tiles; fewer than 64 where one tile has all rows of D. A GPU of few
     * SMs is an emulated one: what it proves was drawn for another problem.
     */
    private static List<Integer> tileRows(List<ProblemShape> groups, Sm90Operands operands, boolean all) {
        int m = groups.stream().mapToInt(ProblemShape::m).max().orElseThrow();
        return IntStream.concat(
                        IntStream.iterate(
                                        LEAST_SWAPPED_ROWS,
                                        rows -> rows < Sm90Config.MMA_ROWS,
                                        rows -> rows + Sm90Config.MMA_COLUMNS)
                                .filter(rows -> all || rows >= m),
                        steps(Sm90Config.MMA_COLUMNS))
                .filter(rows -> rows % Sm90Config.MMA_ROWS == 0 || operands.swappable() && (all || fit(groups, rows)))
                .boxed()
                .toList();
    }

    private static boolean fit(List<ProblemShape> groups, int rows) {
        int less = rows - Sm90Config.MMA_COLUMNS;
        return groups.stream().anyMatch(shape -> Math.ceilDiv(shape.m(), less) > Math.ceilDiv(shape.m(), rows));
    }

    /**
     * Every width of one instruction that is worth it, to fit tiles to waves, some of two side by side, and where tiles
     * of 64 columns are fewer than SMs some narrow ones. Of an N-major operand an instruction takes whole spans of the
     * swizzle, and all columns are of one.
     */
    private static List<Integer> tileColumns(Sm90Operands operands, boolean narrow) {
        IntStream columns = operands.kMajor(OperandRole.B)
                ? Stream.of(
                                narrow ? NARROW : List.<Integer>of(),
                                steps(Sm90Config.MMA_COLUMNS).boxed().toList(),
                                List.of(272, 288, 304, 320))
                        .flatMap(List::stream)
                        .mapToInt(Integer::intValue)
                : steps(LoadPlan.LEAST_SWIZZLE / operands.inputBytes());
        return columns.boxed().toList();
    }

    /** Whether even the highest tiles of 64 columns would leave SMs without work. */
    private static boolean leavesSmsIdle(List<ProblemShape> groups, DeviceLimits limits) {
        long tiles = groups.stream()
                .mapToLong(shape -> GemmRules.tiles(shape, Sm90Config.MAX_MMA_COLUMNS, Sm90Config.MMA_ROWS))
                .sum();
        return tiles < limits.smCount();
    }

    private static IntStream steps(int step) {
        return IntStream.iterate(
                Sm90Config.MMA_ROWS, extent -> extent <= Sm90Config.MAX_MMA_COLUMNS, extent -> extent + step);
    }

    static Stream<Word> words() {
        return Stream.of(
                Word.unless(
                        WAIT_DEPTH.name() + "=1",
                        Spelling.named(
                                "w0",
                                WAIT_DEPTH.name() + "=0",
                                "each block of K is multiplied to its end before the next"),
                        Spelling.named(
                                "w1",
                                WAIT_DEPTH.name() + "=1",
                                "1 block of K is still being multiplied while the next begins")),
                number(REGISTERS.name(), 0, "r#", value -> value + " registers for a thread that multiplies"),
                number(CTAS_PER_SM.name(), 1, "#ctas", value -> value + " CTAs on an SM"),
                Word.unless(
                        SWAP_AB.name() + "=0",
                        Spelling.named(SWAP_AB.name(), SWAP_AB.name() + "=1", "A and B have changed places")));
    }

    /** How warpgroups share work. */
    static Word warpgroups() {
        return Word.leading(
                warpgroups("coop1", Mode.COOPERATIVE, "1 warpgroup computes a tile"),
                warpgroups("coop#", Mode.COOPERATIVE, " warpgroups share a tile"),
                warpgroups("pingpong1", Mode.PINGPONG, "1 warpgroup computes tiles of its own in turn"),
                warpgroups("pingpong#", Mode.PINGPONG, " warpgroups compute tiles of their own in turn"));
    }

    private static Spelling warpgroups(String template, Mode mode, String meaning) {
        String pairs = MODE.name() + "=" + mode;
        return template.endsWith("1")
                ? Spelling.named(template, pairs + " " + CONSUMERS.name() + "=1", meaning)
                : Spelling.of(template, consumers -> consumers.getFirst() + meaning, CONSUMERS.name())
                        .with(pairs);
    }
}
