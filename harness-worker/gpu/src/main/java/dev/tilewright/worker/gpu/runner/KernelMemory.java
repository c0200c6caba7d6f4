package dev.tilewright.worker.gpu.runner;

import dev.tilewright.launch.BufferDescription;
import dev.tilewright.launch.Expectation;
import dev.tilewright.launch.Fill;
import dev.tilewright.launch.KernelParameter;
import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.launch.element.ElementType;
import dev.tilewright.launch.element.Elements;
import dev.tilewright.proof.compare.Contents;
import dev.tilewright.worker.gpu.cuda.DeviceBuffer;
import dev.tilewright.worker.gpu.cuda.Gpu;
import dev.tilewright.worker.gpu.verify.OperandSet;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongFunction;

/**
 * The buffers of a launch on the device. Those that its GEMMs name are the operands of a set: of several groups one
 * behind the other. All others are the kernel's own, and it has them to itself. One that is zero at first is zeroed
 * before each launch, unless the launch says that it stays as it is. One that holds numbers, pointers or tensor maps is
 * written once, and a kernel that changes it is wrong from its second launch on.
 */
final class KernelMemory implements AutoCloseable {

    /** Of the content of the kernel's own buffers that is random. */
    private static final long SEED = 1;

    private final Gpu gpu;
    private final LongFunction<DeviceBuffer> allocation;
    private final List<OperandSet> sets;
    private final Releases releases = new Releases();
    private final Map<String, Operand> operands = new HashMap<>();
    private final Map<String, Own> own = new HashMap<>();
    private final List<DeviceBuffer> zeroedEachLaunch = new ArrayList<>();

    private enum Role {
        A,
        B,
        D
    }

    /** @param offset bytes from the operand of the first group */
    private record Operand(Role role, long offset) {}

    /** @param step bytes from what is of one set to what is of the next */
    private record Own(DeviceBuffer buffer, long step) {}

    /**
     * Allocates and writes all.
     *
     * @param allocation of what the host does not write
     * @throws dev.tilewright.worker.gpu.cuda.CudaException if the memory is full or the driver refuses a tensor map
     */
    KernelMemory(Gpu gpu, LongFunction<DeviceBuffer> allocation, LaunchDescription launch, List<OperandSet> sets) {
        this.gpu = gpu;
        this.allocation = allocation;
        this.sets = sets;
        try {
            place(launch);
            for (BufferDescription buffer : launch.buffers()) {
                if (!operands.containsKey(buffer.name())) {
                    own(buffer, launch.expected().contains(new Expectation.Unchanged(buffer.name())));
                }
            }
        } catch (RuntimeException refused) {
            close();
            throw refused;
        }
    }

    /** Whether the host writes to the device for a launch, for which it waits until the stream is empty. */
    static boolean writes(LaunchDescription launch) {
        List<String> operands = gemms(launch).stream()
                .flatMap(gemm -> List.of(gemm.a(), gemm.b(), gemm.d()).stream())
                .map(Expectation.Operand::buffer)
                .toList();
        return launch.buffers().stream()
                .filter(buffer -> !operands.contains(buffer.name()))
                .anyMatch(buffer -> switch (buffer.fill()) {
                    case Fill.Uninitialised _, Fill.Poison _, Fill.Zeros _ -> false;
                    case Fill.Constant _,
                            Fill.Iota _,
                            Fill.Identity _,
                            Fill.Normal _,
                            Fill.Integers _,
                            Fill.Packed _,
                            Fill.Fields _ -> true;
                });
    }

    private static List<Expectation.Gemm> gemms(LaunchDescription launch) {
        return launch.expected().stream()
                .filter(Expectation.Gemm.class::isInstance)
                .map(Expectation.Gemm.class::cast)
                .toList();
    }

    private void place(LaunchDescription launch) {
        long a = 0;
        long b = 0;
        long d = 0;
        for (Expectation.Gemm gemm : gemms(launch)) {
            operands.put(gemm.a().buffer(), new Operand(Role.A, a));
            operands.put(gemm.b().buffer(), new Operand(Role.B, b));
            operands.put(gemm.d().buffer(), new Operand(Role.D, d));
            a += launch.buffer(gemm.a().buffer()).bytes();
            b += launch.buffer(gemm.b().buffer()).bytes();
            d += launch.buffer(gemm.d().buffer()).bytes();
        }
    }

