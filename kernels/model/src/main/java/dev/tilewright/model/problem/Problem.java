package dev.tilewright.model.problem;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * A problem to tune for: one or more groups of D[M,N] = A[M,K] · B[N,K]ᵀ, each repeated {@code batch} times.
 *
 * @param groups one shape for each group; a plain GEMM has one
 * @param batch how many independent problems of each shape there are, at least 1
 * @param epilogue what is done to the sums before they are stored; documents of sums as they are do not have it
 * @param scales which inputs of 8 bits share a scale; documents of the usual one, of a tensor, do not have it
 * @throws IllegalArgumentException if there is no group, the batch is below 1 or the types have no such scales
 */
public record Problem(
        List<ProblemShape> groups,
        int batch,
        OperandTypes types,
        OperandMajors major,
        Scenario scenario,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) Epilogue epilogue,

        @JsonInclude(value = JsonInclude.Include.CUSTOM, valueFilter = Scales.Usual.class)
        Scales scales) {

    public Problem {
        groups = List.copyOf(groups);
        epilogue = Objects.requireNonNullElse(epilogue, Epilogue.NONE);
        scales = Objects.requireNonNullElse(scales, Scales.TENSOR);
        if (groups.isEmpty()) {
            throw new IllegalArgumentException("a problem needs at least one group");
        }
        if (batch < 1) {
            throw new IllegalArgumentException("batch must be at least 1, got " + batch);
        }
        scales.refusal(types).ifPresent(reason -> {
            throw new IllegalArgumentException(reason);
        });
    }

    /** One whose sums are stored as they are. */
    public Problem(List<ProblemShape> groups, int batch, OperandTypes types, OperandMajors major, Scenario scenario) {
        this(groups, batch, types, major, scenario, Epilogue.NONE);
    }

    /** One whose inputs have a scale for each tensor, if they have scales. */
    public Problem(
            List<ProblemShape> groups,
            int batch,
            OperandTypes types,
            OperandMajors major,
            Scenario scenario,
            Epilogue epilogue) {
        this(groups, batch, types, major, scenario, epilogue, Scales.TENSOR);
    }

    /** A plain GEMM: one shape, the types that one name stands for, default layouts, a quiet GPU. */
    public static Problem of(ProblemShape shape, DataType type) {
        return new Problem(List.of(shape), 1, OperandTypes.of(type), OperandMajors.DEFAULT, Scenario.QUIET);
    }

    /** The same in another scenario. */
    public Problem beside(Scenario other) {
        return new Problem(groups, batch, types, major, other, epilogue, scales);
    }

    /** The same with another epilogue. */
    public Problem with(Epilogue other) {
        return new Problem(groups, batch, types, major, scenario, other, scales);
    }

    /** The same with other scales. */
    public Problem with(Scales other) {
        return new Problem(groups, batch, types, major, scenario, epilogue, other);
    }

    /** All steps between the sums of a kernel and D: scales of rows, then those of the epilogue. */
    public Epilogue steps() {
        return epilogue.behind(scales);
    }

    /** The same GEMM of other shapes, repeated so often. */
    public Problem of(List<ProblemShape> others, int repeats) {
        return new Problem(others, repeats, types, major, scenario, epilogue, scales);
    }

    /** Whether this is one GEMM, neither grouped nor batched. */
    @JsonIgnore
    public boolean isSingle() {
        return groups.size() == 1 && batch == 1;
    }

    /** Whether this is one GEMM of one type, with the default layouts, on a quiet GPU. */
    @JsonIgnore
    public boolean isPlain() {
        return equals(of(shape(), types.a()));
    }

    /** The only shape of a plain GEMM, the first one of a grouped problem. */
    @JsonIgnore
    public ProblemShape shape() {
        return groups.getFirst();
    }

    /**
     * The extents of all groups and the batch, such as {@code 2 x (200x136x72 + 456x72x264)}; of a plain GEMM its
     * shape.
     */
    @JsonIgnore
    public String shapes() {
        String sum = groups.stream().map(ProblemShape::toString).collect(Collectors.joining(" + "));
        return batch == 1 ? sum : batch + " x (" + sum + ")";
    }

    /** Floating-point operations of all groups and the whole batch. */
    @JsonIgnore
    public double flops() {
        return batch * groups.stream().mapToDouble(ProblemShape::flops).sum();
    }

    /** The rate that a duration means for this problem. TFLOP/s are computed nowhere else. */
    public double tflops(double durationNs) {
        return flops() / durationNs / 1e3;
    }

    /**
     * Bytes that the problem moves at the least: A, B, their scales and what the epilogue adds read once, D written
     * once, of all groups and the whole batch.
     */
    @JsonIgnore
    public double bytes() {
        return batch * groups.stream().mapToDouble(this::bytes).sum();
    }

    private double bytes(ProblemShape shape) {
        double m = shape.m();
        double n = shape.n();
        double k = shape.k();
        return m * k * types.a().bytes()
                + n * k * types.b().bytes()
                + scales.bytes(shape)
                + (m * n + epilogue.elements(shape)) * types.d().bytes();
    }

    /** Bytes that are moved for each element of D: its own, and those of C where it is added. */
    @JsonIgnore
    public int bytesAtAnElement() {
        return (epilogue.addsC() ? 2 : 1) * types.d().bytes();
    }

    /** The rate that a duration means for {@link #bytes}, in 10^9 bytes a second. */
    public double gigabytesPerSecond(double durationNs) {
        return bytes() / durationNs;
    }
}
