package dev.tilewright.worker.gpu.runner;

import dev.tilewright.gemm.oracle.ChecksumKernel;
import dev.tilewright.launch.BufferDescription;
import dev.tilewright.launch.Expectation;
import dev.tilewright.launch.Fill;
import dev.tilewright.launch.KernelParameter;
import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.launch.element.ElementType;
import dev.tilewright.launch.element.Elements;
import dev.tilewright.model.problem.OperandRole;
import dev.tilewright.proof.compare.Contents;
import dev.tilewright.worker.gpu.cuda.DeviceBuffer;
import dev.tilewright.worker.gpu.cuda.Gpu;
import dev.tilewright.worker.gpu.cuda.KernelArgument;
import dev.tilewright.worker.gpu.verify.Ending;
import dev.tilewright.worker.gpu.verify.OperandSet;
import dev.tilewright.worker.gpu.verify.Reference;
import dev.tilewright.worker.gpu.verify.ScaleSet;
import dev.tilewright.worker.gpu.verify.TestData;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongFunction;
import java.util.stream.Stream;

/**
 * The buffers of a launch on the device. Those that its GEMMs name are the operands of a set: of several groups one
 * behind the other; their C and bias lie likewise in those of the reference. Scales that the launch wants to lie
 * otherwise are copied for it ({@link LaidScales}). All others are the kernel's own, and it has them to itself. One
 * that is zero at first is zeroed before each launch, unless the launch says that it stays as it is; a D that holds
 * something at first gets it anew before each launch. One that holds numbers, pointers or tensor maps is written once,
 * and a kernel that changes it is wrong from its second launch on. One that is poisoned at first is poisoned before
 * each launch of a verification.
 */
final class KernelMemory implements AutoCloseable {

    /** Buffers of a launch begin at multiples of so many bytes. */
    private static final int ALIGNMENT = 512;

    private final Gpu gpu;
    private final LongFunction<DeviceBuffer> allocation;
    private final List<OperandSet> sets;
    private final Optional<Reference> reference;
    private final Releases releases = new Releases();
    private final Map<String, Operand> operands = new HashMap<>();
    private final Map<String, Own> own = new HashMap<>();
    private final Map<String, byte[]> laid = new HashMap<>();
    private final List<DeviceBuffer> zeroedEachLaunch = new ArrayList<>();
    private final Map<DeviceBuffer, Integer> poisoned = new LinkedHashMap<>();
    private final List<Reference.Kept> kept = new ArrayList<>();
    private final List<String> uncompared = new ArrayList<>();
    private final LaunchDescription launch;
    private final OutputContent output;

    private enum Role {
        A,
        B,
        C,
        BIAS,
        SCALE_A,
        SCALE_B,
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
     * @param reference that has the C and the bias of the launch; empty if it has neither
     * @throws dev.tilewright.worker.gpu.cuda.CudaException if the memory is full or the driver refuses a tensor map
     */
    KernelMemory(
            Gpu gpu,
            LongFunction<DeviceBuffer> allocation,
            LaunchDescription launch,
            List<OperandSet> sets,
            Optional<Reference> reference) {
        this.gpu = gpu;
        this.allocation = allocation;
        this.sets = sets;
        this.reference = reference;
        this.launch = launch;
        try {
            place();
            output = OutputContent.of(gpu, launch, reference.map(Reference::c).orElse(List.of()), releases);
            for (BufferDescription buffer : launch.buffers()) {
                boolean unchanged = launch.expected().contains(new Expectation.Unchanged(buffer.name()));
                byte[] scales = laid.get(buffer.name());
                if (scales != null) {
                    lay(buffer, scales, unchanged);
                } else if (!operands.containsKey(buffer.name())) {
                    own(buffer, unchanged);
                }
            }
            launch.expected().stream()
                    .filter(Expectation.Content.class::isInstance)
                    .map(Expectation.Content.class::cast)
                    .forEach(content -> uncompared.add("content of " + content.buffer()));
        } catch (RuntimeException refused) {
            close();
            throw refused;
        }
    }

    /** Whether the host writes to the device for a launch, for which it waits until the stream is empty. */
    static boolean writes(LaunchDescription launch) {
        List<Expectation.Gemm> gemms = Ending.gemms(launch);
        Set<String> operands = new HashSet<>();
        for (Expectation.Gemm gemm : gemms) {
            Stream.of(gemm.a(), gemm.b()).map(Expectation.Operand::buffer).forEach(operands::add);
            gemm.c().map(Expectation.Operand::buffer).ifPresent(operands::add);
            gemm.bias().ifPresent(operands::add);
            LaidScales.of(launch, gemm)
                    .filter(LaidScales::isAsOperands)
                    .forEach(scales -> operands.add(scales.buffer().name()));
            operands.add(gemm.d().buffer());
        }
        return OutputContent.writes(launch)
                || launch.buffers().stream()
                        .filter(buffer -> !operands.contains(buffer.name()))
                        .anyMatch(buffer -> switch (buffer.fill()) {
                            case Fill.Uninitialised _, Fill.Poison _, Fill.Zeros _ -> false;
                            case Fill.Constant _,
                                    Fill.Iota _,
                                    Fill.Identity _,
                                    Fill.Normal _,
                                    Fill.Integers _,
                                    Fill.LogUniform _,
                                    Fill.Packed _,
                                    Fill.Fields _ -> true;
                        });
    }

