package dev.tilewright.bundle;

import dev.tilewright.launch.BufferDescription;
import dev.tilewright.launch.Expectation;
import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.launch.element.ElementType;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Major;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Launches that can be verified and timed on a GPU: they compute one GEMM, with any epilogue, of operands that lie as
 * those of the problem do, without a gap.
 */
public final class TimedLaunch {

    /** Element types that an epilogue may add. */
    private static final List<ElementType> ADDED = List.of(ElementType.BF16, ElementType.F16, ElementType.F32);

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
        long m = problem.shape().m();
        long n = problem.shape().n();
        long k = problem.shape().k();
        int batch = problem.batch();
        boolean byRows = problem.major().d() == Major.N;
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
                        misfit(launch, "D", gemm.d(), problem.types().d(), byRows, batch, m, n),
                        gemm.c().flatMap(c -> misfitOfC(launch, c, gemm.d())),
                        gemm.bias()
                                .flatMap(bias -> misfit(
                                        launch, bias, gemm.epilogue().bias().orElseThrow(), problem.shape(), batch)))
                .flatMap(Optional::stream)
                .findFirst();
    }

    private static Optional<String> misfitOfC(
            LaunchDescription launch, Expectation.Operand operand, Expectation.Operand output) {
        BufferDescription c = launch.buffer(operand.buffer());
        BufferDescription d = launch.buffer(output.buffer());
        return ADDED.contains(c.type())
                        && c.shape().equals(d.shape())
                        && c.rowStride() == c.shape().getLast()
                        && operand.transposed() == output.transposed()
                ? Optional.empty()
                : Optional.of("C of a launch that is timed is of " + ADDED + ", and lies as D does, without gaps: "
                        + d.shape() + (output.transposed() ? ", transposed" : "") + ", got buffer " + c
                        + (operand.transposed() ? ", transposed" : ""));
    }

    /** One vector for all matrices, or one for each of a batch. */
    private static Optional<String> misfit(
            LaunchDescription launch, String bias, Major along, ProblemShape shape, long batch) {
        BufferDescription buffer = launch.buffer(bias);
        long extent = shape.along(along);
        boolean vectors = buffer.shape().equals(List.of(extent))
                || buffer.shape().equals(List.of(batch, extent)) && buffer.rowStride() == extent;
        return ADDED.contains(buffer.type()) && vectors
                ? Optional.empty()
                : Optional.of("a bias along " + along + " of a launch that is timed has " + extent + " numbers of "
                        + ADDED + ", or as many for each matrix of a batch, without gaps, got buffer " + buffer);
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
