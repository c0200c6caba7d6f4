package dev.tilewright.worker.gpu.verify;

import dev.tilewright.gemm.oracle.Allowance;
import dev.tilewright.gemm.oracle.EpilogueReference;
import dev.tilewright.gemm.oracle.ReferenceGemm;
import dev.tilewright.launch.element.ElementType;
import dev.tilewright.launch.element.Elements;
import dev.tilewright.model.problem.EpilogueOp;
import dev.tilewright.model.problem.Major;
import dev.tilewright.worker.gpu.cuda.Gpu;
import dev.tilewright.worker.gpu.verify.ReferenceVerifier.Right;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * An ending applied to sums, in f64 on the host, with the scales, the C and the bias that are on the device.
 *
 * @param scales of each GEMM
 * @param c elements as they lie
 */
record EndedSums(TestData data, Ending ending, List<HostScales> scales, Optional<Numbers> c, Optional<double[]> bias)
        implements ReferenceVerifier.Rule {

    /** Numbers of a buffer on the device: each copy waits for the device, so that many are read at once. */
    record Numbers(Gpu gpu, ElementType type, long address) {
        double[] at(long first, int count) {
            byte[] bytes = new byte[count * type.bytes()];
            gpu.read(address + first * type.bytes(), bytes);
            return IntStream.range(0, count)
                    .mapToDouble(i -> type.decode(Elements.get(bytes, i * type.bytes(), type)))
                    .toArray();
        }
    }

    static EndedSums read(Gpu gpu, TestData data, Ending ending, Reference reference) {
        return new EndedSums(
                data,
                ending,
                data.layout().gemms().stream()
                        .map(gemm -> HostScales.read(gpu, data, gemm))
                        .toList(),
                ending.c().stream()
                        .findFirst()
                        .map(buffer -> new Numbers(
                                gpu,
                                buffer.type(),
                                reference.c().getFirst().buffer().address())),
                reference.bias().map(content -> {
                    ElementType type = ending.bias().getFirst().type();
                    int count = Math.toIntExact(content.bytes() / type.bytes());
                    return new Numbers(gpu, type, content.buffer().address()).at(0, count);
                }));
    }

    @Override
    public ReferenceVerifier.OfElement line(long first, int width) {
        Optional<double[]> ofC = c.map(numbers -> numbers.at(first, width));
        int gemm = data.layout().gemmOf(first);
        boolean ofRows = ending.epilogue().bias().filter(Major.M::equals).isPresent();
        int before = bias.isEmpty() ? 0 : Math.toIntExact(EndingData.biasBefore(data, ending, gemm));
        HostScales own = scales.get(gemm);
        boolean scalesRows = ending.epilogue().scalesRows();
        return (dot, k, at, element) -> right(
                dot,
                k,
                new EpilogueOp.Addends<>(
                        scalesRows ? own.at(element.row(), element.column(), 0) : 1.0,
                        bias.map(numbers -> numbers[before + (ofRows ? element.row() : element.column())])
                                .orElse(0.0),
                        ofC.map(numbers -> numbers[at]).orElse(0.0)));
    }

    private Right right(ReferenceGemm.Element dot, int k, EpilogueOp.Addends<Double> addends) {
        EpilogueReference reference = new EpilogueReference(ending.epilogue());
        Allowance allowance = EndingData.allowance(data, ending, k);
        double beside = allowance.beside(reference.of(dot.value(), dot.absoluteSum(), addends, allowance));
        // The sums are f32; what comes behind them is f64, and rounded to f32 at the end.
        Allowance ofSums = new Allowance(
                0, 0, 0, ReferenceVerifier.errorOfSums(data.problem().scales(), k), 0);
        EpilogueReference.Expected expected = reference.of(dot.value(), dot.absoluteSum(), addends, ofSums);
        double error = expected.error() + 0x1p-24 * Math.abs(expected.value()) + Float.MIN_VALUE;
        return new Right(
                expected.value(),
                error,
                beside,
                ReferenceVerifier.MAGNITUDE_ERROR * beside + allowance.relative() * error + Float.MIN_VALUE);
    }
}
