package dev.tilewright.space.sm90;

import static dev.tilewright.space.gemm.GemmRules.when;
import static dev.tilewright.space.gemm.TypedRule.typed;
import static dev.tilewright.space.sm90.MultiplyPlan.CONSUMERS;
import static dev.tilewright.space.sm90.MultiplyPlan.CTAS_PER_SM;
import static dev.tilewright.space.sm90.MultiplyPlan.MODE;
import static dev.tilewright.space.sm90.MultiplyPlan.SWAP_AB;
import static dev.tilewright.space.sm90.MultiplyPlan.TILE_M;
import static dev.tilewright.space.sm90.MultiplyPlan.TILE_N;
import static dev.tilewright.space.sm90.MultiplyPlan.WAIT_DEPTH;

import dev.tilewright.model.problem.OperandRole;
import dev.tilewright.space.gemm.TypedRule;
import dev.tilewright.space.parameter.Key;
import dev.tilewright.space.sm90.MultiplyPlan.Mode;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** The rules of {@link MultiplyPlan}: what no wgmma computes, and what nobody gains by. */
final class MultiplyRules {

    private static final int MAX_CONSUMERS = 3;
    private static final int PINGPONG_CONSUMERS = 2;
    private static final int MAX_CTAS_PER_SM = 2;
    private static final int MAX_TILE_COLUMNS = 320;

    /** With so many stages at the most one that is handed back early may be missed. */
    private static final int FEW_STAGES = 3;

    private MultiplyRules() {}

    /** Without them no kernel can be built. */
    static Stream<TypedRule<Sm90Config>> rules() {
        return Stream.of(
                rule("consumers", MultiplyRules::consumers, CONSUMERS),
                rule("modeConsumers", MultiplyRules::modeConsumers, MODE, CONSUMERS),
                rule("ctasPerSm", MultiplyRules::ctasPerSm, CTAS_PER_SM),
                rule("swapOperands", MultiplyRules::swapOperands, SWAP_AB),
                rule("consumerRows", MultiplyRules::consumerRows, MODE, CONSUMERS, SWAP_AB, TILE_M, TILE_N),
                rule("mmaColumns", MultiplyRules::mmaColumns, SWAP_AB, TILE_M, TILE_N),
                rule("majorColumns", MultiplyRules::majorColumns, TILE_N),
                rule(
                        "consumerColumns",
                        MultiplyRules::consumerColumns,
                        MODE,
                        CONSUMERS,
                        SWAP_AB,
                        TILE_M,
                        TILE_N,
                        LoadPlan.SWIZZLE),
                rule("waitDepth", MultiplyRules::waitDepth, WAIT_DEPTH));
    }

    /** What can be built, and nobody gains by. */
    static Stream<TypedRule<Sm90Config>> worthwhile() {
        return Stream.of(
                rule("modeCtas", MultiplyRules::modeCtas, MODE, CTAS_PER_SM),
                rule("swapUnused", MultiplyRules::swapUnused, SWAP_AB, TILE_M, TILE_N),
                rule("waitDepthStages", MultiplyRules::waitDepthStages, LoadPlan.STAGES, WAIT_DEPTH));
    }

    private static TypedRule<Sm90Config> rule(
            String id, Function<MultiplyPlan, Optional<String>> check, Key<?>... parameters) {
        return typed(id, config -> check.apply(config.multiply()), parameters);
    }

    private static Optional<String> consumers(MultiplyPlan multiply) {
        int consumers = multiply.consumers();
        return when(
                consumers < 1 || consumers > MAX_CONSUMERS,
                () -> "consumers must be from 1 to " + MAX_CONSUMERS + ", got " + consumers);
    }

    private static Optional<String> modeConsumers(MultiplyPlan multiply) {
        return when(
                multiply.mode() == Mode.PINGPONG && multiply.consumers() != PINGPONG_CONSUMERS,
                () -> "pingpong takes " + PINGPONG_CONSUMERS + " consumers in turn, got " + multiply.consumers());
    }

    private static Optional<String> ctasPerSm(MultiplyPlan multiply) {
        int ctas = multiply.ctasPerSm();
        return when(
                ctas < 1 || ctas > MAX_CTAS_PER_SM,
                () -> CTAS_PER_SM.name() + " must be 1 or " + MAX_CTAS_PER_SM + ", got " + ctas);
    }

    private static Optional<String> swapOperands(MultiplyPlan multiply) {
        return when(
                multiply.swapAB() && !multiply.config().operands().swappable(),
                () -> SWAP_AB.name() + " must be 0 unless A and B are K-major and D has 16 bits, got 1");
    }

    /** The operand that holds the rows of instructions, for a refusal. */
    private static String ofRows(MultiplyPlan multiply) {
        return multiply.swapAB() ? "tileN" : "tileM";
    }

