package dev.tilewright.simulator;

import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.trial.Testbed;
import dev.tilewright.model.trial.TestbedKind;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * The limits of a GPU by the vendor's datasheet: a kernel is as close to it as the closer of its two rates.
 *
 * @param tensorTflops dense rate of the tensor cores on two-byte inputs, 10^12 operations a second; twice as much on
 *     one-byte ones
 * @param memoryGbPerSecond bandwidth of the memory, 10^9 bytes a second
 */
public record Roofline(double tensorTflops, double memoryGbPerSecond) {

    /** GPUs whose datasheets are known, all of them modules. */
    private static final Map<String, Roofline> KNOWN = Map.of(
            "H200", new Roofline(989.5, 4800),
            "H100", new Roofline(989.5, 3350),
            "GB200", new Roofline(2500, 8000),
            "B200", new Roofline(2250, 8000));

    /** The roofline of a testbed with times, by the name of its device; empty for a GPU without a known datasheet. */
    public static Optional<Roofline> of(Testbed testbed) {
        if (testbed.kind() == TestbedKind.EMULATED) {
            return Optional.empty();
        }
        return ofDevice(testbed.device());
    }

    /** The roofline of a GPU by its name, such as {@code NVIDIA H200}; empty without a known datasheet. */
    public static Optional<Roofline> ofDevice(String name) {
        DeviceName device = DeviceName.of(name);
        return KNOWN.entrySet().stream()
                .filter(known -> device.isModule(known.getKey()))
                .map(Map.Entry::getValue)
                .findFirst();
    }

    /** The share of the roofline of a testbed; {@code null} if it is not known. */
    public static @Nullable Double share(Testbed testbed, Problem problem, double durationNs) {
        return of(testbed)
                .map(roofline -> roofline.share(problem, durationNs))
                .filter(OptionalDouble::isPresent)
                .map(OptionalDouble::getAsDouble)
                .orElse(null);
    }

    /**
     * The share of this roofline that a kernel reaches: the larger of the shares of the tensor cores' rate and of the
     * memory's bandwidth, the latter with every operand moved once. Empty for inputs that tensor cores do not multiply
     * at a known rate.
     *
     * @param durationNs of one launch
     */
    public OptionalDouble share(Problem problem, double durationNs) {
        OptionalDouble tensor = tensorNs(problem);
        return tensor.isEmpty()
                ? tensor
                : OptionalDouble.of(Math.max(tensor.getAsDouble(), memoryNs(problem)) / durationNs);
    }

    /**
     * Nanoseconds that the tensor cores need at their rate; empty for inputs that they do not multiply at a known one.
     */
    public OptionalDouble tensorNs(Problem problem) {
        int bytes = Math.max(problem.types().a().bytes(), problem.types().b().bytes());
        return bytes > DataType.BF16.bytes()
                ? OptionalDouble.empty()
                : OptionalDouble.of(problem.tflops(1) / (tensorTflops * DataType.BF16.bytes() / bytes));
    }

    /** Nanoseconds that the memory needs at its bandwidth to move every operand once. */
    public double memoryNs(Problem problem) {
        return problem.gigabytesPerSecond(1) / memoryGbPerSecond;
    }
}
