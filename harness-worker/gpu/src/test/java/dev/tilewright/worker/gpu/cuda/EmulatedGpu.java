package dev.tilewright.worker.gpu.cuda;

import dev.tilewright.emulator.PtxEmulator;
import dev.tilewright.emulator.RunEnd;
import dev.tilewright.emulator.run.Argument;
import dev.tilewright.emulator.run.Buffer;
import dev.tilewright.emulator.run.Dim3;
import dev.tilewright.emulator.run.Launch;
import dev.tilewright.emulator.run.Options;
import dev.tilewright.emulator.tensor.Swizzle;
import dev.tilewright.launch.Extents;
import dev.tilewright.launch.TensorMap;
import dev.tilewright.launch.element.ElementType;
import dev.tilewright.ptx.parse.ParsedModule;
import dev.tilewright.ptx.parse.PtxParser;
import dev.tilewright.ptx.type.ScalarType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A GPU whose modules are PTX texts that the emulator runs, each launch when it is put into the stream. It takes
 * pointers, numbers and tensor maps as parameters, knows no time, and a hazard is a fault.
 */
public final class EmulatedGpu implements Gpu {

    private static final int SMS = 2;

    /** No number that a test passes is an address by chance. */
    private static final long FIRST_ADDRESS = 0x7000_0000_0000L;

    private final FakeMemory memory = new FakeMemory(FIRST_ADDRESS);
    private final long l2Bytes;

    /** @param l2Bytes by which there are more or fewer sets of operands */
    public EmulatedGpu(long l2Bytes) {
        this.l2Bytes = l2Bytes;
    }

    @Override
    public GpuInfo info() {
        return new GpuInfo(0, "emulated", "GPU-0", "13.0", SMS, l2Bytes, 232_448, 9, 0);
    }

    @Override
    public long freeBytes() {
        return totalBytes() - memory.bytes();
    }

    @Override
    public long totalBytes() {
        return 1L << 30;
    }

    @Override
    public DeviceBuffer allocate(long bytes) {
        return memory.allocate(bytes);
    }

    /** How many pieces of memory are held. */
    public int allocations() {
        return memory.pieces();
    }

    /** The memory from an address on. */
    public ByteBuffer at(long address) {
        return memory.at(address);
    }

    @Override
    public void fill(long address, int pattern, long bytes) {
        memory.fill(address, pattern, bytes);
    }

    @Override
    public void copy(long source, long target, long bytes) {
        memory.copy(source, target, bytes);
    }

    @Override
    public void read(long address, byte[] target) {
        at(address).get(target);
    }

    @Override
    public void write(long address, byte[] source) {
        at(address).put(source);
    }

    @Override
    public HostBuffer hostBuffer(long bytes) {
        return FakeMemory.host(bytes);
    }

    @Override
    public void fetch(long address, HostBuffer target, long offset, long bytes) {
        memory.fetch(address, target, offset, bytes);
    }

    private record Entry(String name, PtxEmulator emulator, int sharedBytes) implements GpuFunction {
        @Override
        public Attributes attributes() {
            return new Attributes(32, 0, 1);
        }
    }

