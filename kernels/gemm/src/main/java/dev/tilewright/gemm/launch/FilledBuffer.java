package dev.tilewright.gemm.launch;

import java.util.List;

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
