package dev.tilewright.worker.cli.apply;

import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.RangedProblem;
import dev.tilewright.model.range.Span;
import dev.tilewright.model.space.Config;
import dev.tilewright.worker.link.client.ApiRefusedException;
import dev.tilewright.worker.link.command.CommandFailedException;
import java.util.List;
import java.util.Optional;

/** Chooses the kernel that replaces PyTorch's. */
public interface KernelSource {

    /** The kernels of a problem, or the reason why PyTorch's stay. */
    sealed interface Choice {}

    /**
     * Kernels.
     *
     * @param rows each for other M, in their order
     */
    record Taken(String family, List<Row> rows) implements Choice {

        /** One kernel for one M. */
        public static Taken of(String family, int m, Config config, double us, Optional<Double> pytorchUs) {
            return new Taken(family, List.of(new Row(m, m, config, Optional.of(us), pytorchUs)));
        }

        /** The table of a range, of which it is not known what PyTorch takes. */
        public static Taken of(String family, List<Span> table) {
            return new Taken(
                    family,
                    table.stream()
                            .map(span ->
                                    new Row(span.from(), span.to(), span.config(), Optional.empty(), Optional.empty()))
                            .toList());
        }
    }

    /**
     * The kernel for some M.
     *
     * @param from the least M
     * @param to the most
     * @param us microseconds of a launch; empty of several M
     * @param pytorchUs the same of the kernel that PyTorch calls; empty if nobody measured it
     */
    record Row(int from, int to, Config config, Optional<Double> us, Optional<Double> pytorchUs) {}

    /** @param why on one line */
    record Left(String why) implements Choice {}

    /**
     * Chooses.
     *
     * @throws CommandFailedException if it cannot be told, such as between two GPUs
     */
    Choice choose(Problem problem) throws ApiRefusedException, InterruptedException;

    /** The same for a range of M. */
    Choice choose(RangedProblem problem) throws ApiRefusedException, InterruptedException;

    /** The GPU of the choices; known when all are made. */
    PackDevice device();
}
