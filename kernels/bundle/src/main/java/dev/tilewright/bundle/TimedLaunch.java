package dev.tilewright.bundle;

import dev.tilewright.launch.BufferDescription;
import dev.tilewright.launch.Epilogue;
import dev.tilewright.launch.Expectation;
import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.launch.element.ElementType;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Major;
import dev.tilewright.model.problem.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Which launches can be timed beside the kernels of others: those that compute the same from the same memory, which is
 * one GEMM of operands that lie as those of the problem do, without a gap.
 */
public final class TimedLaunch {

    private TimedLaunch() {}

    /** Why a launch cannot be timed for a problem, with value and rule; empty if it can. */
    public static Optional<String> refusal(Problem problem, LaunchDescription launch) {
        List<Expectation.Gemm> gemms = launch.expected().stream()
                .filter(Expectation.Gemm.class::isInstance)
                .map(Expectation.Gemm.class::cast)
                .toList();
        if (gemms.size() != 1 || problem.groups().size() != 1) {
            return Optional.of("a launch that is timed computes one GEMM, got " + gemms.size());
        }
        Expectation.Gemm gemm = gemms.getFirst();
        if (!gemm.epilogue().equals(Epilogue.NONE)) {
            return Optional.of("a kernel with an epilogue can be proved, not timed: its peers do less; got epilogue "
                    + gemm.epilogue());
        }
        long m = problem.shape().m();
        long n = problem.shape().n();
        long k = problem.shape().k();
        int batch = problem.batch();
        return Stream.of(
                        misfit(
                                launch,
                                "A",
                                gemm.a(),
                                problem.types().a(),
                                problem.major().a() == Major.K,
                                batch,
                                m,
                                k),
                        misfit(
                                launch,
                                "B",
                                gemm.b(),
                                problem.types().b(),
                                problem.major().b() == Major.K,
                                batch,
                                n,
                                k),
                        misfit(launch, "D", gemm.d(), problem.types().d(), true, batch, m, n))
                .flatMap(Optional::stream)
                .findFirst();
    }

    /** @param byRows whether rows lie one after the other */
    private static Optional<String> misfit(
            LaunchDescription launch,
            String role,
            Expectation.Operand operand,
            DataType type,
            boolean byRows,
            int batch,
            long rows,
            long columns) {
        BufferDescription buffer = launch.buffer(operand.buffer());
        List<Long> shape = new ArrayList<>();
        if (buffer.shape().size() > 2 || batch > 1) {
            shape.add((long) batch);
        }
        shape.addAll(byRows ? List.of(rows, columns) : List.of(columns, rows));
        boolean fits = buffer.type() == ElementType.named(type.toString())
                && buffer.shape().equals(shape)
                && buffer.rowStride() == shape.getLast()
                && operand.transposed() != byRows;
        return fits
                ? Optional.empty()
                : Optional.of(role + " of a launch that is timed is " + type + shape + " without gaps"
                        + (byRows ? "" : ", transposed") + ", got buffer " + buffer
                        + (operand.transposed() ? ", transposed" : ""));
    }
}
