package dev.tilewright.emulator.machine;

import dev.tilewright.emulator.Argument;
import dev.tilewright.emulator.Buffer;
import dev.tilewright.emulator.Dim3;
import dev.tilewright.emulator.Launch;
import dev.tilewright.emulator.Options;
import dev.tilewright.emulator.Statistics;
import dev.tilewright.emulator.Statistics.BarrierPhases;
import dev.tilewright.emulator.Statistics.ClusterRun;
import dev.tilewright.emulator.UnfitLaunchException;
import dev.tilewright.emulator.async.AsyncQueue;
import dev.tilewright.emulator.barrier.Mbarrier;
import dev.tilewright.emulator.hazard.Finding;
import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.hazard.HazardFound;
import dev.tilewright.emulator.hazard.Site;
import dev.tilewright.emulator.hazard.Waiter;
import dev.tilewright.emulator.launch.Answer;
import dev.tilewright.emulator.launch.Cancellation;
import dev.tilewright.emulator.launch.ClusterQueue;
import dev.tilewright.emulator.launch.GridAhead;
import dev.tilewright.emulator.memory.GlobalMemory;
import dev.tilewright.emulator.order.Order;
import dev.tilewright.emulator.program.Instr;
import dev.tilewright.emulator.program.Program;
import dev.tilewright.emulator.program.VariablePlacement;
import dev.tilewright.emulator.schedule.Interleaving;
import dev.tilewright.emulator.schedule.Scheduler;
import dev.tilewright.emulator.tcgen05.TensorCores;
import dev.tilewright.ptx.Variable;
import dev.tilewright.ptx.instruction.StateBarrier;
import dev.tilewright.ptx.type.StateSpace;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One run of one launch: clusters start when SMs are free for them, strands run in the scheduler's order, copies land
 * in between.
 */
public final class Grid {
    /** A NaN in every format, zero, and the least and the greatest f32, since a maximum drops a NaN. */
    private static final int[] UNDEFINED = {0x7FFF7FFF, 0xFF7FFFFF, 0x7F7FFFFF, 0};

    /** Waiters of one instruction that are named. */
    private static final int MOST_WAITERS = 8;
    /** How often a stuck machine lets try_wait give up before it counts as dead. */
    private static final int PATIENCE = 64;

    private final Program program;
    private final Launch launch;
    private final Order happensBefore = new Order();
    private final GlobalMemory global;
    private final GlobalMemory constants;
    private final Parameters parameters;
    private final TensorMaps tensorMaps;
    private final Interleaving order;
    private final Scheduler scheduler;
    private final AsyncQueue async;
    private final StrandRunner runner;
    private final Residency residency;
    private final TensorCores tensorCores = new TensorCores();
    private final List<Cluster> running = new ArrayList<>();
    private final List<BarrierPhases> barriers = new ArrayList<>();
    private final BitSet loopWaits;
    private final BitSet loopWaitsRun = new BitSet();
    private final ClusterQueue queue;
    private final @Nullable GridAhead ahead;
    private final List<ClusterRun> ended = new ArrayList<>();
    private final Options options;
    private int finishedCtas;
    private long steps;
    private long multiplyAdds;

    public Grid(Program program, Launch launch, Options options) {
        this.program = program;
        this.launch = launch;
        this.options = options;
        loopWaits = program.loopWaits();
        global = new GlobalMemory(
                launch.buffers().stream()
                        .filter(buffer -> !program.variables().has(buffer.name()))
                        .toList(),
                happensBefore);
        place(StateSpace.GLOBAL, global);
        // Nobody writes constants, so nobody must come behind: an order in which nobody acts.
        constants = new GlobalMemory(List.of(), new Order());
        place(StateSpace.CONST, constants);
        parameters = new Parameters(program, launch, global);
        tensorMaps = new TensorMaps(parameters, global, constants);
        launch.buffers().forEach(this::fill);
        order = Interleaving.of(
                options.seed(),
                options.mood(),
                program.entry().roles().stream()
                        .filter(role -> isLeaf(role.name()))
                        .map(role -> new int[] {role.firstWarp(), role.warps()})
                        .toArray(int[][]::new));
        scheduler = new Scheduler(order);
        async = new AsyncQueue(order);
        runner = new StrandRunner(this, order);
        residency = new Residency(program, launch, options.sms());
        queue = new ClusterQueue(
                order.permutation(launch.grid().count() / launch.cluster().count()), options.launching(), order);
        ahead = launch.overlaps() ? new GridAhead(happensBefore, order) : null;
        residency.occupy(options.launching().busySms());
    }

