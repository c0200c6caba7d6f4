package dev.tilewright.gemm.kernel;

import dev.tilewright.gemm.launch.BufferRole;
import dev.tilewright.model.problem.Major;
import dev.tilewright.model.problem.OperandRole;
import dev.tilewright.ptx.CodeBuilder;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The tile of a number: its coordinates, its depth along K, and the tensor maps that move it. Each role asks for
 * itself, tile by tile, by a {@link TileWalk}.
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
     * Begins the walk of a role.
     *
     * @param matrices that it moves by TMA
     */
    TileWalk begin(CodeBuilder b, List<Matrix> matrices);

    /** Reads the blocks along K of each tile, where all have as many. */
    Optional<Function<CodeBuilder, KBlocks>> commonKBlocks();
}
