package dev.tilewright.worker.gpu.cuda;

import dev.tilewright.gemm.oracle.ClockProbeKernel;
import dev.tilewright.gemm.oracle.HolderKernel;
import dev.tilewright.launch.TensorMap;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.DoubleSupplier;
import java.util.function.LongToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A GPU with memory and a clock of its own, for tests: work is done when it is put into the stream. It knows the
 * oracle's kernels; the test adds others by name. A module is PTX text, or the name of its only entry.
 */
public final class FakeGpu implements Gpu {

    /** What a kernel does with its parameters: addresses and integers as {@code long}, floats by their bits. */
    public interface Kernel {
        void run(FakeGpu gpu, List<Long> parameters);
    }

    private static final Pattern ENTRY = Pattern.compile("\\.entry\\s+(\\w+)");
    private static final GpuInfo INFO = new GpuInfo(0, "Fake H200", "GPU-fake", "13.0", 4, 16 << 10, 232_448, 9, 0);

    /** Everything that was put into the stream, in order; of a launch its entry, and whether it may overlap. */
    public final List<String> history = new ArrayList<>();

    /** The first entry of each module that was loaded. */
    public final List<String> loaded = new ArrayList<>();

    /** Duration of one launch of an entry, in nanoseconds; 1000 where nothing is said. */
    public final Map<String, Double> durationNs = new HashMap<>(Map.of(ClockProbeKernel.ENTRY, 0.0));

    /** Attributes of an entry; 32 registers and no cluster where nothing is said. */
    public final Map<String, GpuFunction.Attributes> attributes = new HashMap<>();

    private final Map<String, Kernel> kernels = new HashMap<>(FakeOracle.KERNELS);
    private final Map<String, Waiting> waiting = new HashMap<>();
    private final FakeMemory memory = new FakeMemory(0x10_0000);
    private double clockNs;
    private @Nullable CudaException pendingFault;
    private long capacity = 64 << 20;
    private final FakeHolders holders = new FakeHolders(this);
    private final Set<Long> plugs = new HashSet<>();
    private double hostNs;
    private double loadNs;
    private double swing;
    private double swingNs = 1;

    /** Adds a kernel. */
    public FakeGpu with(String entry, double nanos, Kernel kernel) {
        kernels.put(entry, kernel);
        durationNs.put(entry, nanos);
        return this;
    }

    /** A variable of 64 bits that each module with a kernel has for itself, and the time of a launch by it. */
    private record Waiting(String variable, LongToDoubleFunction nanos) {}

    /** Adds a kernel with a variable of 64 bits, by which the time of a launch goes. */
    public FakeGpu with(String entry, String variable, LongToDoubleFunction nanos, Kernel kernel) {
        waiting.put(entry, new Waiting(variable, nanos));
        return with(entry, nanos.applyAsDouble(0), kernel);
    }

    /** Launches take longer and shorter by a share, once in so many nanoseconds. */
    public FakeGpu swinging(double share, double nanos) {
        swing = share;
        swingNs = nanos;
        return this;
    }

    /** Those who hold SMs. */
    public FakeHolders holders() {
        return holders;
    }

    /** A kernel waits for a word of the host. */
    void spin(long flag) {
        plugs.add(flag);
    }

    /** Loading a module keeps the host for so long. */
    public FakeGpu loadingFor(double nanos) {
        loadNs = nanos;
        return this;
    }

    /** Time of the host, in nanoseconds: it passes while the host waits for the device, and as it is told to. */
    public long hostNs() {
        return (long) hostNs;
    }

    /** The host is busy with something else. */
    public void hostWorks(double nanos) {
        hostNs += nanos;
    }

    /** What is queued begins when the device is free, but not before it is queued. */
    private void runs(double nanos) {
        clockNs = Math.max(clockNs, hostNs) + nanos;
    }

    /** Its clock, in nanoseconds. */
    double clockNs() {
        return clockNs;
    }

