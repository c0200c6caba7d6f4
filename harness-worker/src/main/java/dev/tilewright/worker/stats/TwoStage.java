package dev.tilewright.worker.stats;

/**
 * Stein's two-stage procedure: from the spread of a first stage it is decided once how many blocks the interval of a
 * ratio needs, and nobody looks again before they are all there. To look after each block and stop where the interval
 * is narrow would stop where the spread happens to look small, and such intervals hold the truth less often than they
 * say.
 *
 * @param halfWidth half the width wanted of the 95 % interval, as a logarithm: 0.005 is half a percent to each side
 * @param mostBlocks blocks of both stages at the most
 */
public record TwoStage(double halfWidth, int mostBlocks) {

    public TwoStage {
        if (!(halfWidth > 0 && Double.isFinite(halfWidth)) || mostBlocks < BlockSummary.LEAST_BLOCKS) {
            throw new IllegalArgumentException("two stages want a positive half width and at least "
                    + BlockSummary.LEAST_BLOCKS + " blocks, got " + halfWidth + " and " + mostBlocks);
        }
    }

    /**
     * How many blocks in all give the interval its width, whatever the most is. The first stage knows the spread only
     * as well as its effective blocks allow, so the quantile of Student's stays the first stage's, and so does the
     * autocorrelation: the half width falls with the square root of the blocks.
     */
    public long wanted(PairedBlocks first) {
        double excess = first.halfWidth() / halfWidth;
        return Math.max(first.size(), (long) Math.ceil(first.size() * excess * excess));
    }

    /** How many blocks are run in all: as many as wanted, but no more than the most, and none of the first undone. */
    public int blocks(PairedBlocks first) {
        return (int) Math.max(first.size(), Math.min(mostBlocks, wanted(first)));
    }
}