    /** Bits for a lane that nothing defines, others in other runs: whatever comes of them differs too. */
    public int undefined(int lane) {
        return UNDEFINED[Math.floorMod(options.seed() + lane, UNDEFINED.length)];
    }

    /**
     * Puts the module's variables of a space in their place; a buffer of the name of one is what the host wrote to it.
     */
    private void place(StateSpace space, GlobalMemory memory) {
        for (VariablePlacement.Placed placed : program.variables().in(space)) {
            Variable variable = placed.variable();
            byte[] image = program.variables().image(variable);
            launch.buffers().stream()
                    .filter(buffer -> buffer.name().equals(variable.name()))
                    .findFirst()
                    .ifPresent(buffer -> {
                        if (buffer.content().length != image.length) {
                            throw new UnfitLaunchException("variable " + variable.name() + " has " + image.length
                                    + " bytes, the buffer of its name " + buffer.content().length);
                        }
                        System.arraycopy(buffer.content(), 0, image, 0, image.length);
                    });
            memory.place(variable.name(), placed.address(), image);
        }
    }

    /** Puts addresses and tensor maps, which only the launch knows, into a buffer. */
    private void fill(Buffer buffer) {
        if (buffer.patches().isEmpty()) {
            return;
        }
        boolean constant = program.variables().has(buffer.name())
                && program.variables().named(buffer.name()).variable().space() == StateSpace.CONST;
        GlobalMemory.Placed placed = (constant ? constants : global).named(buffer.name());
        for (Argument.Patch patch : buffer.patches()) {
            byte[] bytes = Parameters.image(patch.argument(), global);
            System.arraycopy(bytes, 0, placed.data(), patch.offset(), bytes.length);
            if (patch.argument() instanceof Argument.Map) {
                tensorMaps.launched(placed.base() + patch.offset(), bytes);
            }
        }
    }

    public Program program() {
        return program;
    }

    public Launch launch() {
        return launch;
    }

    /** Which accesses happened before which. */
    public Order happensBefore() {
        return happensBefore;
    }

    public GlobalMemory global() {
        return global;
    }

    /** The grid ahead of a launch that overlaps. */
    public @Nullable GridAhead ahead() {
        return ahead;
    }

    /** Constant memory. */
    public GlobalMemory constants() {
        return constants;
    }

    public Parameters parameters() {
        return parameters;
    }

    /** The tensor maps that copies use. */
    public TensorMaps tensorMaps() {
        return tensorMaps;
    }

    public Scheduler scheduler() {
        return scheduler;
    }

    /** What the SMs have for tcgen05. */
    public TensorCores tensorCores() {
        return tensorCores;
    }

    public AsyncQueue async() {
        return async;
    }

    /** The choices of this run. */
    public Interleaving order() {
        return order;
    }

    public Options options() {
        return options;
    }

    /** Steps so far: the machine's clock. */
    public long steps() {
        return steps;
    }

    void step() {
        steps++;
    }

    public void countMultiplyAdds(long count) {
        multiplyAdds += count;
    }

    public Statistics statistics() {
        // A wait in a loop that never ran might have been for any barrier.
        boolean allRan = loopWaitsRun.equals(loopWaits);
        return new Statistics(
                steps,
                multiplyAdds,
                async.landed(),
                finishedCtas,
                allRan ? barriers : barriers.stream().map(BarrierPhases::asRing).toList(),
                Stream.concat(ended.stream(), running.stream().map(Cluster::run))
                        .toList());
    }

    /** Runs to the end; the hazard that ended it early, if one did. */
    public @Nullable Finding run() {
        @Nullable Strand current = null;
        try {
            startClusters();
            int stuck = 0;
            while (finishedCtas + queue.cancelled() * launch.cluster().count()
                    < launch.grid().count()) {
                current = null;
                happensBefore.acts(null);
                if (queue.isTimed()) {
                    startClusters();
                }
                if (ahead != null) {
                    ahead.passed(steps);
                }
                if (scheduler.copyNext() && async.advanceOne()) {
                    continue;
                }
                if (scheduler.timesOut()) {
                    releaseWaiters();
                }
                current = scheduler.next();
                if (current == null) {
                    if (async.advanceOne()) {
                        continue;
                    }
                    if (queue.skip(steps) || ahead != null && ahead.end()) {
                        continue;
                    }
                    if (++stuck > PATIENCE || !releaseWaiters()) {
                        throw deadlock();
                    }
                    continue;
                }
                long before = steps;
                runner.run(current);
                stuck = steps - before > 1 ? 0 : stuck;
                if (steps > options.stepLimit()) {
                    throw new HazardFound(new Hazard.NoProgress(options.stepLimit()));
                }
            }
            current = null;
            while (async.advanceOne()) {
                // What no CTA has to wait for, such as the writing of stores, ends with the grid.
            }
            return null;
        } catch (HazardFound found) {
            return new Finding(found.hazard(), site(found, current));
        }
    }

