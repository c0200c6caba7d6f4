package dev.tilewright.gemm.epilogue;

import dev.tilewright.gemm.launch.BufferRole;
import dev.tilewright.gemm.launch.FilledBuffer.Outputs;
import dev.tilewright.gemm.param.BoundParams;
import dev.tilewright.model.problem.Major;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.Param;
import dev.tilewright.ptx.type.GlobalAddress;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.ptx.type.ScalarType;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** The output that a tile is of: how far it goes, and where what is added to it begins. */
sealed interface Output {

    /** Extent along M or N. */
    Reg<B32> extent(CodeBuilder b, Major dimension);

    /** Start of what is read beside it. */
    Reg<B64> start(CodeBuilder b, Beside operand);

    /**
     * The output of a launch with one GEMM.
     *
     * @param extents the parameters of the kernel with the extents that its code reads
     * @param addends the parameters of the kernel with the operands that its epilogue adds
     */
    record OfOne(Map<Major, Param> extents, Map<Beside, Param> operands) implements Output {
        public OfOne {
            extents = Map.copyOf(extents);
            operands = Map.copyOf(operands);
        }

        @Override
        public Reg<B32> extent(CodeBuilder b, Major dimension) {
            return b.param32(extents.get(dimension));
        }

        @Override
        public Reg<B64> start(CodeBuilder b, Beside operand) {
            return b.globalPointer(operands.get(operand));
        }
    }

    /** Operands that an epilogue reads beside the sums. */
    enum Beside {
        BIAS("bias", BufferRole.BIAS, Outputs.BIAS_AT),
        C("c", BufferRole.C, Outputs.C_AT),
        SCALE_A("scaleA", BufferRole.SCALE_A, Outputs.SCALE_A_AT),
        SCALE_B("scaleB", BufferRole.SCALE_B, Outputs.SCALE_B_AT);

        private final String parameter;
        private final BufferRole role;
        private final int place;

        /** @param place of its start in a row of {@link Outputs} */
        Beside(String parameter, BufferRole role, int place) {
            this.parameter = parameter;
            this.role = role;
            this.place = place;
        }

        /** Declares its start as a parameter. */
        Param declare(BoundParams<?> params) {
            return params.operand(parameter, role);
        }
    }

    /** One of several, read from its row of {@link Outputs}. */
    record OfSeveral(Reg<B32> m, Reg<B32> n, Map<Beside, Reg<B64>> starts) implements Output {
        public OfSeveral {
            starts = Map.copyOf(starts);
        }

        /**
         * Reads the row.
         *
         * @param rows of all GEMMs
         * @param gemm index of the GEMM
         */
        static OfSeveral read(CodeBuilder b, Rows rows, Reg<B32> gemm) {
            Map<Beside, Reg<B64>> starts = new EnumMap<>(Beside.class);
            Reg<B32> m = b.b32();
            Reg<B32> n = b.b32();
            rows.read.forEach(operand -> starts.put(operand, b.b64()));
            GlobalAddress at = GlobalAddress.of(b.madWide(gemm, Outputs.ROW_BYTES, b.globalPointer(rows.start)));
            b.ldVector(ScalarType.U32, List.of(m, n), at.plus(Outputs.EXTENTS_AT));
            starts.forEach((operand, start) -> b.ldVector(ScalarType.U64, List.of(start), at.plus(operand.place)));
            return new OfSeveral(m, n, starts);
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
        public Reg<B64> start(CodeBuilder b, Beside operand) {
            return Objects.requireNonNull(starts.get(operand));
        }
    }

    /**
     * The rows of {@link Outputs} of a launch with several GEMMs.
     *
     * @param read what steps read of each
     */
    record Rows(Param start, Set<Beside> read) {
        public Rows {
            read = EnumSet.copyOf(read);
        }
    }
}
