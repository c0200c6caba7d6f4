package dev.tilewright.gemm.kernel;

import dev.tilewright.gemm.launch.BufferRole;
import dev.tilewright.model.problem.Major;
import dev.tilewright.model.problem.OperandRole;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.type.GenericAddress;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.space.operand.OperandTile;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * What the number of a cluster tile means: where it lies, how deep it is, and which tensor maps move it. Each role asks
 * for itself.
 */
public sealed interface TileLookup permits RasterLookup, SplitLookup, TableLookup {

    /** A matrix that is moved by TMA. */
    enum Matrix {
        A("mapA", BufferRole.A, Major.M, Major.K),
        B("mapB", BufferRole.B, Major.N, Major.K),
        D("mapD", BufferRole.D, Major.M, Major.N),
        /** D by the box of its last panel, where that is narrower than the others. */
        NARROW_D("narrowMapD", BufferRole.D, Major.M, Major.N);

        private final String parameter;
        private final BufferRole buffer;
        private final Major first;
        private final Major second;

        Matrix(String parameter, BufferRole buffer, Major first, Major second) {
            this.parameter = parameter;
            this.buffer = buffer;
            this.first = first;
            this.second = second;
        }

        /** The other one of its two dimensions. */
        Major otherThan(Major dimension) {
            return dimension == first ? second : first;
        }

        /** The matrix of an input. */
        static Matrix of(OperandRole role) {
            return switch (role) {
                case A -> A;
                case B -> B;
            };
        }

        /** The buffer that it lies in. */
        BufferRole buffer() {
            return buffer;
        }

        /** Name of the parameter that is its tensor map, in a kernel of one GEMM. */
        String parameter() {
            return parameter;
        }
    }

    /**
     * A cluster tile that a role works on.
     *
     * @param place of the tile of this CTA
     * @param row its row of a table, if there is one
     */
    record Found(TilePlace place, Optional<Row> row) {

        /**
         * A row of a table.
         *
         * @param address in global memory
         * @param gemm index of the GEMM that the tile is of
         * @param kBlocks how many blocks along K the tile has
         */
        record Row(Reg<B64> address, Reg<B32> gemm, Reg<B32> kBlocks) {}

        /** Index of the GEMM that the tile is of, where a launch has several. */
        public Optional<Reg<B32>> gemm() {
            return row.map(Row::gemm);
        }
    }

    /**
     * What a cluster tile has of K, or a piece of one.
     *
     * @param firstBlock blocks before it; absent if there are none
     * @param blocks at least 1
     */
    record Depth(Optional<Reg<B32>> firstBlock, Reg<B32> blocks) {}

    /** Tensor maps of one matrix. */
    interface Maps {

        /** The map for a tile. */
        GenericAddress of(CodeBuilder b, Found tile);
    }

    /** Lets a thread copy by maps: what the host wrote there is seen. */
    interface Acquiring {

        /**
         * By the thread that copies, before it does.
         *
         * @param maps of the tile, the same ones for each tile of its GEMM
         * @param by whether this thread copies; absent if all do that come here
         */
        void acquire(CodeBuilder b, Found tile, List<GenericAddress> maps, Optional<Reg<Pred>> by);
    }

    /** Whether the tile of this CTA holds output. */
    interface Inside {
        Reg<Pred> of(CodeBuilder b, Found tile);
    }

    /** Finds a cluster tile. */
    Found find(CodeBuilder b, Reg<B32> tile);

    /** What a tile that was found has of K. */
    Depth depth(CodeBuilder b, Reg<B32> tile, Found found);

    /** Blocks along K of a cluster tile, for a role that needs nothing else. */
    Reg<B32> kBlocks(CodeBuilder b, Reg<B32> tile);

    /** Reads the blocks along K of each tile, where all have as many. */
    Optional<Function<CodeBuilder, Reg<B32>>> commonKBlocks();

    /** Prepares the maps of a matrix. */
    Maps maps(CodeBuilder b, Matrix matrix);

    /** Prepares the maps of operands, in their order. */
    default List<Maps> maps(CodeBuilder b, List<OperandTile> operands) {
        return operands.stream()
                .map(operand -> maps(b, Matrix.of(operand.role())))
                .toList();
    }

    /** Prepares to copy by maps. */
    Acquiring acquiring(CodeBuilder b);

    /** Prepares the question whether tiles hold output. */
    Inside inside(CodeBuilder b);
}
