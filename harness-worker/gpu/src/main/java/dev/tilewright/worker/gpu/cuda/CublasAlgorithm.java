package dev.tilewright.worker.gpu.cuda;

import java.util.Arrays;

/**
 * An algorithm that cublasLt takes for a problem, as the library has it.
 *
 * @param words {@code cublasLtMatmulAlgo_t}, 64 bytes
 */
public record CublasAlgorithm(long[] words) {

    @Override
    public boolean equals(Object other) {
        return other instanceof CublasAlgorithm(long[] theirs) && Arrays.equals(words, theirs);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(words);
    }
}