    private void place() {
        long a = 0;
        long b = 0;
        long c = 0;
        long bias = 0;
        long scaleA = 0;
        long scaleB = 0;
        long d = 0;
        for (Expectation.Gemm gemm : Ending.gemms(launch)) {
            a += put(gemm.a().buffer(), Role.A, a);
            b += put(gemm.b().buffer(), Role.B, b);
            if (gemm.c().isPresent()) {
                c += put(gemm.c().get().buffer(), Role.C, c);
            }
            if (gemm.bias().isPresent()) {
                bias += put(gemm.bias().get(), Role.BIAS, bias);
            }
            if (gemm.scales().isPresent()) {
                scaleA += put(LaidScales.of(launch, gemm, OperandRole.A), Role.SCALE_A, scaleA);
                scaleB += put(LaidScales.of(launch, gemm, OperandRole.B), Role.SCALE_B, scaleB);
            }
            d += put(gemm.d().buffer(), Role.D, d);
        }
    }

    /** Bytes of the scales of the operands, of which those of a GEMM lie so far behind the first. */
    private long put(LaidScales scales, Role role, long offset) {
        if (scales.isAsOperands()) {
            operands.put(scales.buffer().name(), new Operand(role, offset));
        } else {
            byte[] lying = new byte[Math.toIntExact(scales.bytesOfOperands())];
            gpu.read(scales(sets.getFirst()).of(scales.role()).address() + offset, lying);
            laid.put(scales.buffer().name(), scales.laid(lying));
        }
        return scales.bytesOfOperands();
    }

    /** Bytes of the buffer, which lies so far behind the first. */
    private long put(String buffer, Role role, long offset) {
        operands.put(buffer, new Operand(role, offset));
        return launch.buffer(buffer).bytes();
    }

    /** Puts what a launch on a set finds anew into the stream, which is part of the work that is timed. */
    void renew(int set) {
        for (DeviceBuffer buffer : zeroedEachLaunch) {
            gpu.fill(buffer.address(), 0, buffer.bytes());
        }
        output.renew(set, sets.get(set));
    }

    /** How many entries of the stream that takes. */
    int renewals() {
        return zeroedEachLaunch.size() + output.entries();
    }

    /** Poisons what is poisoned at first, for a launch of a verification. */
    void poison() {
        poisoned.forEach((buffer, pattern) -> gpu.fill(buffer.address(), pattern, buffer.bytes()));
    }

    /** Buffers that a launch on these sets leaves as they were. */
    List<Reference.Kept> kept(TestData data, List<OperandSet> judged) {
        List<Reference.Kept> all = new ArrayList<>(kept);
        for (Expectation expectation : launch.expected()) {
            if (expectation instanceof Expectation.Unchanged(String buffer)
                    && operands.get(buffer) instanceof Operand(Role role, long offset)
                    && offset == 0) {
                switch (role) {
                    case A -> judged.forEach(set -> all.add(data.keptA(buffer, set)));
                    case B -> judged.forEach(set -> all.add(data.keptB(buffer, set)));
                    case C -> judged.forEach(set -> all.add(ofC(set).kept()));
                    case BIAS -> all.add(bias().kept());
                    case SCALE_A -> judged.forEach(set -> all.add(data.keptScales(buffer, set, OperandRole.A)));
                    case SCALE_B -> judged.forEach(set -> all.add(data.keptScales(buffer, set, OperandRole.B)));
                    case D -> {}
                }
            }
        }
        return all;
    }

    private Reference.Content ofC(OperandSet set) {
        return reference.orElseThrow().c().get(sets.indexOf(set));
    }

    private static ScaleSet scales(OperandSet set) {
        return set.scales().orElseThrow(() -> new IllegalArgumentException("the operands have no scales"));
    }

    private Reference.Content bias() {
        return reference.flatMap(Reference::bias).orElseThrow();
    }

    /** Expectations that no GPU run compares, for people. */
    List<String> uncompared() {
        return uncompared;
    }

