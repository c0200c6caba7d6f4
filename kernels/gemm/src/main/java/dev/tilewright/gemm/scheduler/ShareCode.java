package dev.tilewright.gemm.scheduler;

import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.Param;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.Pred;

/**
 * {@link dev.tilewright.space.share.StreamShares} as PTX, of one cluster. Nothing is prepared: what a role needs it
 * reckons anew from parameters and special registers, so that nothing is held over a mainloop: an id that was held over
 * it, the assembler spilled.
 *
 * @param cluster that has the share
 * @param sharedTiles parameter: tiles that are cut, R
 * @param shareBlocks parameter: blocks of a share
 * @param longer parameter: shares with one block more
 * @param firstWhole parameter: number of the first tile that is dealt whole
 * @param kBlocks parameter: blocks of a tile, B
 */
public record ShareCode(
        ClusterPlace cluster, Param sharedTiles, Param shareBlocks, Param longer, Param firstWhole, Param kBlocks) {

    /** A part of a tile: the blocks before it, and its own. */
    public record Part(Reg<B32> firstBlock, Reg<B32> blocks) {}

    /** Whether a number is that of a piece, and not of a whole tile. */
    public Reg<Pred> isPiece(CodeBuilder b, Reg<B32> number) {
        return b.lt(number, b.param32(firstWhole));
    }

    /** The cluster's first number: of its first piece, or where its share is empty of its first whole tile. */
    public void first(CodeBuilder b, Reg<B32> number) {
        Reg<B32> start = start(b, cluster.id(b));
        Reg<B32> end = start(b, b.add(cluster.id(b), 1));
        Reg<B32> piece = b.add(cluster.id(b), b.div(start, b.param32(kBlocks)));
        b.select(number, b.lt(start, end), piece, firstWhole(b));
    }

    /** From a number of the cluster to its next one: a second piece, its first whole tile, one more wave. */
    public void next(CodeBuilder b, Reg<B32> number) {
        Reg<Pred> piece = isPiece(b, number);
        Reg<B32> behind = b.mulLo(b.add(b.sub(number, cluster.id(b)), 1), b.param32(kBlocks));
        Reg<Pred> goesOn = b.andPred(piece, b.lt(behind, start(b, b.add(cluster.id(b), 1))));
        Reg<B32> whole = b.select(piece, firstWhole(b), b.add(number, cluster.count(b)));
        b.select(number, goesOn, b.add(number, 1), whole);
    }

    private Reg<B32> firstWhole(CodeBuilder b) {
        return b.add(cluster.id(b), b.param32(firstWhole));
    }

    /** The tile of a number. */
    public Reg<B32> tile(CodeBuilder b, Reg<B32> number) {
        Reg<B32> whole = b.add(b.sub(number, b.param32(firstWhole)), b.param32(sharedTiles));
        return b.select(isPiece(b, number), sharedTile(b, number), whole);
    }

    /** The tile of a piece. */
    public Reg<B32> sharedTile(CodeBuilder b, Reg<B32> piece) {
        return b.sub(piece, cluster.id(b));
    }

    /** What the cluster has of the tile of a number. */
    public Part part(CodeBuilder b, Reg<B32> number) {
        Reg<Pred> piece = isPiece(b, number);
        Reg<B32> all = b.param32(kBlocks);
        Reg<B32> before = b.mulLo(sharedTile(b, number), all);
        Reg<B32> from = b.sub(b.max(start(b, cluster.id(b)), before), before);
        Reg<B32> to = b.min(b.sub(start(b, b.add(cluster.id(b), 1)), before), all);
        Reg<B32> first = b.b32();
        Reg<B32> blocks = b.b32();
        b.select(first, piece, from, Immediate.b32(0));
        b.select(blocks, piece, b.sub(to, from), all);
        return new Part(first, blocks);
    }

    /** The number of the first piece of the tile of a piece. */
    public Reg<B32> firstPiece(CodeBuilder b, Reg<B32> piece) {
        Reg<B32> tile = sharedTile(b, piece);
        return b.add(owner(b, b.mulLo(tile, b.param32(kBlocks))), tile);
    }

    /** How many pieces the tile of a piece has beside its first one. */
    public Reg<B32> others(CodeBuilder b, Reg<B32> piece) {
        Reg<B32> blocks = b.param32(kBlocks);
        Reg<B32> before = b.mulLo(sharedTile(b, piece), blocks);
        Reg<B32> last = b.sub(b.add(before, blocks), 1);
        return b.sub(owner(b, last), owner(b, before));
    }

    private Reg<B32> start(CodeBuilder b, Operand<B32> of) {
        return b.mad(of, b.param32(shareBlocks), b.min(of, b.param32(longer)));
    }

    /** One division for both kinds of shares. */
    private Reg<B32> owner(CodeBuilder b, Reg<B32> block) {
        Reg<B32> more = b.param32(longer);
        Reg<B32> share = b.param32(shareBlocks);
        Reg<B32> ofLonger = b.mad(more, share, more);
        Reg<Pred> inLonger = b.lt(block, ofLonger);
        Reg<B32> size = b.select(inLonger, b.add(share, 1), share);
        Reg<B32> early = b.div(b.select(inLonger, block, b.sub(block, ofLonger)), size);
        return b.select(inLonger, early, b.add(early, more));
    }
}