    /** Limits the memory. */
    public FakeGpu withMemory(long bytes) {
        capacity = bytes;
        return this;
    }

    /** A kernel faults: every later call that waits fails. */
    public void fault() {
        pendingFault = CudaException.ofDriver("cuStreamSynchronize", 719, "CUDA_ERROR_LAUNCH_FAILED");
    }

    /** An exception such as the driver gives. */
    public static CudaException failure(String call, int code) {
        return CudaException.ofDriver(call, code, "CUDA_ERROR_" + code);
    }

    /** Memory from an address to the end of its allocation, little-endian. */
    public ByteBuffer at(long address) {
        return memory.at(address);
    }

    /** How many allocations there are. */
    public int allocations() {
        return memory.pieces();
    }

    @Override
    public GpuInfo info() {
        return INFO;
    }

    @Override
    public long freeBytes() {
        return capacity - memory.bytes();
    }

    @Override
    public long totalBytes() {
        return capacity;
    }

    @Override
    public DeviceBuffer allocate(long bytes) {
        holders.mustBeGone("cuMemAlloc");
        if (bytes > freeBytes()) {
            throw CudaException.ofDriver("cuMemAlloc(" + bytes + " bytes)", 2, "CUDA_ERROR_OUT_OF_MEMORY");
        }
        DeviceBuffer piece = memory.allocate(bytes);
        return new DeviceBuffer() {
            @Override
            public long address() {
                return piece.address();
            }

            @Override
            public long bytes() {
                return bytes;
            }

            @Override
            public void close() {
                holders.mustBeGone("cuMemFree");
                piece.close();
            }
        };
    }

    @Override
    public HostFlag hostFlag(int words) {
        DeviceBuffer buffer = allocate((long) words * Integer.BYTES);
        return new HostFlag() {
            @Override
            public long deviceAddress() {
                return buffer.address();
            }

            @Override
            public void set(int index, int value) {
                at(buffer.address()).putInt(index * Integer.BYTES, value);
                holders.hear(buffer.address(), index, value);
                if (value == 1 && plugs.remove(buffer.address() + (long) index * Integer.BYTES)) {
                    history.add("open");
                    at(buffer.address()).putInt((index + 1) * Integer.BYTES, 1);
                }
            }

            @Override
            public int get(int index) {
                return at(buffer.address()).getInt(index * Integer.BYTES);
            }

            @Override
            public void close() {
                buffer.close();
            }
        };
    }

    @Override
    public void fill(long address, int pattern, long bytes) {
        history.add("fill " + bytes);
        memory.fill(address, pattern, bytes);
        runs(100);
    }

    @Override
    public void copy(long source, long target, long bytes) {
        memory.copy(source, target, bytes);
    }

    @Override
    public void read(long address, byte[] target) {
        synchronize();
        at(address).get(target);
    }

    @Override
    public HostBuffer hostBuffer(long bytes) {
        return FakeMemory.host(bytes);
    }

    @Override
    public void fetch(long address, HostBuffer target, long offset, long bytes) {
        memory.fetch(address, target, offset, bytes);
    }

    @Override
    public void write(long address, byte[] source) {
        synchronize();
        at(address).put(source);
    }

