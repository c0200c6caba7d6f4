package dev.tilewright.space.family;

import dev.tilewright.model.problem.OperandRole;
import dev.tilewright.space.family.Sm90Config.Mode;
import dev.tilewright.space.operand.OperandTile;

/**
 * The text parameters of {@code sm90-gemm} by type, for rules and resources. {@link Sm90Config} has all of them, and
 * says what they mean; {@link Sm90Reading} has those that the config of one rule has.
 */
sealed interface Sm90Values permits Sm90Config, Sm90Reading {

    TileLocation location();

    Scheduler scheduler();

    Throttle throttle();

    Mode mode();

    int consumers();

    boolean swapAB();

    int tileM();

    int tileN();

    int tileK();

    int loadStages();

    int clusterM();

    int clusterN();

    ClusterOrder clusterOrder();

    Multicast multicast();

    int swizzle();

    int epilogueN();

    int epilogueStages();

    int registers();

    int ctasPerSm();

    int waitDepth();

    int splitK();

    Sm90Operands operands();

    /** CTAs of a cluster. */
    default int clusterSize() {
        return clusterM() * clusterN();
    }

    /** Warpgroups that multiply for one tile. */
    default int warpgroupsPerTile() {
        return switch (mode()) {
            case COOPERATIVE -> consumers();
            case PINGPONG -> 1;
        };
    }

    /** The operand whose rows are the rows of instructions; the rows of the other one are their columns. */
    default OperandRole rowOperand() {
        return swapAB() ? OperandRole.B : OperandRole.A;
    }

    /** Extent of a tile along the rows of its instructions. */
    default int tileRows() {
        return rows(rowOperand());
    }

    /** Extent of a tile along the columns of its instructions. */
    default int tileColumns() {
        return rows(rowOperand().other());
    }

    /** The part of a tile that one warpgroup multiplies. */
    default WarpgroupTile warpgroupTile() {
        return WarpgroupTile.of(warpgroupsPerTile(), tileRows(), tileColumns());
    }

    /** f32 accumulators of a consumer thread. */
    default int accumulators() {
        return tileM() * tileN() / Sm90Config.THREADS_PER_WARPGROUP / warpgroupsPerTile();
    }

    /** Bytes of A and B of a stage. */
    default int stageBytes() {
        return (tileM() + tileN()) * tileK() * operands().inputBytes();
    }

    /** Bytes of a panel of 64 rows. */
    default int panelBytes() {
        return Sm90Config.MMA_ROWS * epilogueN() * operands().outputBytes();
    }

    /** Panels through which one warpgroup stores what it has of a tile. */
    default int panels() {
        WarpgroupTile own = warpgroupTile();
        return own.rows() / Sm90Config.MMA_ROWS * Math.ceilDiv(own.columns(), epilogueN());
    }

    /** Rows of an operand that a tile has. */
    default int rows(OperandRole role) {
        return switch (role) {
            case A -> tileM();
            case B -> tileN();
        };
    }

    /** CTAs that load rows of an operand for each other. */
    default int sharers(OperandRole role) {
        if (!multicast().of(role)) {
            return 1;
        }
        return switch (role) {
            case A -> clusterN();
            case B -> clusterM();
        };
    }

    /** Rows of an operand that one CTA loads at a time. */
    default int loadRows(OperandRole role) {
        return OperandTile.loadedRows(rows(role), sharers(role));
    }
}