    private static String ofColumns(MultiplyPlan multiply) {
        return multiply.swapAB() ? "tileM" : "tileN";
    }

    private static Optional<String> consumerRows(MultiplyPlan multiply) {
        int sharers = multiply.warpgroupsPerTile();
        int rows = multiply.tileRows();
        return when(rows <= 0 || !WarpgroupTile.canShare(sharers, rows), () -> {
            int unit = WarpgroupTile.rowUnit(sharers);
            String why = unit == Sm90Config.MMA_ROWS
                    ? ""
                    : ", " + Sm90Config.MMA_ROWS + " for each of " + sharers + " warpgroups that share a tile";
            return ofRows(multiply) + " must be a multiple of " + unit + why + ", got " + rows;
        });
    }

    private static Optional<String> mmaColumns(MultiplyPlan multiply) {
        int columns = multiply.tileColumns();
        int most = multiply.swapAB() ? Sm90Config.MAX_MMA_COLUMNS : MAX_TILE_COLUMNS;
        int step = Sm90Config.MMA_COLUMNS;
        return when(
                        columns < step || columns > most || columns % step != 0,
                        () -> ofColumns(multiply) + " must be a multiple of " + step + " up to " + most + ", got "
                                + columns)
                .or(() -> when(
                        columns > Sm90Config.MAX_MMA_COLUMNS && columns % (2 * step) != 0,
                        () -> ofColumns(multiply) + " above " + Sm90Config.MAX_MMA_COLUMNS
                                + " is made of two instructions side by side, so it must be a multiple of " + 2 * step
                                + ", got " + columns));
    }

    private static Optional<String> majorColumns(MultiplyPlan multiply) {
        return when(
                !multiply.config().operands().kMajor(OperandRole.B) && multiply.tileN() > Sm90Config.MAX_MMA_COLUMNS,
                () -> "tileN of an operand that is n-major must be at most " + Sm90Config.MAX_MMA_COLUMNS + ", got "
                        + multiply.tileN());
    }

    private static Optional<String> consumerColumns(MultiplyPlan multiply) {
        int rows = multiply.tileRows();
        int columns = multiply.tileColumns();
        if (!WarpgroupTile.byColumns(multiply.warpgroupsPerTile(), rows)) {
            return Optional.empty();
        }
        Sm90Operands operands = multiply.config().operands();
        int unit = 2
                * (operands.kMajor(OperandRole.B)
                        ? Sm90Config.MMA_COLUMNS
                        : multiply.config().load().swizzle() / operands.inputBytes());
        return when(
                columns % unit != 0,
                () -> ofColumns(multiply) + " must be a multiple of " + unit
                        + " where two warpgroups share the columns of " + rows + " rows, got " + columns);
    }

    private static Optional<String> waitDepth(MultiplyPlan multiply) {
        int depth = multiply.waitDepth();
        return when(depth != 0 && depth != 1, () -> "waitDepth must be 0 or 1, got " + depth)
                .or(() -> when(
                        depth != 0 && multiply.config().operands().blockScaled(),
                        () -> "waitDepth must be 0 with block scales, which are multiplied block by block, got "
                                + depth));
    }

    /** Either way one tile is stored while another is multiplied. */
    private static Optional<String> modeCtas(MultiplyPlan multiply) {
        int ctas = multiply.ctasPerSm();
        return when(
                multiply.mode() == Mode.PINGPONG && ctas > 1,
                () -> "pingpong hides its epilogues by itself, so " + CTAS_PER_SM.name() + " must be 1, got " + ctas);
    }

    /**
     * The rows of instructions are read again for each of their columns' operands. Swapped, a tile that is no taller
     * than wide has its longer side as rows, and reads no less; a taller one is tried both ways.
     */
    private static Optional<String> swapUnused(MultiplyPlan multiply) {
        int tileM = multiply.tileM();
        int tileN = multiply.tileN();
        return when(
                multiply.swapAB() && tileM % Sm90Config.MMA_ROWS == 0 && tileM <= tileN,
                () -> "a tile of " + tileM + "x" + tileN + " reads no less with A and B swapped, so " + SWAP_AB.name()
                        + " must be 0, got 1");
    }

    /** To hand a stage back before the next one is issued costs time. It pays off if there are few stages. */
    private static Optional<String> waitDepthStages(MultiplyPlan multiply) {
        int stages = multiply.config().load().stages();
        int depth = multiply.waitDepth();
        return when(
                depth == 0
                        && stages > FEW_STAGES
                        && !multiply.config().operands().blockScaled(),
                () -> WAIT_DEPTH.name() + " must be 1 with more than " + FEW_STAGES + " stages, got " + depth + " with "
                        + stages);
    }
}