    private void own(BufferDescription buffer, boolean unchanged) {
        switch (buffer.fill()) {
            case Fill.Uninitialised _, Fill.Poison _ -> allocate(buffer);
            case Fill.Zeros _ -> {
                DeviceBuffer zeros = allocate(buffer);
                gpu.fill(zeros.address(), 0, zeros.bytes());
                if (!unchanged) {
                    zeroedEachLaunch.add(zeros);
                }
            }
            case Fill.Fields(List<KernelParameter.Field> fields) -> {
                ByteArrayOutputStream content = new ByteArrayOutputStream();
                int step = Math.toIntExact(buffer.bytes());
                sets.forEach(set -> content.writeBytes(laid(step, fields, set)));
                write(buffer, content.toByteArray(), step);
            }
            case Fill.Constant _, Fill.Iota _, Fill.Identity _, Fill.Normal _, Fill.Integers _, Fill.Packed _ ->
                write(buffer, Contents.of(buffer, SEED), 0);
        }
    }

    private DeviceBuffer allocate(BufferDescription buffer) {
        // The device is filled by words.
        DeviceBuffer allocated = allocation.apply(Math.ceilDiv(buffer.bytes(), Integer.BYTES) * Integer.BYTES);
        releases.add(allocated::close);
        own.put(buffer.name(), new Own(allocated, 0));
        return allocated;
    }

    private void write(BufferDescription buffer, byte[] content, long step) {
        DeviceBuffer allocated = gpu.allocate(content.length);
        releases.add(allocated::close);
        gpu.write(allocated.address(), content);
        own.put(buffer.name(), new Own(allocated, step));
    }

    /** Where a kernel that works on a set finds a buffer. */
    private long address(String buffer, OperandSet set) {
        Operand operand = operands.get(buffer);
        if (operand != null) {
            return operand.offset()
                    + switch (operand.role()) {
                        case A -> set.a().address();
                        case B -> set.b().address();
                        case D -> set.d().address();
                    };
        }
        Own wanted = own.get(buffer);
        if (wanted == null) {
            throw new IllegalArgumentException("the launch uses a buffer that it does not have: " + buffer);
        }
        return wanted.buffer().address() + sets.indexOf(set) * wanted.step();
    }

    /** A parameter of the kernel that works on a set. */
    dev.tilewright.worker.gpu.cuda.KernelParameter parameter(KernelParameter parameter, OperandSet set) {
        return switch (parameter) {
            case KernelParameter.MapByValue(String buffer, long offset, var map) ->
                new dev.tilewright.worker.gpu.cuda.KernelParameter.Map(map, address(buffer, set) + offset);
            case KernelParameter.Scalar _,
                    KernelParameter.Pointer _,
                    KernelParameter.NullPointer _,
                    KernelParameter.Raw _,
                    KernelParameter.Struct _ ->
                new dev.tilewright.worker.gpu.cuda.KernelParameter.Bytes(bytes(parameter, set));
        };
    }

    private byte[] bytes(KernelParameter parameter, OperandSet set) {
        return switch (parameter) {
            case KernelParameter.Scalar(ElementType type, long bits, var _) -> of(type, bits);
            case KernelParameter.Pointer(String buffer, long offset) ->
                of(ElementType.U64, address(buffer, set) + offset);
            case KernelParameter.NullPointer _ -> new byte[Long.BYTES];
            case KernelParameter.Raw(byte[] content) -> content;
            case KernelParameter.MapByValue(String buffer, long offset, var map) ->
                gpu.encode(map, address(buffer, set) + offset);
            case KernelParameter.Struct(int bytes, List<KernelParameter.Field> fields) -> laid(bytes, fields, set);
        };
    }

    private static byte[] of(ElementType type, long bits) {
        byte[] bytes = new byte[type.bytes()];
        Elements.put(bytes, 0, type, bits);
        return bytes;
    }

    private byte[] laid(int size, List<KernelParameter.Field> fields, OperandSet set) {
        byte[] content = new byte[size];
        for (KernelParameter.Field field : fields) {
            byte[] value = bytes(field.value(), set);
            System.arraycopy(value, 0, content, field.at(), value.length);
        }
        return content;
    }

    /** What is zeroed before each launch, as part of the work that is timed. */
    List<DeviceBuffer> zeroedEachLaunch() {
        return zeroedEachLaunch;
    }

    /** A buffer of the kernel's own. */
    Optional<DeviceBuffer> buffer(String name) {
        return Optional.ofNullable(own.get(name)).map(Own::buffer);
    }

    @Override
    public void close() {
        releases.close();
    }
}
