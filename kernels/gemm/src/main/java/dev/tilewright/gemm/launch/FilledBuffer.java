package dev.tilewright.gemm.launch;

import dev.tilewright.model.problem.Problem;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;

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
     * Outputs of several GEMMs, for the epilogue of the kernel that computes them, in rows of 48 bytes: pointers to the
     * bias and to C, the two extents, 8 bytes that nobody reads, and pointers to the scales of A and of B.
     */
    record Outputs(BufferRole role, List<Output> outputs) implements FilledBuffer {

        /** Bytes of a row. */
        public static final int ROW_BYTES = 48;

        /** Bytes of a row before the pointer to the bias. */
        public static final int BIAS_AT = 0;

        /** Bytes of a row before the pointer to C. */
        public static final int C_AT = 8;

        /** Bytes of a row before M, which N follows. */
        public static final int EXTENTS_AT = 16;

        /** Bytes of a row before the pointer to the scales of A. */
        public static final int SCALE_A_AT = 32;

        /** Bytes of a row before the pointer to the scales of B. */
        public static final int SCALE_B_AT = 40;

        /**
         * The output of one GEMM.
         *
         * @param bias its vector, if one is added
         * @param c its matrix that is added, if one is
         * @param scaleA scales of its rows of A, if they have scales
         * @param scaleB scales of its rows of B, likewise
         */
        public record Output(
                Optional<Argument.Pointer> bias,
                Optional<Argument.Pointer> c,
                int m,
                int n,
                Optional<Argument.Pointer> scaleA,
                Optional<Argument.Pointer> scaleB) {

            /** The pointers that there are, each at its place in the row. */
            public SequencedMap<Integer, Argument.Pointer> pointers() {
                SequencedMap<Integer, Argument.Pointer> pointers = new LinkedHashMap<>();
                bias.ifPresent(at -> pointers.put(BIAS_AT, at));
                c.ifPresent(at -> pointers.put(C_AT, at));
                scaleA.ifPresent(at -> pointers.put(SCALE_A_AT, at));
                scaleB.ifPresent(at -> pointers.put(SCALE_B_AT, at));
                return pointers;
            }
        }

        public Outputs {
            outputs = List.copyOf(outputs);
        }

        /** The outputs of a problem. */
        public static Outputs of(Problem problem) {
            int bytes = problem.types().d().bytes();
            boolean biased = problem.epilogue().bias().isPresent();
            boolean addsC = problem.epilogue().addsC();
            boolean scaled = problem.scales().areBuffers();
            return new Outputs(
                    BufferRole.OUTPUTS,
                    OperandLayout.of(problem).gemms().stream()
                            .map(gemm -> new Output(
                                    pointer(biased, gemm, BufferRole.BIAS, bytes),
                                    pointer(addsC, gemm, BufferRole.C, bytes),
                                    gemm.shape().m(),
                                    gemm.shape().n(),
                                    pointer(scaled, gemm, BufferRole.SCALE_A, Float.BYTES),
                                    pointer(scaled, gemm, BufferRole.SCALE_B, Float.BYTES)))
                            .toList());
        }

        private static Optional<Argument.Pointer> pointer(
                boolean exists, OperandLayout.Gemm gemm, BufferRole role, int bytes) {
            return exists ? Optional.of(new Argument.Pointer(role, gemm.first(role) * bytes)) : Optional.empty();
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
