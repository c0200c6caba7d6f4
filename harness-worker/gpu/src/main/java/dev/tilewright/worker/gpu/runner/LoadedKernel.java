package dev.tilewright.worker.gpu.runner;

import dev.tilewright.launch.Extents;
import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.model.trial.Executed;
import dev.tilewright.ptx.parse.DelayedText;
import dev.tilewright.worker.gpu.cuda.DeviceBuffer;
import dev.tilewright.worker.gpu.cuda.Gpu;
import dev.tilewright.worker.gpu.cuda.GpuFunction;
import dev.tilewright.worker.gpu.cuda.GpuModule;
import dev.tilewright.worker.gpu.cuda.KernelArgument;
import dev.tilewright.worker.gpu.cuda.LaunchGrid;
import dev.tilewright.worker.gpu.cuda.PreparedLaunch;
import dev.tilewright.worker.gpu.measure.Arm;
import dev.tilewright.worker.gpu.verify.Ending;
import dev.tilewright.worker.gpu.verify.OperandSet;
import dev.tilewright.worker.gpu.verify.Reference;
import dev.tilewright.worker.gpu.verify.TestData;
import dev.tilewright.worker.gpu.verify.Verifier.Expected;
import dev.tilewright.worker.link.runner.Kernel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.LongFunction;

/** A kernel of ours on the device, ready to be launched on each set of operands. */
final class LoadedKernel implements Arm, AutoCloseable {

    private final Gpu gpu;
    private final String name;
    private final Kernel kernel;
    private final List<OperandSet> sets;
    private final Releases releases = new Releases();
    private final List<PreparedLaunch> launches = new ArrayList<>();
    private final TreeSet<Integer> used = new TreeSet<>();
    private final GpuFunction.Attributes attributes;
    private final KernelMemory memory;
    private final GpuModule module;
    private final Optional<Reference> reference;

    private LoadedKernel(
            Gpu gpu,
            String name,
            Kernel kernel,
            List<OperandSet> sets,
            Optional<Reference> reference,
            LongFunction<DeviceBuffer> allocation,
            Consumer<GpuModule> leave) {
        this.gpu = gpu;
        this.name = name;
        this.kernel = kernel;
        this.sets = List.copyOf(sets);
        this.reference = reference;
        try {
            module = gpu.load(kernel.cubin().bytes());
            releases.add(() -> leave.accept(module));
            LaunchDescription launch = kernel.launch();
            GpuFunction function = module.function(entry(launch), launch.dynamicShared());
            this.attributes = function.attributes();
            memory = new KernelMemory(gpu, allocation, launch, this.sets, reference);
            releases.add(memory::close);
            LaunchGrid grid = new LaunchGrid(
                    launch.grid(),
                    launch.block(),
                    // One that the entry requires is not asked for once more.
                    attributes.clusterSize() > 1 ? Extents.of(1) : cluster(),
                    launch.dynamicShared(),
                    launch.launchOverlap());
            for (OperandSet set : sets) {
                List<KernelArgument> parameters = launch.parameters().stream()
                        .map(parameter -> memory.parameter(parameter, set))
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
        return new LoadedKernel(
                gpu, name, kernel, data.sets(), reference(kernel, data), gpu::allocate, GpuModule::close);
    }

    /** The same on other sets of operands, for a kernel that adds nothing to the sums. */
    static LoadedKernel load(Gpu gpu, String name, Kernel kernel, List<OperandSet> sets) {
        return new LoadedKernel(gpu, name, kernel, sets, Optional.empty(), gpu::allocate, GpuModule::close);
    }

    /** The same for one of many trials, with memory that others had before. */
    static LoadedKernel load(Gpu gpu, Supplies supplies, String name, Kernel kernel, TestData data) {
        return new LoadedKernel(
                gpu, name, kernel, data.sets(), reference(kernel, data), supplies::allocate, supplies::leave);
    }

    private static Optional<Reference> reference(Kernel kernel, TestData data) {
        return Optional.of(data.reference(Ending.of(kernel.launch())));
    }

    private static String entry(LaunchDescription launch) {
        return launch.entry().orElseThrow(() -> new IllegalArgumentException("a launch without an entry"));
    }

    private Extents cluster() {
        return kernel.launch().cluster().orElse(Extents.of(1));
    }

    /** A buffer of the kernel's own. */
    Optional<DeviceBuffer> buffer(String buffer) {
        return memory.buffer(buffer);
    }

    /**
     * The wait in front of it; none at first.
     *
     * @throws dev.tilewright.worker.gpu.cuda.CudaException if its text has none
     */
    LaunchDelay delay() {
        return new LaunchDelay(gpu, module.variable(DelayedText.VARIABLE));
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
        memory.renew(set);
        launches.get(set).enqueue();
        used.add(set);
    }

    @Override
    public int entriesPerLaunch() {
        return 1 + memory.renewals();
    }

    /** Poisons what the launch says is poisoned at first, before a launch of a verification. */
    void poison() {
        memory.poison();
    }

    /** What is expected of launches on these sets. */
    Expected expected(TestData data, List<OperandSet> judged) {
        return new Expected(reference.orElseGet(data::plain), memory.kept(data, judged));
    }

    /** The sets of operands whose outputs this kernel has written. */
    List<OperandSet> usedSets() {
        return used.stream().map(sets::get).toList();
    }

    /** The outputs were poisoned: none of them has been written since. */
    void forgetUsedSets() {
        used.clear();
    }

    /** What is launched: the grid as asked for, cluster as the driver says. */
    Executed executed() {
        return new Executed(
                Math.toIntExact(kernel.launch().grid().count()),
                Math.toIntExact(Math.max(attributes.clusterSize(), cluster().count())),
                Math.toIntExact(kernel.launch().block().count()));
    }

    /**
     * Where the driver's view differs from what was asked for or assembled, and what cannot be compared; empty if
     * nothing.
     */
    List<String> discrepancies() {
        List<String> found = new ArrayList<>();
        if (kernel.registers() > 0 && attributes.registers() != kernel.registers()) {
            found.add("registers: the assembler said " + kernel.registers() + ", the driver " + attributes.registers());
        }
        if (attributes.clusterSize() > 1
                && attributes.clusterSize() != cluster().count()) {
            found.add("cluster: asked for " + cluster().count() + " CTAs, the entry requires "
                    + attributes.clusterSize());
        }
        if (attributes.localBytes() > 0) {
            found.add(attributes.localBytes() + " bytes of local memory a thread");
        }
        memory.uncompared().forEach(what -> found.add("not compared on a GPU: " + what));
        return found;
    }

    @Override
    public void close() {
        releases.close();
    }
}
