package dev.tilewright.emulator.warp;

import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.hazard.HazardFound;
import dev.tilewright.emulator.hazard.Unwritten;
import dev.tilewright.emulator.memory.LocalMemory;
import dev.tilewright.emulator.order.Order;
import dev.tilewright.emulator.order.WarpOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** 32 lanes and their registers. */
public final class Warp {
    public static final int LANES = 32;

    /** Registers of up to 32 bits: register * 32 + lane. */
    public final int[] words;
    /** The carry flags: a bit for each lane. */
    public int carries;
    /** Registers of 64 bits, likewise. */
    public final long[] wides;
    /** Predicates: a bit for each lane. */
    public final int[] predicates;

    private record Behind(int id, int lanes, Unwritten source) {}

    private final int[] defined;
    /** The reads that made registers undefined in some lanes, by register. */
    private final Map<Integer, Unwritten> sources = new HashMap<>();
    /** The registers that the instruction under way will leave undefined. */
    private final List<Behind> behind = new ArrayList<>();

    private final WgmmaRegisters wgmmaRegisters;
    private final TensorRegisters tensorRegisters;
    private final CtaCoordinates cta;
    private final int index;
    private final Footprint footprint;
    private final WarpMeeting meeting;
    private final WarpOrder order;
    private final LocalMemory local;
    private int alive;
    private final Polling polling = new Polling();
    private int clusterArrived;
    private int clusterPhase;
    private int registersPerThread;

    public Warp(CtaCoordinates cta, int index, Footprint footprint, Order happensBefore) {
        this.cta = cta;
        this.index = index;
        this.footprint = footprint;
        registersPerThread = footprint.registersPerThread();
        RegisterMap map = footprint.registers();
        int lanes = Math.min(LANES, footprint.threads() - index * LANES);
        words = new int[map.words() * LANES];
        wides = new long[map.wides() * LANES];
        predicates = new int[map.predicates()];
        defined = new int[map.count()];
        wgmmaRegisters = new WgmmaRegisters(map, footprint.text());
        tensorRegisters = new TensorRegisters(map);
        alive = lanes == LANES ? -1 : (1 << lanes) - 1;
        Arrays.fill(words, 0xDEADBEEF);
        local = new LocalMemory(LANES, footprint.localBytes());
        order = happensBefore.warp(cta.cluster().id(), cta.id(), alive, clusterThread(0));
        meeting = new WarpMeeting(order, alive);
    }

    /** The coordinates of its CTA. */
    public CtaCoordinates cta() {
        return cta;
    }

    /** The program that it executes, for evidence. */
    ProgramText text() {
        return footprint.text();
    }

    public int index() {
        return index;
    }

    /** Lanes that have not exited. */
    public int alive() {
        return alive;
    }

    public void exit(int lanes) {
        alive &= ~lanes;
        meeting.exit(lanes);
    }

    /** Index of a lane's thread in the CTA. */
    public int thread(int lane) {
        return index * LANES + lane;
    }

    /** Index of a lane's thread in the cluster. */
    public int clusterThread(int lane) {
        return cta.rank() * footprint.threads() + thread(lane);
    }

    /** Whether it only looks what others do. */
    public Polling polling() {
        return polling;
    }

    /** The accesses of other threads that its threads are ordered behind. */
    public WarpOrder order() {
        return order;
    }

    public WarpMeeting meeting() {
        return meeting;
    }

    /** The variables of its lanes. */
    public LocalMemory local() {
        return local;
    }

    // ---- what is known of registers -----------------------------------------------------------------------------

    public void requireDefined(int[] ids, int lanes) {
        for (int id : ids) {
            if ((defined[id] & lanes) != lanes) {
                int lane = Integer.numberOfTrailingZeros(lanes & ~defined[id]);
                Unwritten source = sources.get(id);
                throw new HazardFound(new Hazard.UninitialisedRead("register " + registerName(id) + " of lane " + lane
                        + (source == null ? "" : ", which comes of this: " + source)));
            }
        }
    }

    /** The lanes in which some of the registers have never been written, or were computed from such. */
    public int undefined(int[] ids, int lanes) {
        int all = -1;
        for (int id : ids) {
            all &= defined[id];
        }
        return lanes & ~all;
    }

