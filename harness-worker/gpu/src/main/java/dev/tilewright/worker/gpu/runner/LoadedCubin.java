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

/** A kernel of ours, or of a user. */
final class LoadedCubin implements LoadedKernel {

    private final Gpu gpu;
    private final String name;
    private final Kernel.Assembled kernel;
    private final List<OperandSet> sets;
    private final Releases releases = new Releases();
    private final List<PreparedLaunch> launches = new ArrayList<>();
    private final TreeSet<Integer> used = new TreeSet<>();
    private final GpuFunction.Attributes attributes;
    private final KernelMemory memory;
    private final GpuModule module;
    private final Optional<Reference> reference;

    private LoadedCubin(
            Gpu gpu,
            String name,
            Kernel.Assembled kernel,
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
            LaunchDescription launch = kernel.described();
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
    static LoadedCubin load(Gpu gpu, String name, Kernel.Assembled kernel, TestData data) {
        return new LoadedCubin(
                gpu, name, kernel, data.sets(), reference(kernel, data), gpu::allocate, GpuModule::close);
    }

    /**
     * The same on other sets of operands.
     *
     * @param reference that has the C and the bias of the launch, a C for each set; empty if it adds neither
     */
    static LoadedCubin load(
            Gpu gpu, String name, Kernel.Assembled kernel, List<OperandSet> sets, Optional<Reference> reference) {
        return new LoadedCubin(gpu, name, kernel, sets, reference, gpu::allocate, GpuModule::close);
    }

    /** The same for one of many trials, with memory that others had before. */
    static LoadedCubin load(Gpu gpu, Supplies supplies, String name, Kernel.Assembled kernel, TestData data) {
        return new LoadedCubin(
                gpu, name, kernel, data.sets(), reference(kernel, data), supplies::allocate, supplies::leave);
    }

    private static Optional<Reference> reference(Kernel.Assembled kernel, TestData data) {
        return Optional.of(data.reference(Ending.of(kernel.described())));
    }

    private static String entry(LaunchDescription launch) {
        return launch.entry().orElseThrow(() -> new IllegalArgumentException("a launch without an entry"));
    }

    private Extents cluster() {
        return kernel.described().cluster().orElse(Extents.of(1));
    }

    @Override
    public Optional<DeviceBuffer> buffer(String buffer) {
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

    @Override
    public void poison() {
        memory.poison();
    }

    @Override
    public Expected expected(TestData data, List<OperandSet> judged) {
        return new Expected(reference.orElseGet(data::ofProblem), memory.kept(data, judged));
    }

    @Override
    public List<OperandSet> usedSets() {
        return used.stream().map(sets::get).toList();
    }

    @Override
    public void forgetUsedSets() {
        used.clear();
    }

    /** The grid as asked for, cluster as the driver says. */
    @Override
    public Executed executed() {
        return new Executed(
                Math.toIntExact(kernel.described().grid().count()),
                Math.toIntExact(Math.max(attributes.clusterSize(), cluster().count())),
                Math.toIntExact(kernel.described().block().count()));
    }

    /**
     * Where the driver's view differs from what was asked for or assembled, and what cannot be compared; empty if
     * nothing.
     */
    @Override
    public List<String> remarks() {
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
