package dev.tilewright.worker.gpu.verify;

import dev.tilewright.gemm.oracle.Allowance;
import dev.tilewright.gemm.oracle.ReferenceGemm;
import dev.tilewright.launch.Along;
import dev.tilewright.launch.BufferDescription;
import dev.tilewright.launch.Expectation;
import dev.tilewright.launch.element.ElementType;
import dev.tilewright.launch.element.Elements;
import dev.tilewright.worker.gpu.cuda.Gpu;
import dev.tilewright.worker.gpu.verify.ReferenceVerifier.Right;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * What an ending makes of a sum, in f64 on the host, from the C and the bias that are on the device.
 *
 * @param c elements as they lie
 */
record EndedSums(Ending ending, Allowance allowance, Optional<Numbers> c, Optional<double[]> bias)
        implements ReferenceVerifier.Rule {

    /** Numbers of a buffer on the device: each copy waits for the device, so that many are read at once. */
    record Numbers(Gpu gpu, BufferDescription buffer, long address) {
        double[] at(long first, int count) {
            ElementType type = buffer.type();
            byte[] bytes = new byte[count * type.bytes()];
            gpu.read(address + first * type.bytes(), bytes);
            return IntStream.range(0, count)
                    .mapToDouble(i -> type.decode(Elements.get(bytes, i * type.bytes(), type)))
                    .toArray();
        }
    }

    static EndedSums read(Gpu gpu, TestData data, Ending ending, Reference reference) {
        return new EndedSums(
                ending,
                EndingData.allowance(data, ending),
                EndingData.addsC(ending)
                        ? Optional.of(new Numbers(
                                gpu,
                                ending.c().orElseThrow(),
                                reference.c().getFirst().buffer().address()))
                        : Optional.empty(),
                reference.bias().map(content -> {
                    BufferDescription buffer = ending.bias().orElseThrow();
                    return new Numbers(gpu, buffer, content.buffer().address()).at(0, buffer.columns());
                }));
    }

    @Override
    public ReferenceVerifier.OfElement line(long first, int width) {
        Optional<double[]> line = c.map(numbers -> numbers.at(first, width));
        return (dot, k, at, element) -> right(dot, k, line.map(numbers -> numbers[at]), element);
    }

    /** @param c what is added, before it is multiplied */
    private Right right(ReferenceGemm.Element dot, int k, Optional<Double> c, ReferenceVerifier.Element element) {
        Expectation.Gemm gemm = ending.gemm();
        double alpha = (float) gemm.alpha();
        double argument = alpha * dot.value();
        double scale = Math.abs(alpha) * dot.absoluteSum();
        if (c.isPresent()) {
            double added = (float) gemm.beta() * c.get();
            argument += added;
            scale += Math.abs(added);
        }
        if (bias.isPresent()) {
            boolean ofRow = gemm.bias().orElseThrow().along() == Along.M;
            double added = bias.get()[ofRow ? element.row() : element.column()];
            argument += added;
            scale += Math.abs(added);
        }
        double value = gemm.activation().of(argument);
        // The sums are f32; what comes behind them is f64, and rounded to f32 at the end.
        double ofSum = ReferenceVerifier.errorOfSums(k) * Math.abs(alpha) * dot.absoluteSum();
        double error = gemm.activation().error(0, ofSum) + 0x1p-24 * Math.abs(value) + Float.MIN_VALUE;
        double beside = allowance.beside(value, argument, scale);
        return new Right(
                value,
                error,
                beside,
                ReferenceVerifier.MAGNITUDE_ERROR * beside + allowance.relative() * error + Float.MIN_VALUE);
    }
}