    /**
     * Marks registers of some lanes as undefined.
     *
     * @param source the read that found the unwritten bytes, if there is one
     */
    public void undefine(int[] ids, int lanes, @Nullable Unwritten source) {
        for (int id : ids) {
            undefine(id, lanes, source);
        }
    }

    private void undefine(int id, int lanes, @Nullable Unwritten source) {
        defined[id] &= ~lanes;
        if (source == null) {
            sources.remove(id);
        } else {
            sources.put(id, source);
        }
    }

    /** The read of which an undefined register among some comes; null if none does. */
    public @Nullable Unwritten source(int[] ids, int lanes) {
        for (int id : ids) {
            if ((defined[id] & lanes) != lanes && sources.containsKey(id)) {
                return sources.get(id);
            }
        }
        return null;
    }

    /**
     * As above; if none does, the read of the first such register by an instruction that takes them.
     *
     * @param reader the instruction, for people
     */
    public Unwritten sourceOf(int[] ids, String reader) {
        Unwritten known = source(ids, -1);
        if (known != null) {
            return known;
        }
        String name = Arrays.stream(ids)
                .filter(id -> defined[id] != -1)
                .mapToObj(id -> "register " + registerName(id))
                .findFirst()
                .orElse("a register");
        return new Unwritten(() -> reader, () -> name);
    }

    /** Marks a register as undefined in some lanes when the instruction under way is over. */
    public void undefineBehind(int id, int lanes, Unwritten source) {
        behind.add(new Behind(id, lanes, source));
    }

    /** The instruction has written its registers. */
    public void undefineNow() {
        if (!behind.isEmpty()) {
            behind.forEach(each -> undefine(each.id, each.lanes, each.source));
            behind.clear();
        }
    }

    /** Id of a register of 64 bits. */
    public int wideId(int index) {
        return footprint.registers().words() + index;
    }

    public void define(int[] ids, int lanes) {
        for (int id : ids) {
            defined[id] |= lanes;
        }
    }

    public boolean isDefined(int id, int lanes) {
        return (defined[id] & lanes) == lanes;
    }

    private String registerName(int id) {
        return footprint.registers().name(id);
    }

    // ---- registers of wgmmas ------------------------------------------------------------------------------------

    /**
     * The ordinary instruction at {@code pc} accesses registers of asynchronous ones, and reads and writes some
     * registers.
     */
    public void touch(int pc, int[] touched, int[] read, int[] written) {
        wgmmaRegisters.touch(pc, touched, written);
        tensorRegisters.touch(touched, read);
    }

    /** Registers that loads from tensor memory write. */
    public TensorRegisters tensorRegisters() {
        return tensorRegisters;
    }

    /**
     * A register was written for all lanes, but only these got something that means anything.
     *
     * @param source the read of which the others come, if there is one
     */
    public void defineOnly(int id, int lanes, @Nullable Unwritten source) {
        defined[id] = -1;
        if (lanes != -1) {
            undefine(id, ~lanes, source);
        }
    }

    /** The registers that pending wgmmas use. */
    public WgmmaRegisters wgmmaRegisters() {
        return wgmmaRegisters;
    }

    /** Whether all lanes have registers that mean something. */
    public boolean isDefined(int[] ids) {
        for (int id : ids) {
            if (defined[id] != -1) {
                return false;
            }
        }
        return true;
    }

    /** A wgmma writes these registers in all lanes. */
    public void defineAll(int[] ids) {
        for (int id : ids) {
            defined[id] = -1;
        }
    }

    // ---- the cluster barrier ------------------------------------------------------------------------------------

    /** Lanes that have arrived at the cluster barrier and not waited. */
    public int clusterArrived() {
        return clusterArrived;
    }

    public void arriveAtCluster(int lanes, int phase) {
        clusterArrived |= lanes;
        clusterPhase = phase;
    }

    public void passCluster(int lanes) {
        clusterArrived &= ~lanes;
    }

    /** Phase of the cluster barrier in which its lanes arrived. */
    public int clusterPhase() {
        return clusterPhase;
    }

    // ---- setmaxnreg ---------------------------------------------------------------------------------------------

    public int registersPerThread() {
        return registersPerThread;
    }

    public void registersPerThread(int count) {
        registersPerThread = count;
    }
}
