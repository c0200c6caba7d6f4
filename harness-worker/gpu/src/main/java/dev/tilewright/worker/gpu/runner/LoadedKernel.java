package dev.tilewright.worker.gpu.runner;

import dev.tilewright.gemm.launch.Argument;
import dev.tilewright.gemm.launch.BufferDemand;
import dev.tilewright.gemm.launch.BufferRole;
import dev.tilewright.gemm.launch.KernelLaunch;
import dev.tilewright.model.trial.Executed;
import dev.tilewright.worker.gpu.cuda.DeviceBuffer;
import dev.tilewright.worker.gpu.cuda.Gpu;
import dev.tilewright.worker.gpu.cuda.GpuFunction;
import dev.tilewright.worker.gpu.cuda.GpuModule;
import dev.tilewright.worker.gpu.cuda.KernelParameter;
import dev.tilewright.worker.gpu.cuda.LaunchGrid;
import dev.tilewright.worker.gpu.cuda.PreparedLaunch;
import dev.tilewright.worker.gpu.measure.Arm;
import dev.tilewright.worker.gpu.verify.OperandSet;
import dev.tilewright.worker.gpu.verify.TestData;
import dev.tilewright.worker.link.runner.Kernel;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.LongFunction;

/** A kernel of ours on the device, ready to be launched on each set of operands. */
final class LoadedKernel implements Arm, AutoCloseable {

    private final String name;
    private final Gpu gpu;
    private final LongFunction<DeviceBuffer> allocation;
    private final Kernel kernel;
    private final List<OperandSet> sets;
    private final Releases releases = new Releases();
    private final Map<BufferRole, DeviceBuffer> buffers = new EnumMap<>(BufferRole.class);
    private final List<BufferDemand> zeroedEachLaunch = new ArrayList<>();
    private final List<PreparedLaunch> launches = new ArrayList<>();
    private final TreeSet<Integer> used = new TreeSet<>();
    private final GpuFunction.Attributes attributes;
    private final FilledMemory filled;

    private LoadedKernel(
            Gpu gpu,
            String name,
            Kernel kernel,
            List<OperandSet> sets,
            LongFunction<DeviceBuffer> allocation,
            Consumer<GpuModule> leave) {
        this.name = name;
        this.gpu = gpu;
        this.allocation = allocation;
        this.kernel = kernel;
        this.sets = List.copyOf(sets);
        try {
            GpuModule module = gpu.load(kernel.cubin().bytes());
            releases.add(() -> leave.accept(module));
            KernelLaunch launch = kernel.launch();
            GpuFunction function = module.function(launch.entry(), launch.dynamicSharedBytes());
            this.attributes = function.attributes();
            launch.buffers().forEach(this::allocate);
            filled = new FilledMemory(gpu, launch.filled(), this.sets);
            releases.add(filled::close);
            LaunchGrid grid = LaunchGrid.linear(launch.gridX(), launch.threads(), launch.dynamicSharedBytes())
                    .overlapping(launch.overlaps());
            for (OperandSet set : sets) {
                List<KernelParameter> parameters = launch.arguments().stream()
                        .map(argument -> parameter(argument, set))
                        .toList();
                PreparedLaunch prepared = gpu.prepare(function, grid, parameters);
                releases.add(prepared::close);
                launches.add(prepared);
            }
        } catch (RuntimeException refused) {
            close();
            throw refused;
        }
    }

    /**
     * Loads a kernel and encodes its launches.
     *
     * @throws dev.tilewright.worker.gpu.cuda.CudaException if the driver refuses the module, its shared memory or a
     *     tensor map
     */
    static LoadedKernel load(Gpu gpu, String name, Kernel kernel, TestData data) {
        return load(gpu, name, kernel, data.sets());
    }

    /** The same on other sets of operands. */
    static LoadedKernel load(Gpu gpu, String name, Kernel kernel, List<OperandSet> sets) {
        return new LoadedKernel(gpu, name, kernel, sets, gpu::allocate, GpuModule::close);
    }

