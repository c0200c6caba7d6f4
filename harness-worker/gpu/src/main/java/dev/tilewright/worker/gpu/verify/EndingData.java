package dev.tilewright.worker.gpu.verify;

import dev.tilewright.gemm.oracle.Allowance;
import dev.tilewright.gemm.oracle.ChecksumKernel;
import dev.tilewright.gemm.oracle.EpilogueKernel;
import dev.tilewright.gemm.oracle.EpilogueKernel.Along;
import dev.tilewright.gemm.oracle.EpilogueMath;
import dev.tilewright.gemm.oracle.ErrorBound;
import dev.tilewright.launch.BufferDescription;
import dev.tilewright.launch.Expectation;
import dev.tilewright.launch.Fill;
import dev.tilewright.launch.element.ElementType;
import dev.tilewright.model.problem.Activation;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Major;
import dev.tilewright.proof.compare.Contents;
import dev.tilewright.proof.compare.GemmAllowance;
import dev.tilewright.worker.gpu.cuda.DeviceBuffer;
import dev.tilewright.worker.gpu.cuda.Gpu;
import dev.tilewright.worker.gpu.verify.Reference.Content;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Makes the C and bias of an ending, and its reference from the sums of the problem.
 *
 * @param seed of random content that has no seed of its own
 * @param owner is told what was allocated
 */
record EndingData(Gpu gpu, Oracle oracle, TestData data, Ending ending, long seed, Consumer<DeviceBuffer> owner) {

    /** Memory that it takes on the device. */
    static long bytes(TestData data, Ending ending) {
        long ofC = ending.c().map(BufferDescription::bytes).orElse(0L)
                * data.sets().size();
        return 2 * data.layout().elementsD() * Float.BYTES
                + ofC
                + ending.bias().map(BufferDescription::bytes).orElse(0L);
    }

    Reference make() {
        List<Content> c = new ArrayList<>();
        ending.c().ifPresent(buffer -> {
            Content first = content(buffer);
            c.add(first);
            while (c.size() < data.sets().size()) {
                DeviceBuffer copy = allocate(buffer.bytes());
                gpu.copy(first.buffer().address(), copy.address(), buffer.bytes());
                c.add(new Content(buffer.name(), copy, buffer.bytes(), first.checksum()));
            }
        });
        Optional<Content> bias = ending.bias().map(this::content);
        Allowance allowance = allowance(data, ending);
        Reference reference = new Reference(
                allocate(data.layout().elementsD() * Float.BYTES),
                allocate(data.layout().elementsD() * Float.BYTES),
                allowance.relative(),
                _ -> 1,
                List.copyOf(c),
                bias);
        compute(reference, allowance);
        return reference;
    }

    static Allowance allowance(TestData data, Ending ending) {
        DataType d = data.problem().types().d();
        double leastC = data.problem().types().a().bytes() == 1
                ? ErrorBound.of(data.problem().types()).c()
                : 0;
        return GemmAllowance.besideF32(ending.gemm(), ElementType.named(d.toString()), leastC);
    }

    /** Whether C is added: 0 times what it holds is not computed. */
    static boolean addsC(Ending ending) {
        return ending.c().isPresent() && ending.gemm().beta() != 0;
    }

    private void compute(Reference reference, Allowance allowance) {
        Expectation.Gemm gemm = ending.gemm();
        boolean byRows = data.problem().major().d() == Major.N;
        EpilogueKernel.Form form = new EpilogueKernel.Form(
                function(gemm.activation()),
                addsC(ending) ? ending.c().map(buffer -> type(buffer.type())) : Optional.empty(),
                gemm.bias()
                        .map(bias -> new EpilogueKernel.Bias(
                                type(ending.bias().orElseThrow().type()),
                                switch (bias.along()) {
                                    case M -> byRows ? Along.LINES : Along.COLUMNS;
                                    case N -> byRows ? Along.COLUMNS : Along.LINES;
                                })));
        Reference sums = data.plain();
        oracle.epilogue(
                form,
                new EpilogueKernel.Addresses(
                        sums.values().address(),
                        sums.allowances().address(),
                        reference.c().isEmpty()
                                ? 0
                                : reference.c().getFirst().buffer().address(),
                        reference.bias().map(bias -> bias.buffer().address()).orElse(0L),
                        reference.values().address(),
                        reference.allowances().address()),
                data.layout().elementsD(),
                byRows ? gemm.n() : gemm.m(),
                byRows ? gemm.m() : gemm.n(),
                (float) gemm.alpha(),
                (float) gemm.beta(),
                allowance);
    }

    private Content content(BufferDescription buffer) {
        DeviceBuffer filled = allocate(buffer.bytes());
        Optional<DataType> type = Stream.of(DataType.values())
                .filter(each -> each.toString().equals(buffer.type().toString()))
                .findFirst();
        if (buffer.fill() instanceof Fill.Normal normal
                && normal.mean() == 0
                && normal.deviation() == 1
                && type.isPresent()) {
            // As A and B are: the host would take seconds for a large one.
            long own = normal.seed().orElse(seed ^ buffer.name().hashCode() * 0x9E37_79B9_7F4A_7C15L);
            oracle.fillNormal(
                    type.get(), filled.address(), buffer.bytes() / type.get().bytes(), own);
            return new Content(
                    buffer.name(), filled, buffer.bytes(), oracle.checksum(filled.address(), buffer.bytes()));
        }
        byte[] content = Contents.of(buffer, seed);
        gpu.write(filled.address(), content);
        return new Content(buffer.name(), filled, buffer.bytes(), ChecksumKernel.of(content));
    }

    /** Whole words, as all memory is filled. */
    private DeviceBuffer allocate(long bytes) {
        DeviceBuffer allocated = gpu.allocate(Math.ceilDiv(bytes, Integer.BYTES) * Integer.BYTES);
        owner.accept(allocated);
        return allocated;
    }

    private static EpilogueMath.Function function(Activation activation) {
        return switch (activation) {
            case NONE -> EpilogueMath.Function.NONE;
            case RELU -> EpilogueMath.Function.RELU;
            case GELU_TANH -> EpilogueMath.Function.GELU_TANH;
            case GELU_ERF -> EpilogueMath.Function.GELU_ERF;
            case SILU -> EpilogueMath.Function.SILU;
        };
    }

    private static DataType type(ElementType type) {
        return DataType.parse(type.toString());
    }
}
