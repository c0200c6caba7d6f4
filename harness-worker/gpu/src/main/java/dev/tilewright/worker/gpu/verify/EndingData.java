package dev.tilewright.worker.gpu.verify;

import dev.tilewright.gemm.launch.OperandLayout;
import dev.tilewright.gemm.oracle.Allowance;
import dev.tilewright.gemm.oracle.EpilogueKernel;
import dev.tilewright.gemm.oracle.ErrorBound;
import dev.tilewright.gemm.oracle.SumError.Signs;
import dev.tilewright.launch.BufferDescription;
import dev.tilewright.launch.Fill;
import dev.tilewright.launch.element.ElementType;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Major;
import dev.tilewright.model.problem.OperandRole;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.proof.compare.Contents;
import dev.tilewright.proof.compare.GemmAllowance;
import dev.tilewright.worker.gpu.cuda.DeviceBuffer;
import dev.tilewright.worker.gpu.cuda.Gpu;
import dev.tilewright.worker.gpu.verify.Reference.Content;
import java.io.ByteArrayOutputStream;
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
        return 2 * data.layout().elementsD() * Float.BYTES
                + bytes(ending.c()) * data.sets().size()
                + bytes(ending.bias());
    }

    private static long bytes(List<BufferDescription> parts) {
        return parts.stream().mapToLong(BufferDescription::bytes).sum();
    }

    Reference make() {
        List<Content> c = new ArrayList<>();
        if (!ending.c().isEmpty()) {
            Content first = content(ending.c());
            c.add(first);
            while (c.size() < data.sets().size()) {
                DeviceBuffer copy = allocate(first.bytes());
                gpu.copy(first.buffer().address(), copy.address(), first.bytes());
                c.add(new Content(first.name(), copy, first.bytes(), first.checksum()));
            }
        }
        Optional<Content> bias = ending.bias().isEmpty() ? Optional.empty() : Optional.of(content(ending.bias()));
        Reference reference = new Reference(
                allocate(data.layout().elementsD() * Float.BYTES),
                allocate(data.layout().elementsD() * Float.BYTES),
                allowance(data, ending, 1).relative(),
                _ -> 1,
                List.copyOf(c),
                bias);
        for (int gemm = 0; gemm < data.layout().gemms().size(); gemm++) {
            compute(reference, gemm);
        }
        return reference;
    }

    /** @param k depth of the sums */
    static Allowance allowance(TestData data, Ending ending, int k) {
        DataType d = data.problem().types().d();
        double leastC = data.problem().types().a().bytes() == 1
                ? ErrorBound.of(data.problem()).sums().c(k, data.signs())
                : 0;
        return GemmAllowance.besideF32(
                ending.tolerance(), ending.epilogue(), k, ElementType.named(d.toString()), leastC);
    }

    /** Elements of the bias before the vector of a GEMM of the problem. */
    static long biasBefore(TestData data, Ending ending, int gemm) {
        int batch = data.problem().batch();
        return ending.elementsBefore(gemm / batch, gemm % batch);
    }

    private void compute(Reference reference, int index) {
        OperandLayout.Gemm gemm = data.layout().gemms().get(index);
        ProblemShape shape = gemm.shape();
        Major output = data.problem().major().d();
        Optional<DataType> typeOfC = ending.c().stream().findFirst().map(EndingData::type);
        Optional<DataType> typeOfBias = ending.bias().stream().findFirst().map(EndingData::type);
        oracle.epilogue(
                new EpilogueKernel.Form(ending.epilogue(), output, typeOfC, typeOfBias),
                new EpilogueKernel.Addresses(
                        data.plain().valueAt(gemm.d()),
                        data.plain().allowanceAt(gemm.d()),
                        scales(gemm, OperandRole.A),
                        scales(gemm, OperandRole.B),
                        typeOfC.map(type -> reference.c().getFirst().buffer().address() + gemm.d() * type.bytes())
                                .orElse(0L),
                        typeOfBias
                                .map(type ->
                                        reference.bias().orElseThrow().buffer().address()
                                                + biasBefore(data, ending, index) * type.bytes())
                                .orElse(0L),
                        reference.valueAt(gemm.d()),
                        reference.allowanceAt(gemm.d())),
                output == Major.N
                        ? new EpilogueKernel.Lines(shape.m(), shape.n())
                        : new EpilogueKernel.Lines(shape.n(), shape.m()),
                allowance(data, ending, shape.k()));
    }

    private long scales(OperandLayout.Gemm gemm, OperandRole role) {
        return ending.epilogue().scalesRows() ? data.addressOfScales(data.sets().getFirst(), gemm, role) : 0;
    }

    /** The buffers of all groups, one behind the other. */
    private Content content(List<BufferDescription> parts) {
        BufferDescription first = parts.getFirst();
        long bytes = bytes(parts);
        DeviceBuffer filled = allocate(bytes);
        Optional<DataType> type = Stream.of(DataType.values())
                .filter(each -> each.toString().equals(first.type().toString()))
                .findFirst();
        if (type.isPresent() && parts.stream().allMatch(part -> isUsual(part.fill()))) {
            // As A and B are: the host would take seconds for a large one.
            long own = seed ^ first.name().hashCode() * 0x9E37_79B9_7F4A_7C15L;
            oracle.fillNormal(
                    type.get(),
                    Signs.RANDOM,
                    filled.address(),
                    bytes / type.get().bytes(),
                    own);
        } else {
            ByteArrayOutputStream content = new ByteArrayOutputStream();
            parts.forEach(part -> content.writeBytes(Contents.of(part, seed)));
            gpu.write(filled.address(), content.toByteArray());
        }
        return new Content(first.name(), filled, bytes, oracle.checksum(filled.address(), bytes));
    }

    private static boolean isUsual(Fill fill) {
        return fill instanceof Fill.Normal normal
                && normal.mean() == 0
                && normal.deviation() == 1
                && normal.seed().isEmpty();
    }

    /** Whole words, as all memory is filled. */
    private DeviceBuffer allocate(long bytes) {
        DeviceBuffer allocated = gpu.allocate(Math.ceilDiv(bytes, Integer.BYTES) * Integer.BYTES);
        owner.accept(allocated);
        return allocated;
    }

    private static DataType type(BufferDescription buffer) {
        return DataType.parse(buffer.type().toString());
    }
}
