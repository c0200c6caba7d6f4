package dev.tilewright.simulator;

import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.space.parameter.L2Hint;
import java.util.Arrays;

/**
 * Computes the part of a tile's loads that goes on to DRAM. Its unit is a <i>panel</i>: the rows of A or of B that a
 * row or column of cluster tiles reads, over all of K. A panel that another tile began to read less than half a tile
 * ago is shared with it but for a small part lost to drift. A panel used before that is a hit if fewer bytes than L2
 * keeps were begun since, and a miss otherwise. For the operand that L2 is asked to keep only its own bytes count, and
 * the other one has the room that is left beside it.
 */
final class L2Cache {

    private final GpuConstants.MemorySystem constants;
    /** Share of all misses that are left when launch follows launch: none for a problem that stays in L2. */
    private final double coldShare;

    private final L2Hint hint;
    private final Panels a;
    private final Panels b;
    /** Bytes of both operands. */
    private double begun;

    /** The panels of one operand. */
    private static final class Panels {
        /** The hint that asks to keep these. */
        private final L2Hint keeping;

        private final double[] startNs;
        /** Of the bytes that count for the operand, how many were begun before the last use of a panel. */
        private final double[] begunBefore;

        private double begun;
        /** Bytes of all that were ever used. */
        private double used;

        Panels(L2Hint keeping, int count) {
            this.keeping = keeping;
            this.startNs = new double[count];
            this.begunBefore = new double[count];
            Arrays.fill(startNs, Double.NEGATIVE_INFINITY);
            Arrays.fill(begunBefore, Double.NEGATIVE_INFINITY);
        }
    }

    L2Cache(GpuConstants.MemorySystem constants, Problem problem, TiledProblem tiled, L2Hint hint) {
        this.constants = constants;
        this.coldShare = coldShare(constants, problem, 0);
        this.hint = hint;
        this.a = new Panels(L2Hint.KEEP_A, tiled.rows());
        this.b = new Panels(L2Hint.KEEP_B, tiled.columns());
    }

    /**
     * Part of its first reads that a launch finds in DRAM, if a launch of the same problem went before it.
     *
     * @param sums bytes that it moves beside the matrices
     */
    static double coldShare(GpuConstants.MemorySystem constants, Problem problem, double sums) {
        double excess = footprint(problem) + sums - constants.l2KeptBytes();
        return Math.clamp(excess / constants.l2KeptBytes(), 0, 1);
    }

    private static double footprint(Problem problem) {
        double bytes = 0;
        for (ProblemShape shape : problem.groups()) {
            bytes += (double) shape.m() * shape.k() * problem.types().a().bytes()
                    + (double) shape.n() * shape.k() * problem.types().b().bytes()
                    + (double) shape.m() * shape.n() * problem.bytesAtAnElement();
        }
        return bytes * problem.batch();
    }

    /** DRAM bytes read for the panel of A of a tile that starts now and lasts at least {@code tileNs}. */
    double readA(int panel, double bytes, double nowNs, double tileNs) {
        return read(a, b, panel, bytes, nowNs, tileNs);
    }

    /** The same for B. */
    double readB(int panel, double bytes, double nowNs, double tileNs) {
        return read(b, a, panel, bytes, nowNs, tileNs);
    }

    /** DRAM bytes for writing the output of a tile. */
    double write(double bytes) {
        return bytes * coldShare;
    }

    private double read(Panels panels, Panels others, int panel, double bytes, double nowNs, double tileNs) {
        boolean shared = nowNs - panels.startNs[panel] < tileNs / 2;
        panels.startNs[panel] = nowNs;
        if (shared) {
            return bytes * constants.driftMissFraction() * coldShare;
        }
        boolean isKept = hint == panels.keeping;
        double room = hint == others.keeping ? constants.l2KeptBytes() - others.used : constants.l2KeptBytes();
        double before = panels.begunBefore[panel];
        double now = isKept ? panels.begun : begun;
        panels.begunBefore[panel] = now;
        if (Double.isInfinite(before)) {
            panels.used += bytes;
        }
        panels.begun += bytes;
        begun += bytes;
        return now - before <= room ? 0 : bytes * coldShare;
    }
}
