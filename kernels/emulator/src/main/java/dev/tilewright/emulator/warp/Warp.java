package dev.tilewright.emulator.warp;

import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.hazard.HazardFound;
import dev.tilewright.emulator.memory.LocalMemory;
import dev.tilewright.emulator.order.Order;
import dev.tilewright.emulator.order.WarpOrder;
import java.util.Arrays;

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

    private final int[] defined;
    private final WgmmaRegisters wgmmaRegisters;
    private final TensorRegisters tensorRegisters;
    private final CtaPlace place;
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

    public Warp(CtaPlace place, int index, Footprint footprint, Order happensBefore) {
        this.place = place;
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
        order = happensBefore.warp(place.cluster().id(), place.id(), alive, clusterThread(0));
        meeting = new WarpMeeting(order, alive);
    }

    /** Where its CTA runs. */
    public CtaPlace place() {
        return place;
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
        return place.rank() * footprint.threads() + thread(lane);
    }

    /** Whether it only looks what others do. */
    public Polling polling() {
        return polling;
    }

    /** What its threads know of others. */
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
                throw new HazardFound(
                        new Hazard.UninitialisedRead("register " + registerName(id) + " of lane " + lane));
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

    /** What some lanes have computed means nothing. */
    public void undefine(int[] ids, int lanes) {
        for (int id : ids) {
            defined[id] &= ~lanes;
        }
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
     * The ordinary instruction at a place accesses registers of asynchronous ones, and reads and writes some registers.
     */
    public void touch(int pc, int[] touched, int[] read, int[] written) {
        wgmmaRegisters.touch(pc, touched, written);
        tensorRegisters.touch(touched, read);
    }

    /** Registers that loads from tensor memory write. */
    public TensorRegisters tensorRegisters() {
        return tensorRegisters;
    }

    /** A register was loaded for all lanes, but only these found something that anybody had written. */
    public void defineOnly(int id, int lanes) {
        defined[id] = lanes;
    }

    /** What wgmmas under way do with the registers. */
    public WgmmaRegisters wgmmaRegisters() {
        return wgmmaRegisters;
    }

    /** Registers of a wgmma that it reads; all lanes must have written them. */
    public void requireWritten(int[] ids) {
        for (int id : ids) {
            if (defined[id] != -1) {
                throw new HazardFound(new Hazard.UninitialisedRead("accumulator " + registerName(id)));
            }
        }
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
