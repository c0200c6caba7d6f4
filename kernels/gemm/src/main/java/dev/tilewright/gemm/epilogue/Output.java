package dev.tilewright.gemm.epilogue;

import dev.tilewright.gemm.launch.FilledBuffer.Outputs;
import dev.tilewright.model.problem.Major;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.Param;
import dev.tilewright.ptx.type.GlobalAddress;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.ptx.type.ScalarType;
import java.util.List;
import java.util.Map;

/** The output that a tile is of: how far it goes, and where what is added to it begins. */
sealed interface Output {

    /** Extent along M or N. */
    Reg<B32> extent(CodeBuilder b, Major dimension);

    /** Start of its bias. */
    Reg<B64> bias(CodeBuilder b);

    /** Start of its C. */
    Reg<B64> c(CodeBuilder b);

    /**
     * The output of a launch with one GEMM.
     *
     * @param extents the parameters of the kernel with the extents that its code reads
     * @param addends the parameters of the kernel with the operands that its epilogue adds
     */
    record OfOne(Map<Major, Param> extents, Map<Addend, Param> addends) implements Output {
        public OfOne {
            extents = Map.copyOf(extents);
            addends = Map.copyOf(addends);
        }

        @Override
        public Reg<B32> extent(CodeBuilder b, Major dimension) {
            return b.param32(extents.get(dimension));
        }

        @Override
        public Reg<B64> bias(CodeBuilder b) {
            return b.globalPointer(addends.get(Addend.BIAS));
        }

        @Override
        public Reg<B64> c(CodeBuilder b) {
            return b.globalPointer(addends.get(Addend.C));
        }
    }

    /** Operands that an epilogue adds. */
    enum Addend {
        BIAS,
        C
    }

    /** One of several, read from its row of {@link Outputs}. */
    record OfSeveral(Reg<B32> m, Reg<B32> n, Reg<B64> toBias, Reg<B64> toC) implements Output {

        /**
         * Reads the row.
         *
         * @param outputs start of the rows
         * @param gemm index of the GEMM
         */
        static OfSeveral read(CodeBuilder b, Param outputs, Reg<B32> gemm) {
            OfSeveral row = new OfSeveral(b.b32(), b.b32(), b.b64(), b.b64());
            GlobalAddress at = GlobalAddress.of(b.madWide(gemm, Outputs.ROW_BYTES, b.globalPointer(outputs)));
            b.ldVector(ScalarType.U32, List.of(row.m, row.n), at.plus(Outputs.EXTENTS_AT));
            b.ldVector(ScalarType.U64, List.of(row.toBias, row.toC), at);
            return row;
        }

        @Override
        public Reg<B32> extent(CodeBuilder b, Major dimension) {
            return switch (dimension) {
                case M -> m;
                case N -> n;
                case K -> throw new IllegalArgumentException("an output has no extent along k");
            };
        }

        @Override
        public Reg<B64> bias(CodeBuilder b) {
            return toBias;
        }

        @Override
        public Reg<B64> c(CodeBuilder b) {
            return toC;
        }
    }
}
