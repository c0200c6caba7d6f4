package dev.tilewright.simulator;

import dev.tilewright.model.problem.Problem;
import dev.tilewright.space.parameter.L2Hint;
import dev.tilewright.space.raster.Raster;

/**
 * The bytes that a GEMM moves between L2 and DRAM if its cluster tiles run in waves of equal size, in raster order.
 *
 * <p>A wave spans {@code across} panels of the banded dimension and {@code along} of the other. Waves go down a band:
 * the panels of the band are wanted again by each next wave, and are still there as far as L2 has room for them beside
 * what streams through; the panels of the other operand are wanted again by the next band only. The operand that L2 is
 * asked to keep has the room first, and the other what is left of it.
 *
 * @param bytes read and written by one GEMM
 * @param missShare part of what tiles read that comes from DRAM
 */
record WaveTraffic(double bytes, double missShare) {

    /**
     * @param tile a cluster tile, or a piece of one
     * @param hint the operand that is to stay
     * @param wave how many of them run at a time
     * @param pieces of each tile along K
     * @param output bytes that are written of D
     * @param sums bytes that pieces of all GEMMs of a batch leave for each other, and which are read while they are
     *     still in L2
     */
    static WaveTraffic of(
            GpuConstants.MemorySystem memory,
            Problem problem,
            Raster raster,
            TileModel.Traffic tile,
            L2Hint hint,
            double wave,
            int pieces,
            double output,
            double sums) {
        double banded = raster.alongN() ? raster.tilesN() : raster.tilesM();
        double other = raster.alongN() ? raster.tilesM() : raster.tilesN();
        double bandedPanel = raster.alongN() ? tile.panelB() : tile.panelA();
        double otherPanel = raster.alongN() ? tile.panelA() : tile.panelB();
        double kept = memory.l2KeptBytes();

        double along = Math.clamp(wave / pieces / raster.group(), 1, other);
        double band = raster.group() * bandedPanel;
        double otherAll = other * otherPanel;
        L2Hint keepsBanded = raster.alongN() ? L2Hint.KEEP_B : L2Hint.KEEP_A;
        double beforeBand = hint == L2Hint.NONE ? along * otherPanel : hint == keepsBanded ? 0 : otherAll;
        double beforeOther = hint == L2Hint.NONE || hint == keepsBanded ? band : 0;

        double bandKept = Math.clamp((kept - beforeBand) / band, 0, 1);
        double bandedReads = banded * bandedPanel * (bandKept + (1 - bandKept) * Math.max(other / along, 1));
        double otherKept = Math.clamp((kept - beforeOther) / otherAll, 0, 1);
        double bands = Math.ceil(banded / raster.group());
        double otherReads = otherAll * (otherKept + (1 - otherKept) * bands);

        double cold = L2Cache.coldShare(memory, problem, sums);
        double reads = (bandedReads + otherReads) * pieces * cold;
        double written = (output + sums / problem.batch()) * cold;
        double wanted = banded * other * (bandedPanel + otherPanel) * pieces;
        return new WaveTraffic(reads + written, Math.min(1, reads / wanted));
    }
}