    private void own(BufferDescription buffer, boolean unchanged) {
        switch (buffer.fill()) {
            case Fill.Uninitialised _ -> {
                allocate(buffer);
                if (unchanged) {
                    uncompared.add(buffer.name() + ", which holds nothing at first, is unchanged");
                }
            }
            case Fill.Poison _ -> {
                DeviceBuffer allocated = allocate(buffer);
                int pattern = pattern(buffer.type());
                poisoned.put(allocated, pattern);
                if (unchanged) {
                    gpu.fill(allocated.address(), pattern, allocated.bytes());
                    keep(buffer, allocated, ChecksumKernel.ofPattern(pattern, buffer.bytes()));
                }
            }
            case Fill.Zeros _ -> {
                DeviceBuffer zeros = allocate(buffer);
                gpu.fill(zeros.address(), 0, zeros.bytes());
                if (unchanged) {
                    keep(buffer, zeros, ChecksumKernel.ofPattern(0, buffer.bytes()));
                } else {
                    zeroedEachLaunch.add(zeros);
                }
            }
            case Fill.Fields(List<KernelParameter.Field> fields) -> {
                ByteArrayOutputStream content = new ByteArrayOutputStream();
                int step = Math.toIntExact(buffer.bytes());
                sets.forEach(set -> content.writeBytes(laid(step, fields, set)));
                write(buffer, content.toByteArray(), step, unchanged);
            }
            case Fill.Constant _,
                    Fill.Iota _,
                    Fill.Identity _,
                    Fill.Normal _,
                    Fill.Integers _,
                    Fill.LogUniform _,
                    Fill.Packed _ -> write(buffer, Contents.of(buffer, OutputContent.SEED), 0, unchanged);
        }
    }

    /** Each set has its own, so that they are as cold as its other operands. */
    private void lay(BufferDescription buffer, byte[] scales, boolean unchanged) {
        int step = Math.ceilDiv(scales.length, ALIGNMENT) * ALIGNMENT;
        byte[] content = new byte[Math.multiplyExact(step, sets.size())];
        for (int set = 0; set < sets.size(); set++) {
            System.arraycopy(scales, 0, content, set * step, scales.length);
        }
        write(buffer, content, step, unchanged);
    }

    private void keep(BufferDescription buffer, DeviceBuffer allocated, long checksum) {
        kept.add(new Reference.Kept(buffer.name(), allocated.address(), buffer.bytes(), checksum));
    }

    /** The poison of a type, as often as it fits into a word; of 64 bits, which the device does not fill, its upper. */
    private static int pattern(ElementType type) {
        return switch (type.bytes()) {
            case 1 -> (int) type.poison() * 0x0101_0101;
            case 2 -> (int) type.poison() * 0x0001_0001;
            case 4 -> (int) type.poison();
            default -> (int) (type.poison() >>> 32);
        };
    }

    private DeviceBuffer allocate(BufferDescription buffer) {
        // The device is filled by words.
        DeviceBuffer allocated = allocation.apply(Math.ceilDiv(buffer.bytes(), Integer.BYTES) * Integer.BYTES);
        releases.add(allocated::close);
        own.put(buffer.name(), new Own(allocated, 0));
        return allocated;
    }

    private void write(BufferDescription buffer, byte[] content, long step, boolean unchanged) {
        DeviceBuffer allocated = written(content);
        own.put(buffer.name(), new Own(allocated, step));
        if (unchanged) {
            kept.add(
                    new Reference.Kept(buffer.name(), allocated.address(), content.length, ChecksumKernel.of(content)));
        }
    }

    private DeviceBuffer written(byte[] content) {
        DeviceBuffer allocated = gpu.allocate(content.length);
        releases.add(allocated::close);
        gpu.write(allocated.address(), content);
        return allocated;
    }

    /** Address of a buffer for a kernel that works on a set. */
    private long address(String buffer, OperandSet set) {
        Operand operand = operands.get(buffer);
        if (operand != null) {
            return operand.offset()
                    + switch (operand.role()) {
                        case A -> set.a().address();
                        case B -> set.b().address();
                        case C -> ofC(set).buffer().address();
                        case BIAS -> bias().buffer().address();
                        case SCALE_A -> scales(set).a().address();
                        case SCALE_B -> scales(set).b().address();
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
    KernelArgument parameter(KernelParameter parameter, OperandSet set) {
        return switch (parameter) {
            case KernelParameter.MapByValue(String buffer, long offset, var map) ->
                new KernelArgument.Map(map, address(buffer, set) + offset);
            case KernelParameter.Scalar _,
                    KernelParameter.Pointer _,
                    KernelParameter.NullPointer _,
                    KernelParameter.Raw _,
                    KernelParameter.Struct _ -> new KernelArgument.Bytes(bytes(parameter, set));
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

    /** A buffer of the kernel's own. */
    Optional<DeviceBuffer> buffer(String name) {
        return Optional.ofNullable(own.get(name)).map(Own::buffer);
    }

    @Override
    public void close() {
        releases.close();
    }
}
