package dev.tilewright.worker.gpu.verify;

import dev.tilewright.gemm.oracle.Allowance;
import dev.tilewright.gemm.oracle.ReferenceGemm;
import dev.tilewright.launch.Along;
import dev.tilewright.launch.BufferDescription;
import dev.tilewright.launch.Expectation;
import dev.tilewright.launch.element.Elements;
import dev.tilewright.worker.gpu.cuda.Gpu;
import dev.tilewright.worker.gpu.verify.ReferenceVerifier.Right;
import java.util.Optional;

/**
 * What an ending makes of a sum, in f64 on the host, from the C and the bias that are on the device.
 *
 * @param c elements as they lie
 */
record EndedSums(Ending ending, Allowance allowance, Optional<Numbers> c, Optional<Numbers> bias)
        implements ReferenceVerifier.Rule {

    /** Numbers of a buffer on the device; each is read when it is asked for. */
    record Numbers(Gpu gpu, BufferDescription buffer, long address) {
        double at(long element) {
            byte[] bytes = new byte[buffer.type().bytes()];
            gpu.read(address + element * bytes.length, bytes);
            return buffer.type().decode(Elements.get(bytes, 0, buffer.type()));
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
                reference
                        .bias()
                        .map(content -> new Numbers(
                                gpu,
                                ending.bias().orElseThrow(),
                                content.buffer().address())));
    }

    @Override
    public Right at(ReferenceGemm.Element dot, int k, long place, int row, int column) {
        Expectation.Gemm gemm = ending.gemm();
        double alpha = (float) gemm.alpha();
        double argument = alpha * dot.value();
        double scale = Math.abs(alpha) * dot.absoluteSum();
        if (c.isPresent()) {
            double added = (float) gemm.beta() * c.get().at(place);
            argument += added;
            scale += Math.abs(added);
        }
        if (bias.isPresent()) {
            boolean ofRow = gemm.bias().orElseThrow().along() == Along.M;
            double added = bias.get().at(ofRow ? row : column);
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
