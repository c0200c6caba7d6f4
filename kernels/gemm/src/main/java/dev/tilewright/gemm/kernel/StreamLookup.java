package dev.tilewright.gemm.kernel;

import dev.tilewright.gemm.scheduler.ShareCode;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import java.util.Optional;

/**
 * The tiles of one GEMM, of which the first ones are shared by all clusters: a number is that of a piece of such a
 * tile, or of a tile that is dealt whole.
 */
public record StreamLookup(RasterLookup whole, ShareCode shares) implements PieceLookup {

    @Override
    public Found find(CodeBuilder b, Reg<B32> number) {
        return whole.find(b, shares.tile(b, number));
    }

    @Override
    public Depth depth(CodeBuilder b, Reg<B32> number, Found found) {
        ShareCode.Part part = shares.part(b, number);
        return new Depth(Optional.of(part.firstBlock()), part.blocks());
    }

    @Override
    public Reg<B32> kBlocks(CodeBuilder b, Reg<B32> number) {
        return shares.part(b, number).blocks();
    }
}
