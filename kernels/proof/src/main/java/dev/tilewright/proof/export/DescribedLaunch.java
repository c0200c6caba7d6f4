package dev.tilewright.proof.export;

import dev.tilewright.gemm.launch.Argument;
import dev.tilewright.gemm.launch.BufferDemand;
import dev.tilewright.gemm.launch.BufferRole;
import dev.tilewright.gemm.launch.FilledBuffer;
import dev.tilewright.gemm.launch.KernelLaunch;
import dev.tilewright.gemm.launch.Swizzle;
import dev.tilewright.launch.BufferDescription;
import dev.tilewright.launch.Expectation;
import dev.tilewright.launch.Extents;
import dev.tilewright.launch.Fill;
import dev.tilewright.launch.KernelParameter;
import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.launch.ScalarRole;
import dev.tilewright.launch.TensorMap;
import dev.tilewright.launch.element.ElementType;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.ptx.Param;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** A launch of one of our kernels in the language of launches. */
public final class DescribedLaunch {

    private final GroupBuffers groups;

    private DescribedLaunch(Problem problem) {
        this.groups = new GroupBuffers(problem);
    }

    /** @param params of the entry, whose names say what the numbers are */
    public static LaunchDescription of(Problem problem, KernelLaunch launch, List<Param> params) {
        return new DescribedLaunch(problem)
                .describe(launch, i -> ScalarRole.find(params.get(i).name()));
    }

    /** Of a kernel whose entry is not at hand: nothing is said of what its numbers stand for. */
    public static LaunchDescription of(Problem problem, KernelLaunch launch) {
        return new DescribedLaunch(problem).describe(launch, _ -> Optional.empty());
    }

    private LaunchDescription describe(KernelLaunch launch, IntFunction<Optional<ScalarRole>> roles) {
        List<BufferDescription> buffers = new ArrayList<>(groups.buffers());
        launch.buffers().forEach(demand -> buffers.add(demanded(demand)));
        launch.filled().forEach(filled -> buffers.add(filled(filled)));
        List<KernelParameter> parameters = IntStream.range(0, launch.arguments().size())
                .mapToObj(i -> parameter(launch.arguments().get(i), roles.apply(i)))
                .toList();
        List<Expectation> expected = new ArrayList<>(groups.expected());
        // The kernel leaves zero what is zeroed once.
        launch.buffers().stream()
                .filter(demand -> demand.zero() == BufferDemand.Zero.ONCE)
                .forEach(demand ->
                        expected.add(new Expectation.Unchanged(demand.role().toString())));
        return new LaunchDescription(
                Optional.of(launch.entry()),
                Extents.of(launch.gridX()),
                Extents.of(launch.threads()),
                Optional.of(Extents.of(launch.clusterSize())),
                launch.dynamicSharedBytes(),
                launch.overlaps(),
                buffers,
                parameters,
                expected);
    }

    private static BufferDescription demanded(BufferDemand demand) {
        // Whoever reads a trace zeroes it before the launch that is looked at: that is no need of the kernel's.
        boolean zero = demand.zero() != BufferDemand.Zero.NEVER && demand.role() != BufferRole.TRACE;
        Fill fill = zero ? new Fill.Zeros() : new Fill.Uninitialised();
        return bytes(demand.role(), ElementType.U8, demand.bytes(), fill);
    }

    private BufferDescription filled(FilledBuffer filled) {
        return switch (filled) {
            case FilledBuffer.Words(BufferRole role, List<Integer> words) -> {
                ByteBuffer content =
                        ByteBuffer.allocate(Math.toIntExact(filled.bytes())).order(ByteOrder.LITTLE_ENDIAN);
                words.forEach(content::putInt);
                yield bytes(role, ElementType.U32, words.size(), new Fill.Packed(content.array(), "values"));
            }
            case FilledBuffer.Outputs(BufferRole role, List<FilledBuffer.Outputs.Output> outputs) ->
                bytes(role, ElementType.U8, filled.bytes(), new Fill.Fields(fields(outputs)));
            case FilledBuffer.Maps(BufferRole role, List<Argument.TensorMap> maps) -> {
                List<KernelParameter.Field> fields = IntStream.range(0, maps.size())
                        .mapToObj(i -> new KernelParameter.Field(i * FilledBuffer.Maps.MAP_BYTES, map(maps.get(i))))
                        .toList();
                yield bytes(role, ElementType.U8, filled.bytes(), new Fill.Fields(fields));
            }
        };
    }

    private List<KernelParameter.Field> fields(List<FilledBuffer.Outputs.Output> outputs) {
        List<KernelParameter.Field> fields = new ArrayList<>();
        for (int index = 0; index < outputs.size(); index++) {
            FilledBuffer.Outputs.Output output = outputs.get(index);
            int row = index * FilledBuffer.Outputs.ROW_BYTES;
            output.pointers().forEach((at, start) -> fields.add(new KernelParameter.Field(row + at, pointer(start))));
            int extents = row + FilledBuffer.Outputs.EXTENTS_AT;
            fields.add(new KernelParameter.Field(extents, number(output.m(), Optional.empty())));
            fields.add(new KernelParameter.Field(extents + Integer.BYTES, number(output.n(), Optional.empty())));
        }
        return fields;
    }

    private static KernelParameter number(int value, Optional<ScalarRole> role) {
        return new KernelParameter.Scalar(ElementType.U32, Integer.toUnsignedLong(value), role);
    }

    private KernelParameter pointer(Argument.Pointer pointer) {
        GroupBuffers.BufferOffset at = groups.at(pointer.buffer(), pointer.offsetBytes());
        return new KernelParameter.Pointer(at.buffer(), at.offset());
    }

    private static BufferDescription bytes(BufferRole role, ElementType type, long extent, Fill fill) {
        return new BufferDescription(
                role.toString(), type, List.of(extent), extent, fill, BufferDescription.USUAL_GUARD);
    }

    private KernelParameter parameter(Argument argument, Optional<ScalarRole> role) {
        return switch (argument) {
            case Argument.U32(int value) -> number(value, role);
            case Argument.F32(var _, float value) ->
                new KernelParameter.Scalar(
                        ElementType.F32, Integer.toUnsignedLong(Float.floatToRawIntBits(value)), role);
            case Argument.U64(long value) -> new KernelParameter.Scalar(ElementType.U64, value);
            case Argument.Pointer pointer -> pointer(pointer);
            case Argument.TensorMap map -> map(map);
        };
    }

    private KernelParameter map(Argument.TensorMap map) {
        GroupBuffers.BufferOffset at = groups.at(map.buffer(), map.offsetBytes());
        return new KernelParameter.MapByValue(
                at.buffer(),
                at.offset(),
                new TensorMap(
                        elements(map.type()),
                        map.dims(),
                        map.strides(),
                        map.box(),
                        Collections.nCopies(map.dims().size(), 1),
                        map.swizzle() == Swizzle.NONE ? 0 : map.swizzle().bytes(),
                        false,
                        map.promotionBytes()));
    }

    private static ElementType elements(DataType type) {
        return ElementType.named(type.toString());
    }
}