    private Site site(HazardFound found, @Nullable Strand current) {
        Site known = found.site();
        if (known != null) {
            return known;
        }
        Origin acting = async.acting();
        if (acting != null) {
            return acting.site();
        }
        return current == null ? new Site(launch.entry(), 0, 1, "", 0, 0, 0, 0) : current.site();
    }

    private boolean isLeaf(String role) {
        return program.entry().roles().stream()
                .noneMatch(other -> other.parent().equals(Optional.of(role)));
    }

    private void startClusters() {
        for (int free = queue.released(steps); free > 0 && residency.isOccupied(); free--) {
            residency.release();
        }
        while (!queue.isEmpty() && residency.hasRoom() && queue.mayLaunch(steps)) {
            int[] sms = residency.place();
            int width = launch.grid().x() / launch.cluster().x();
            int height = launch.grid().y() / launch.cluster().y();
            int id = queue.launch(steps);
            Cluster cluster = new Cluster(this, id % width, id / width % height, id / width / height, sms);
            running.add(cluster);
            for (Cta cta : cluster.ctas()) {
                cta.warps().forEach(warp -> scheduler.ready(new Strand(warp, warp.alive(), 0, null)));
            }
        }
    }

    /** A cluster asks for another that was not launched yet: the answer. */
    public Answer cancelCluster(Cluster asking) {
        OptionalInt cancelled = queue.cancel(steps);
        asking.answered(cancelled.isPresent());
        if (cancelled.isEmpty()) {
            return Cancellation.failure();
        }
        Dim3 extent = launch.cluster();
        int width = launch.grid().x() / extent.x();
        int height = launch.grid().y() / extent.y();
        int id = cancelled.getAsInt();
        return Cancellation.success(
                id % width * extent.x(), id / width % height * extent.y(), id / width / height * extent.z());
    }

    /** Told of every wait for an mbarrier. */
    public void waited(Instr wait, Mbarrier barrier) {
        if (loopWaits.get(wait.pc)) {
            loopWaitsRun.set(wait.pc);
            barrier.waitedForInLoop();
        }
    }

    /** Told when the last thread of a CTA has exited. */
    void exited(Cta cta) {
        finishedCtas++;
        for (Mbarrier barrier : cta.shared().barriers()) {
            barriers.add(new BarrierPhases(barrier.name(), cta.id(), barrier.phase(), barrier.ring()));
        }
        residency.free(cta.sm());
        if (cta.cluster().ctas().stream().allMatch(other -> other.threads() == 0)) {
            running.remove(cta.cluster());
            ended.add(cta.cluster().run());
        }
        startClusters();
    }

    /** Strands that wait, to be released where the program could do something else meanwhile. */
    private boolean releaseWaiters() {
        boolean any = false;
        for (Strand strand : scheduler.sleeping()) {
            if (runner.mayGiveUp(strand)) {
                strand.release();
                any = true;
            }
        }
        return any;
    }

    private HazardFound deadlock() {
        for (Cluster cluster : running) {
            for (Cta cta : cluster.ctas()) {
                for (Mbarrier barrier : cta.shared().liveBarriers()) {
                    if (barrier.pending() == 0 && barrier.tx() != 0) {
                        return barrier.unbalanced("with nothing under way");
                    }
                }
            }
        }
        Map<Instr, List<Strand>> places = sleepers();
        int all = places.values().stream().mapToInt(List::size).sum();
        List<Waiter> waiters = places.values().stream()
                .flatMap(there -> there.stream().limit(MOST_WAITERS))
                .map(strand -> new Waiter(strand.site(), strand.reason()))
                .toList();
        return new HazardFound(
                new Hazard.Deadlock(waiters, all - waiters.size()),
                waiters.getFirst().site());
    }

    /** Who waits, by instructions: those for mbarriers first, the others in the order in which they went to sleep. */
    private Map<Instr, List<Strand>> sleepers() {
        Map<Instr, List<Strand>> places = new LinkedHashMap<>();
        scheduler.sleeping().stream()
                .sorted(Comparator.comparing(strand -> !isMbarrierWait(program.code()[strand.sleptAt()])))
                .forEach(strand -> places.computeIfAbsent(program.code()[strand.sleptAt()], at -> new ArrayList<>())
                        .add(strand));
        return places;
    }

    private static boolean isMbarrierWait(Instr instr) {
        return instr.source instanceof dev.tilewright.ptx.instruction.Mbarrier.Wait
                || instr.source instanceof StateBarrier.Wait;
    }
}
