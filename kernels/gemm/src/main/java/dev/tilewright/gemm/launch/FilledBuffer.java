package dev.tilewright.gemm.launch;

import dev.tilewright.model.problem.Problem;
import java.util.List;
import java.util.Optional;

/**
 * A buffer in global memory that the host fills before the first launch, and that no kernel changes. It begins at a
 * multiple of 128 bytes.
 */
public sealed interface FilledBuffer {

    BufferRole role();

    /** Its size. */
    long bytes();

    /** 32-bit words, little-endian. */
    record Words(BufferRole role, List<Integer> words) implements FilledBuffer {
        public Words {
            words = List.copyOf(words);
        }

        @Override
        public long bytes() {
            return (long) Integer.BYTES * words.size();
        }
    }

    /**
     * Outputs of several GEMMs, for the epilogue of the kernel that computes them, in rows of 32 bytes: two pointers,
     * the two extents, and 8 bytes that nobody reads.
     */
    record Outputs(BufferRole role, List<Output> outputs) implements FilledBuffer {

        /** Bytes of a row. */
        public static final int ROW_BYTES = 32;

        /** Bytes of a row before the pointer to C. */
        public static final int C_AT = 8;

        /** Bytes of a row before M, which N follows. */
        public static final int EXTENTS_AT = 16;

        /**
         * The output of one GEMM.
         *
         * @param bias its vector, if one is added
         * @param c its matrix that is added, if one is
         */
        public record Output(Optional<Argument.Pointer> bias, Optional<Argument.Pointer> c, int m, int n) {}

        public Outputs {
            outputs = List.copyOf(outputs);
        }

        /** The outputs of a problem. */
        public static Outputs of(Problem problem) {
            int bytes = problem.types().d().bytes();
            Optional<Boolean> biased = problem.epilogue().bias().map(_ -> true);
            Optional<Boolean> addsC = Optional.of(problem.epilogue().addsC()).filter(adds -> adds);
            return new Outputs(
                    BufferRole.OUTPUTS,
                    OperandLayout.of(problem).gemms().stream()
                            .map(gemm -> new Output(
                                    biased.map(_ -> new Argument.Pointer(BufferRole.BIAS, gemm.bias() * bytes)),
                                    addsC.map(_ -> new Argument.Pointer(BufferRole.C, gemm.d() * bytes)),
                                    gemm.shape().m(),
                                    gemm.shape().n()))
                            .toList());
        }

        @Override
        public long bytes() {
            return (long) ROW_BYTES * outputs.size();
        }
    }

    /**
     * Tensor maps side by side, each of 128 bytes. Kernels read them through the tensormap proxy, behind a fence that
     * acquires them.
     */
    record Maps(BufferRole role, List<Argument.TensorMap> maps) implements FilledBuffer {

        /** Bytes of one map. */
        public static final int MAP_BYTES = 128;

        public Maps {
            maps = List.copyOf(maps);
        }

        @Override
        public long bytes() {
            return (long) MAP_BYTES * maps.size();
        }
    }
}
