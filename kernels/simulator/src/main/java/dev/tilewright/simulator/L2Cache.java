package dev.tilewright.simulator;

import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import java.util.Arrays;

/**
 * What of the loads of a tile goes on to DRAM. Its unit is a <i>panel</i>: the rows of A or of B that a row or column
 * of cluster tiles reads, over all of K. A panel that another tile began to read less than half a tile ago is shared
 * with it but for a small part lost to drift. A panel used before that is a hit if fewer bytes than L2 keeps were begun
 * since, and a miss otherwise.
 */
final class L2Cache {

    private final GpuConstants.MemorySystem constants;
    /** Share of all misses that are left when launch follows launch: none for a problem that stays in L2. */
    private final double coldShare;

    private final Panels a;
    private final Panels b;
    private double begun;

    /** Last use of each panel of one operand. */
    private record Panels(double[] startNs, double[] begunBefore) {
        static Panels of(int count) {
            double[] never = new double[count];
            Arrays.fill(never, Double.NEGATIVE_INFINITY);
            return new Panels(never, never.clone());
        }
    }

    L2Cache(GpuConstants.MemorySystem constants, Problem problem, TiledProblem tiled) {
        this.constants = constants;
        this.coldShare = coldShare(constants, problem);
        this.a = Panels.of(tiled.rows());
        this.b = Panels.of(tiled.columns());
    }

    /** Part of its first reads that a launch finds in DRAM, if a launch of the same problem went before it. */
    static double coldShare(GpuConstants.MemorySystem constants, Problem problem) {
        double excess = footprint(problem) - constants.l2KeptBytes();
        return Math.clamp(excess / constants.l2KeptBytes(), 0, 1);
    }

    private static double footprint(Problem problem) {
        double bytes = 0;
        for (ProblemShape shape : problem.groups()) {
            bytes += (double) shape.m() * shape.k() * problem.types().a().bytes()
                    + (double) shape.n() * shape.k() * problem.types().b().bytes()
                    + (double) shape.m() * shape.n() * problem.types().d().bytes();
        }
        return bytes * problem.batch();
    }

    /** DRAM bytes read for the panel of A of a tile that starts now and lasts at least {@code tileNs}. */
    double readA(int panel, double bytes, double nowNs, double tileNs) {
        return read(a, panel, bytes, nowNs, tileNs);
    }

    /** The same for B. */
    double readB(int panel, double bytes, double nowNs, double tileNs) {
        return read(b, panel, bytes, nowNs, tileNs);
    }

    /** DRAM bytes for writing the output of a tile. */
    double write(double bytes) {
        return bytes * coldShare;
    }

    private double read(Panels panels, int panel, double bytes, double nowNs, double tileNs) {
        boolean shared = nowNs - panels.startNs()[panel] < tileNs / 2;
        panels.startNs()[panel] = nowNs;
        if (shared) {
            return bytes * constants.driftMissFraction() * coldShare;
        }
        boolean hit = begun - panels.begunBefore()[panel] <= constants.l2KeptBytes();
        panels.begunBefore()[panel] = begun;
        begun += bytes;
        return hit ? 0 : bytes * coldShare;
    }
}
