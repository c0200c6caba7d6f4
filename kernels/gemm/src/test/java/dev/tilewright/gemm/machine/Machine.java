package dev.tilewright.gemm.machine;

import dev.tilewright.gemm.GemmKernel;
import dev.tilewright.gemm.launch.Argument;
import dev.tilewright.gemm.launch.BufferRole;
import dev.tilewright.gemm.launch.FilledBuffer;
import dev.tilewright.gemm.launch.KernelLaunch;
import dev.tilewright.ptx.Entry;
import dev.tilewright.ptx.instruction.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/** One launch of one kernel: memory, CTAs and who runs next. All CTAs are resident at once. */
public final class Machine {

    /** Lanes 0 and 1 stand for the 32 of a warp: no other lane of these kernels does anything of its own. */
    static final int LANES = 2;

    static final long SHARED_START = 1024;
    static final int RANK_SHIFT = 24;
    private static final int MOST_STEPS_AT_A_TIME = 40;

    /** A TMA store: coordinates innermost first, and the tensor map it went through. */
    public record TileStore(Argument.TensorMap map, int column, int row) {}

    final List<Statement> body;
    final Map<String, Integer> labels = new HashMap<>();
    final Map<String, Argument> arguments = new HashMap<>();
    final Map<Long, Argument.TensorMap> maps = new HashMap<>();
    final Map<String, Long> mapAddresses = new HashMap<>();
    /** Maps in global memory, each of which a thread must acquire before it copies by it. */
    final Set<Long> toAcquire = new HashSet<>();

    final int threads;
    final int clusterSize;
    final int ctas;
    long clock = 1;

    private final Map<Long, Integer> table = new HashMap<>();
    private final Map<Long, Integer> global;
    private final List<TileStore> stores = new ArrayList<>();

    private Machine(GemmKernel kernel, KernelLaunch launch, Map<Long, Integer> global) {
        this(
                kernel.module().entry(launch.entry()),
                launch.arguments(),
                launch.gridX(),
                launch.threads(),
                launch.clusterSize(),
                global);
        launch.filled().forEach(this::fill);
    }

    private void fill(FilledBuffer filled) {
        long start = address(filled.role());
        switch (filled) {
            case FilledBuffer.Words words -> {
                for (int at = 0; at < words.words().size(); at++) {
                    table.put(start + (long) at * Integer.BYTES, words.words().get(at));
                }
            }
            case FilledBuffer.Outputs _ -> throw new IllegalArgumentException("this machine knows no epilogue");
            case FilledBuffer.Maps inMemory -> {
                for (int at = 0; at < inMemory.maps().size(); at++) {
                    long address = start + (long) at * FilledBuffer.Maps.MAP_BYTES;
                    maps.put(address, inMemory.maps().get(at));
                    toAcquire.add(address);
                }
            }
        }
    }

    private Machine(
            Entry entry, List<Argument> given, int ctas, int threads, int clusterSize, Map<Long, Integer> global) {
        this.body = entry.body();
        this.ctas = ctas;
        this.threads = threads;
        this.clusterSize = clusterSize;
        this.global = global;
        if (given.size() != entry.params().size()) {
            throw new IllegalArgumentException(
                    given.size() + " arguments for " + entry.params().size() + " parameters");
        }
        for (int index = 0; index < given.size(); index++) {
            String name = entry.params().get(index).name();
            arguments.put(name, given.get(index));
            mapAddresses.put(name, 0x4000_0000L + index);
            if (given.get(index) instanceof Argument.TensorMap map) {
                maps.put(0x4000_0000L + index, map);
            }
        }
        for (int at = 0; at < body.size(); at++) {
            if (body.get(at) instanceof Statement.LabelTarget(var label)) {
                labels.put(label.name(), at);
            }
        }
    }

    /** What a launch left behind. */
    public record Outcome(List<TileStore> stores, Map<Long, Integer> global) {}

    /**
     * Runs a launch to its end.
     *
     * @param global words of global memory by address, changed by the run
     * @param seed of the order in which threads run
     * @throws IllegalStateException if all threads wait, or a barrier is misused
     */
    public static Outcome run(GemmKernel kernel, KernelLaunch launch, Map<Long, Integer> global, long seed) {
        return new Machine(kernel, launch, global).run(seed);
    }

    /** Runs one CTA of one warp of any entry, without tensor maps. */
    public static Outcome run(Entry entry, List<Argument> arguments, Map<Long, Integer> global) {
        return new Machine(entry, arguments, 1, 32, 1, global).run(0);
    }

    private Outcome run(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<MachineThread> running = new ArrayList<>();
        for (int cluster = 0; cluster < ctas / clusterSize; cluster++) {
            Rendezvous together = new Rendezvous();
            List<MachineCta> members = new ArrayList<>();
            for (int rank = 0; rank < clusterSize; rank++) {
                members.add(new MachineCta(this, cluster, rank, members, together));
            }
            members.forEach(cta -> running.addAll(cta.threads()));
        }
        List<MachineThread> waiting = new ArrayList<>();
        while (!running.isEmpty()) {
            int index = random.nextInt(running.size());
            MachineThread thread = running.get(index);
            MachineThread.State state = thread.run(1 + random.nextInt(MOST_STEPS_AT_A_TIME));
            switch (state) {
                case RUNNING -> {
                    running.addAll(waiting);
                    waiting.clear();
                }
                case WAITING -> waiting.add(take(running, index));
                case DONE -> {
                    take(running, index);
                    running.addAll(waiting);
                    waiting.clear();
                }
            }
        }
        if (!waiting.isEmpty()) {
            throw new IllegalStateException(
                    "deadlock: " + waiting.size() + " threads wait, first " + waiting.getFirst());
        }
        return new Outcome(List.copyOf(stores), global);
    }

    private static MachineThread take(List<MachineThread> from, int index) {
        MachineThread thread = from.get(index);
        from.set(index, from.getLast());
        from.removeLast();
        return thread;
    }

    /** Where a buffer begins. */
    public static long address(BufferRole role) {
        return (role.ordinal() + 1L) << 32;
    }

    int load(long address) {
        return global.getOrDefault(address, 0);
    }

    /** A word that the host has written. */
    int loadFilled(long address) {
        Integer word = table.get(address);
        if (word == null) {
            throw new IllegalStateException("the host has written nothing at " + address);
        }
        return word;
    }

    void store(long address, int word) {
        global.put(address, word);
    }

    void store(TileStore store) {
        stores.add(store);
    }
}
