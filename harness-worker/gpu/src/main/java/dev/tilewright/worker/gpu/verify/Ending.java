package dev.tilewright.worker.gpu.verify;

import dev.tilewright.gemm.oracle.ErrorBound;
import dev.tilewright.launch.BufferDescription;
import dev.tilewright.launch.Epilogue;
import dev.tilewright.launch.Expectation;
import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.launch.Tolerance;
import dev.tilewright.model.problem.Activation;
import dev.tilewright.model.problem.OperandTypes;
import java.util.List;
import java.util.Optional;

/**
 * What a launch expects of its sums before they are stored, and how closely.
 *
 * @param gemm the first that the launch computes: of several groups they have all one ending
 * @param c with its content, if it is added
 * @param bias likewise
 */
public record Ending(Expectation.Gemm gemm, Optional<BufferDescription> c, Optional<BufferDescription> bias) {

    /** That of a kernel which stores its sums as they are, and whose launch nobody describes. */
    private static final Ending PLAIN = new Ending(
            new Expectation.Gemm(
                    new Expectation.Operand("A", false),
                    new Expectation.Operand("B", false),
                    new Expectation.Operand("D", false),
                    Optional.empty(),
                    1,
                    0,
                    Optional.empty(),
                    Activation.NONE,
                    1,
                    1,
                    1,
                    1,
                    new Tolerance.Exact()),
            Optional.empty(),
            Optional.empty());

    /** That of a launch; a launch that nobody describes computes the plain GEMM. */
    public static Ending of(Optional<LaunchDescription> launch) {
        return launch.map(Ending::of).orElse(PLAIN);
    }

    /** That of a launch. */
    public static Ending of(LaunchDescription launch) {
        Expectation.Gemm gemm = gemms(launch).stream()
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("the launch expects no GEMM: " + launch.expected()));
        return new Ending(
                gemm,
                gemm.c().map(operand -> launch.buffer(operand.buffer())),
                gemm.bias().map(bias -> launch.buffer(bias.buffer())));
    }

    /** All that a launch computes. */
    public static List<Expectation.Gemm> gemms(LaunchDescription launch) {
        return launch.expected().stream()
                .filter(Expectation.Gemm.class::isInstance)
                .map(Expectation.Gemm.class::cast)
                .toList();
    }

    /** What is done to the sums, with the types of what is added; not how closely it is compared. */
    @Override
    public String toString() {
        return gemm.epilogue()
                + c.map(added -> ", C of " + added.type()).orElse("")
                + bias.map(added -> ", bias of " + added.type()).orElse("");
    }

    /** Whether the sums of the problem itself are expected, as closely as of everybody. */
    boolean isPlain(OperandTypes types) {
        ErrorBound usual = ErrorBound.of(types);
        boolean close = switch (gemm.tolerance()) {
            case Tolerance.Exact _ -> true;
            case Tolerance.Within _ -> false;
            case Tolerance.Bound(double relative, double c) -> relative == usual.relative() && c <= usual.c();
        };
        return close && gemm.epilogue().equals(Epilogue.NONE);
    }
}