    @Override
    public GpuModule load(byte[] image) {
        holders.mustBeGone("cuModuleLoadDataEx");
        hostNs += loadNs;
        String text = new String(image, StandardCharsets.US_ASCII);
        List<String> entries = new ArrayList<>();
        for (Matcher matcher = ENTRY.matcher(text); matcher.find(); ) {
            entries.add(matcher.group(1));
        }
        if (entries.isEmpty()) {
            entries.add(text);
        }
        loaded.add(entries.getFirst());
        Waiting waits = waiting.get(entries.getFirst());
        Optional<DeviceBuffer> own = Optional.ofNullable(waits).map(_ -> allocate(Long.BYTES));
        own.ifPresent(variable -> at(variable.address()).putLong(0, 0));
        return new GpuModule() {
            @Override
            public GpuFunction function(String entry, int dynamicSharedBytes) {
                if (!entries.contains(entry) || !(kernels.containsKey(entry) || entry.equals(HolderKernel.ENTRY))) {
                    throw failure("cuModuleGetFunction(" + entry + ")", 500);
                }
                return new FakeFunction(
                        entry,
                        attributes.getOrDefault(entry, new GpuFunction.Attributes(32, 0, 1)),
                        waits == null
                                ? () -> durationNs.getOrDefault(entry, 1000.0)
                                : () -> waits.nanos()
                                        .applyAsDouble(
                                                at(own.orElseThrow().address()).getLong(0)));
            }

            @Override
            public long variable(String name) {
                if (waits == null || !waits.variable().equals(name)) {
                    throw failure("cuModuleGetGlobal(" + name + ")", 500);
                }
                return own.orElseThrow().address();
            }

            @Override
            public void close() {
                holders.mustBeGone("cuModuleUnload");
                own.ifPresent(DeviceBuffer::close);
            }
        };
    }

    private record FakeFunction(String entry, Attributes attributes, DoubleSupplier nanos) implements GpuFunction {}

    /** A map of this GPU holds the address that it is of, and then its extents. */
    @Override
    public byte[] encode(TensorMap map, long address) {
        ByteBuffer encoded = ByteBuffer.allocate(dev.tilewright.launch.KernelParameter.MAP_BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(address);
        map.dims().forEach(encoded::putLong);
        return encoded.array();
    }

    @Override
    public PreparedLaunch prepare(GpuFunction function, LaunchGrid grid, List<KernelArgument> parameters) {
        FakeFunction kernel = (FakeFunction) function;
        String entry = kernel.entry();
        List<Long> values = parameters.stream().map(FakeGpu::value).toList();
        return new PreparedLaunch() {
            @Override
            public void enqueue() {
                history.add(grid.overlaps() ? entry + " overlapping" : entry);
                kernels.getOrDefault(entry, (gpu, none) -> {}).run(FakeGpu.this, values);
                runs(kernel.nanos().getAsDouble() * (1 + swing * Math.sin(2 * Math.PI * clockNs / swingNs)));
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public PreparedLaunch prepareBeside(GpuFunction function, LaunchGrid grid, List<KernelArgument> parameters) {
        return holders.prepare(grid, parameters.stream().map(FakeGpu::value).toList());
    }

    private static long value(KernelArgument parameter) {
        return switch (parameter) {
            case KernelArgument.Bits32(int value) -> value;
            case KernelArgument.Bits64(long value) -> value;
            case KernelArgument.Bytes(byte[] content) -> {
                ByteBuffer bytes = ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN);
                yield content.length == Integer.BYTES ? bytes.getInt() : bytes.getLong();
            }
            case KernelArgument.Map(var _, long address) -> address;
        };
    }

    @Override
    public GpuEvent event() {
        return new FakeEvent();
    }

    private final class FakeEvent implements GpuEvent {
        private double at;

        @Override
        public void record() {
            history.add("record");
            runs(0);
            at = clockNs;
        }

        @Override
        public boolean isReached() {
            await();
            return true;
        }

        @Override
        public void await() {
            if (pendingFault != null) {
                throw pendingFault;
            }
            hostNs = Math.max(hostNs, at);
        }

        @Override
        public double nanosSince(GpuEvent earlier) {
            return at - ((FakeEvent) earlier).at;
        }

        @Override
        public void close() {}
    }

    @Override
    public void synchronize() {
        if (pendingFault != null) {
            throw pendingFault;
        }
        hostNs = Math.max(hostNs, clockNs);
    }

    @Override
    public long stream() {
        return 1;
    }

    @Override
    public void close() {}
}
