package dev.tilewright.gemm.kernel;

import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import java.util.Optional;
import java.util.function.Function;

/** The tiles of one GEMM, some or all of them in pieces along K: where they lie is found as of whole ones. */
sealed interface PieceLookup extends TileLookup permits SplitLookup, StreamLookup {

    /** Finds whole tiles. */
    RasterLookup whole();

    /** Pieces differ in depth. */
    @Override
    default Optional<Function<CodeBuilder, Reg<B32>>> commonKBlocks() {
        return Optional.empty();
    }

    @Override
    default Maps maps(CodeBuilder b, Matrix matrix) {
        return whole().maps(b, matrix);
    }

    @Override
    default Acquiring acquiring(CodeBuilder b) {
        return whole().acquiring(b);
    }

    @Override
    default Inside inside(CodeBuilder b) {
        return whole().inside(b);
    }
}
