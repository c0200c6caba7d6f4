package dev.tilewright.model.problem;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** Which elements of A and of B share a scale; written in lower case. Only inputs of 8 bits have scales. */
public enum Scales {
    /** All of A and all of B: a launch passes the product of both scales. */
    TENSOR,
    /** The elements of a row of A, and those of a row of B, which is a column of D: f32 vectors of M and of N. */
    ROW,
    /** The elements of 1 x 128 of A, and those of 128 x 128 of B: f32 matrices. */
    BLOCK;

    /** Elements along K that share a scale of {@link #BLOCK}. */
    public static final int BLOCK_K = 128;

    /** Rows of B that share a scale of {@link #BLOCK}. */
    public static final int BLOCK_N = 128;

    /** Floats of which the pitch of a matrix of scales is a multiple: 16 bytes, as tensor maps and cublasLt ask. */
    public static final int PITCH_MULTIPLE = 4;

    private final String text = name().toLowerCase(Locale.ROOT);

    /** Leaves the usual one out of documents. */
    static final class Usual {
        @Override
        public boolean equals(Object other) {
            return other == TENSOR;
        }

        @Override
        public int hashCode() {
            return TENSOR.hashCode();
        }
    }

    /**
     * Reads the name.
     *
     * @throws IllegalArgumentException naming the text and the known ones
     */
    @JsonCreator
    public static Scales parse(String text) {
        return Arrays.stream(values())
                .filter(scales -> scales.text.equals(text.strip()))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("unknown scales '" + text + "'; known: "
                        + Arrays.stream(values()).map(Scales::toString).collect(Collectors.joining(", "))));
    }

    /** Why inputs of these types have no such scales; empty if they may. */
    public Optional<String> refusal(OperandTypes types) {
        boolean eight = types.a().bytes() == 1 && types.b().bytes() == 1;
        return this == TENSOR || eight
                ? Optional.empty()
                : Optional.of("scales = " + text + ": only inputs of 8 bits, e4m3 and e5m2, have scales, got a = "
                        + types.a() + ", b = " + types.b());
    }

    /** Whether the scales are buffers, one of A and one of B. */
    public boolean areBuffers() {
        return this != TENSOR;
    }

    /** The index along which the scales of a line lie. */
    public Major major(OperandRole role) {
        return this == BLOCK && role == OperandRole.B ? Major.K : role.rows();
    }

    /** Scales in a line: of {@link #BLOCK} one for each row of A, and one for each block of K of B. */
    public int extent(OperandRole role, ProblemShape shape) {
        return switch (this) {
            case TENSOR -> 0;
            case ROW -> shape.along(role.rows());
            case BLOCK ->
                switch (role) {
                    case A -> shape.m();
                    case B -> blocks(shape.k(), BLOCK_K);
                };
        };
    }

    /** Floats from one line of the scales of an operand to the next; of a vector its length. */
    public int pitch(OperandRole role, ProblemShape shape) {
        int extent = extent(role, shape);
        return this == BLOCK ? Math.ceilDiv(extent, PITCH_MULTIPLE) * PITCH_MULTIPLE : extent;
    }

    /**
     * Lines of the scales of an operand. Of {@link #BLOCK} those of A lie along M, one for each block of K; those of B
     * along K, one for each block of N.
     */
    public int lines(OperandRole role, ProblemShape shape) {
        return switch (this) {
            case TENSOR -> 0;
            case ROW -> 1;
            case BLOCK ->
                switch (role) {
                    case A -> blocks(shape.k(), BLOCK_K);
                    case B -> blocks(shape.n(), BLOCK_N);
                };
        };
    }

    /** Floats of the scales of an operand, with what lies between lines; 0 where they are no buffer. */
    public long elements(OperandRole role, ProblemShape shape) {
        return (long) lines(role, shape) * pitch(role, shape);
    }

    /**
     * The float with the scale of an element of an operand, from the first of its scales on.
     *
     * @param row of the operand
     * @throws IllegalArgumentException if scales are no buffers
     */
    public int index(OperandRole role, ProblemShape shape, int row, int k) {
        return switch (this) {
            case TENSOR -> throw new IllegalArgumentException("the scale of a tensor lies in no buffer");
            case ROW -> row;
            case BLOCK ->
                switch (role) {
                    case A -> k / BLOCK_K * pitch(role, shape) + row;
                    case B -> row / BLOCK_N * pitch(role, shape) + k / BLOCK_K;
                };
        };
    }

    /** Bytes of the scales of both operands. */
    double bytes(ProblemShape shape) {
        return Arrays.stream(OperandRole.values())
                        .mapToLong(role -> elements(role, shape))
                        .sum()
                * (double) Float.BYTES;
    }

    private static int blocks(int extent, int block) {
        return Math.ceilDiv(extent, block);
    }

    @JsonValue
    @Override
    public String toString() {
        return text;
    }
}