    @Override
    public GpuModule load(byte[] image) {
        ParsedModule module = PtxParser.parseLocated(new String(image, StandardCharsets.US_ASCII));
        return new GpuModule() {
            @Override
            public GpuFunction function(String entry, int dynamicSharedBytes) {
                return new Entry(entry, new PtxEmulator(module, entry), dynamicSharedBytes);
            }

            @Override
            public long variable(String name) {
                throw CudaException.ofDriver("cuModuleGetGlobal", 500, name + ": variables have no address here");
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public PreparedLaunch prepare(GpuFunction function, LaunchGrid grid, List<KernelArgument> parameters) {
        Entry entry = (Entry) function;
        return new PreparedLaunch() {
            @Override
            public void enqueue() {
                run(entry, grid, parameters);
            }

            @Override
            public void close() {}
        };
    }

    private void run(Entry entry, LaunchGrid grid, List<KernelArgument> parameters) {
        Map<String, Buffer> buffers = new LinkedHashMap<>();
        List<Argument> arguments = new ArrayList<>();
        parameters.forEach(parameter -> arguments.add(argument(parameter, buffers)));
        Launch launch = new Launch(
                entry.name,
                dim(grid.grid()),
                dim(grid.block()),
                dim(grid.cluster()),
                entry.sharedBytes,
                arguments,
                List.copyOf(buffers.values()));
        switch (entry.emulator.run(launch, Options.seed(1).withSms(SMS))) {
            case RunEnd.Completed done ->
                done.memory().forEach((name, content) -> {
                    byte[] block = memory.piece(Long.parseLong(name)).getValue();
                    System.arraycopy(content, 0, block, 0, block.length);
                });
            case RunEnd.Faulted faulted ->
                throw CudaException.ofDriver(
                        entry.name + ": " + faulted.finding().message(), 719, "hazard");
        }
    }

    private static Dim3 dim(Extents extents) {
        return new Dim3(extents.x(), extents.y(), extents.z());
    }

    private Argument argument(KernelArgument parameter, Map<String, Buffer> buffers) {
        return switch (parameter) {
            case KernelArgument.Bits32(int value) -> new Argument.Scalar32(value);
            case KernelArgument.Bits64(long value) -> wide(value, buffers);
            case KernelArgument.Bytes(byte[] content)
            when content.length == Long.BYTES ->
                wide(ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN).getLong(), buffers);
            case KernelArgument.Bytes(byte[] content) -> new Argument.Bytes(content, List.of());
            case KernelArgument.Map(TensorMap map, long address) -> map(map, address, buffers);
        };
    }

    private Argument map(TensorMap map, long address, Map<String, Buffer> buffers) {
        Argument.Pointer start = (Argument.Pointer) wide(address, buffers);
        dev.tilewright.emulator.tensor.TensorMap emulated = new dev.tilewright.emulator.tensor.TensorMap(
                elements(map.type()),
                map.dims(),
                map.strides(),
                map.box(),
                map.elementStrides(),
                Stream.of(Swizzle.values())
                        .filter(swizzle -> swizzle.span() == map.swizzleBytes())
                        .findFirst()
                        .orElseThrow(),
                map.fillNan());
        return new Argument.Map(start.buffer(), start.offset(), emulated);
    }

    /** The type of a map's elements in the emulator: 8-bit floats travel as bytes. */
    private static ScalarType elements(ElementType type) {
        boolean eight = type == ElementType.E4M3 || type == ElementType.E5M2;
        return eight ? ScalarType.U8 : ScalarType.valueOf(type.name());
    }

    private Argument wide(long value, Map<String, Buffer> buffers) {
        return memory.find(value)
                .<Argument>map(piece -> {
                    String name = Long.toString(piece.getKey());
                    buffers.put(name, Buffer.of(name, piece.getValue()));
                    return new Argument.Pointer(name, value - piece.getKey());
                })
                .orElseGet(() -> new Argument.Scalar64(value));
    }

    @Override
    public GpuEvent event() {
        return new GpuEvent() {
            @Override
            public void record() {}

            @Override
            public boolean isReached() {
                return true;
            }

            @Override
            public void await() {}

            @Override
            public double nanosSince(GpuEvent earlier) {
                return 1;
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public void synchronize() {}

    @Override
    public HostFlag hostFlag(int words) {
        throw new UnsupportedOperationException("nothing waits for the host here");
    }

    @Override
    public PreparedLaunch prepareBeside(GpuFunction function, LaunchGrid grid, List<KernelArgument> parameters) {
        throw new UnsupportedOperationException("there is one stream here");
    }

    @Override
    public byte[] encode(TensorMap map, long address) {
        throw new UnsupportedOperationException("no tensor maps here");
    }

    @Override
    public long stream() {
        return 0;
    }

    @Override
    public void close() {}
}