    /** The same for one of many trials, with memory that others had before. */
    static LoadedKernel load(Gpu gpu, Supplies supplies, String name, Kernel kernel, TestData data) {
        return new LoadedKernel(gpu, name, kernel, data.sets(), supplies::allocate, supplies::leave);
    }

    private void allocate(BufferDemand demand) {
        long bytes = Math.ceilDiv(demand.bytes(), Integer.BYTES) * Integer.BYTES;
        DeviceBuffer buffer = allocation.apply(bytes);
        releases.add(buffer::close);
        buffers.put(demand.role(), buffer);
        switch (demand.zero()) {
            case NEVER -> {}
            case ONCE -> gpu.fill(buffer.address(), 0, bytes);
            case EACH_LAUNCH -> {
                gpu.fill(buffer.address(), 0, bytes);
                // A trace is no need of the kernel's: it is zeroed before the launch that is looked at, outside the
                // timed work.
                if (demand.role() != BufferRole.TRACE) {
                    zeroedEachLaunch.add(demand);
                }
            }
        }
    }

    private KernelParameter parameter(Argument argument, OperandSet set) {
        return switch (argument) {
            case Argument.U32(int value) -> new KernelParameter.Bits32(value);
            case Argument.F32(float value) -> new KernelParameter.Bits32(Float.floatToRawIntBits(value));
            case Argument.U64(long value) -> new KernelParameter.Bits64(value);
            case Argument.Pointer(var role, long offset) -> new KernelParameter.Bits64(address(role, set) + offset);
            case Argument.TensorMap map -> new KernelParameter.Map(map, address(map.buffer(), set) + map.offsetBytes());
        };
    }

    private long address(BufferRole role, OperandSet set) {
        return switch (role) {
            case A, B, D -> set.address(role);
            case COUNTER, WORKSPACE, ARRIVALS, TRACE ->
                buffer(role).orElseThrow(() -> unasked(role)).address();
            case TILES, MAPS -> filled.address(role, set).orElseThrow(() -> unasked(role));
        };
    }

    private IllegalArgumentException unasked(BufferRole role) {
        return new IllegalArgumentException(
                "the launch of " + kernel.launch().entry() + " uses a buffer that it did not ask for: " + role);
    }

    /** A buffer that the kernel asked for. */
    Optional<DeviceBuffer> buffer(BufferRole role) {
        return Optional.ofNullable(buffers.get(role));
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public int sets() {
        return launches.size();
    }

    @Override
    public void enqueue(int set) {
        for (BufferDemand demand : zeroedEachLaunch) {
            DeviceBuffer buffer = buffers.get(demand.role());
            gpu.fill(buffer.address(), 0, buffer.bytes());
        }
        launches.get(set).enqueue();
        used.add(set);
    }

    @Override
    public int entriesPerLaunch() {
        return 1 + zeroedEachLaunch.size();
    }

    /** The sets of operands whose outputs this kernel has written. */
    List<OperandSet> usedSets() {
        return used.stream().map(sets::get).toList();
    }

    /** The outputs were poisoned: none of them has been written since. */
    void forgetUsedSets() {
        used.clear();
    }

    /** Clusters of a launch. */
    int clusters() {
        return kernel.launch().clusters();
    }

    /** What is launched: the grid as asked for, cluster as the driver says. */
    Executed executed() {
        return new Executed(
                kernel.launch().gridX(),
                attributes.clusterSize(),
                kernel.launch().threads());
    }

    /** Where the driver's view differs from what was asked for or assembled; empty if nowhere. */
    List<String> discrepancies() {
        List<String> found = new ArrayList<>();
        if (attributes.registers() != kernel.registers()) {
            found.add("registers: the assembler said " + kernel.registers() + ", the driver " + attributes.registers());
        }
        if (attributes.clusterSize() != kernel.launch().clusterSize()) {
            found.add("cluster: asked for " + kernel.launch().clusterSize() + " CTAs, the entry requires "
                    + attributes.clusterSize());
        }
        if (attributes.localBytes() > 0) {
            found.add(attributes.localBytes() + " bytes of local memory a thread");
        }
        return found;
    }

    @Override
    public void close() {
        releases.close();
    }
}
