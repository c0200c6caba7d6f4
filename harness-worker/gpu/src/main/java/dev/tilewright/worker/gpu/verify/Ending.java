package dev.tilewright.worker.gpu.verify;

import dev.tilewright.gemm.oracle.ErrorBound;
import dev.tilewright.gemm.oracle.SumError;
import dev.tilewright.gemm.oracle.SumError.Signs;
import dev.tilewright.launch.BufferDescription;
import dev.tilewright.launch.Expectation;
import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.launch.Tolerance;
import dev.tilewright.model.problem.Epilogue;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.proof.export.GroupBuffers;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Treatment of the sums that a launch expects before they are stored, with its tolerance.
 *
 * @param epilogue all steps behind the sums, scales of rows among them
 * @param c of each group with its content, if it is added
 * @param bias likewise
 */
public record Ending(Epilogue epilogue, Tolerance tolerance, List<BufferDescription> c, List<BufferDescription> bias) {

    /** The ending of a kernel that stores its sums as they are. */
    private static final Ending PLAIN = new Ending(Epilogue.NONE, new Tolerance.Exact(), List.of(), List.of());

    public Ending {
        c = List.copyOf(c);
        bias = List.copyOf(bias);
    }

    /** The ending of a launch; one without a description computes the problem. */
    public static Ending of(Optional<LaunchDescription> launch, Problem problem) {
        return launch.map(Ending::of).orElseGet(() -> of(problem));
    }

    /** The ending of a launch, whose groups all have the same epilogue. */
    public static Ending of(LaunchDescription launch) {
        return of(gemms(launch), launch::buffer);
    }

    /** The ending of a kernel of ours for a problem. */
    static Ending of(Problem problem) {
        if (problem.steps().isNone()) {
            return PLAIN;
        }
        GroupBuffers groups = new GroupBuffers(problem);
        Map<String, BufferDescription> buffers =
                groups.buffers().stream().collect(Collectors.toMap(BufferDescription::name, buffer -> buffer));
        return of(gemms(groups.expected()), buffers::get);
    }

    private static Ending of(List<Expectation.Gemm> gemms, Function<String, BufferDescription> buffers) {
        if (gemms.isEmpty()) {
            throw new IllegalArgumentException("the launch expects no GEMM");
        }
        return new Ending(
                gemms.getFirst().steps(),
                gemms.getFirst().tolerance(),
                gemms.stream()
                        .flatMap(gemm -> gemm.c().stream())
                        .map(Expectation.Operand::buffer)
                        .map(buffers)
                        .toList(),
                gemms.stream()
                        .flatMap(gemm -> gemm.bias().stream())
                        .map(buffers)
                        .toList());
    }

    /** All that a launch computes. */
    public static List<Expectation.Gemm> gemms(LaunchDescription launch) {
        return gemms(launch.expected());
    }

    private static List<Expectation.Gemm> gemms(List<Expectation> expected) {
        return expected.stream()
                .filter(Expectation.Gemm.class::isInstance)
                .map(Expectation.Gemm.class::cast)
                .toList();
    }

    /** The steps and the types of the operands that they add, without the tolerance. */
    @Override
    public String toString() {
        return epilogue.said()
                + c.stream().findFirst().map(added -> ", C of " + added.type()).orElse("")
                + bias.stream()
                        .findFirst()
                        .map(added -> ", bias of " + added.type())
                        .orElse("");
    }

    /** Whether the sums of the problem itself are expected, as closely as of everybody. */
    boolean isPlain(Problem problem) {
        ErrorBound usual = ErrorBound.of(problem);
        boolean close = switch (tolerance) {
            case Tolerance.Exact _ -> true;
            case Tolerance.Within _ -> false;
            case Tolerance.Bound(double relative, double c) ->
                relative == usual.relative()
                        && problem.groups().stream().allMatch(shape -> allowed(c, shape.k()) <= usual.scale(shape.k()));
        };
        return close && epilogue.isNone();
    }

    private static double allowed(double c, int k) {
        return new SumError.Rounded(c).of(k, Signs.RANDOM);
    }

    /**
     * Elements of the bias before the vector of one GEMM, where the vectors of all groups lie one behind the other.
     *
     * @param group index of its group
     * @param matrix index in the batch
     */
    long elementsBefore(int group, int matrix) {
        BufferDescription own = bias.get(group);
        long before = bias.subList(0, group).stream()
                .mapToLong(buffer -> buffer.bytes() / buffer.type().bytes())
                .sum();
        return own.shape().size() > 1 ? before + matrix * own.rowStride() : before;
    }
}
