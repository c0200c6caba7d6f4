package dev.tilewright.emulator.warp;

import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.hazard.HazardFound;
import java.util.Arrays;

/**
 * The word registers of a warp as its wgmmas see them: which of them a wgmma under way accumulates into or reads a
 * fragment of A from, and what touched them since the warp's last wgmma.fence. PTX 9.7.15.7.
 */
public final class WgmmaRegisters {
    private static final int NOWHERE = -1;

    private final ProgramText text;
    private final RegisterMap names;
    /** Numbers of the latest wgmmas under way that accumulate there, and that read a fragment there; 0 for none. */
    private final long[] accumulating;

    private final long[] fragment;
    /** Shapes of those that accumulate, and the fences before them. */
    private final int[] shape;

    private final int[] takenFences;
    /** Fences before the last access and the last write by another instruction. */
    private final int[] touched;

    private final int[] written;
    /** Evidence: where the latest such wgmmas and accesses stand in the program. */
    private final int[] accumulatedAt;

    private final int[] fragmentAt;
    private final int[] touchedAt;
    private final int[] writtenAt;
    private int fences;

    WgmmaRegisters(RegisterMap names, ProgramText text) {
        this.text = text;
        this.names = names;
        int words = names.words();
        accumulating = new long[words];
        fragment = new long[words];
        shape = new int[words];
        takenFences = new int[words];
        touched = new int[words];
        written = new int[words];
        accumulatedAt = new int[words];
        fragmentAt = new int[words];
        touchedAt = new int[words];
        writtenAt = new int[words];
        Arrays.fill(touchedAt, NOWHERE);
        Arrays.fill(writtenAt, NOWHERE);
    }

    private HazardFound inFlight(int id, int pc) {
        return new HazardFound(
                new Hazard.AccumulatorInFlight(names.name(id), text.quote(pc), text.quote(accumulatedAt[id])));
    }

    private HazardFound notFenced(int id, int pc, int touch) {
        return new HazardFound(new Hazard.MissingWgmmaFence(
                names.name(id),
                text.quote(pc),
                touch == NOWHERE
                        ? "the warp has executed no wgmma.fence before"
                        : "the warp's last wgmma.fence came before " + text.quote(touch) + ", which touched it"));
    }

    /** wgmma.fence. */
    public void fence() {
        fences++;
    }

    /**
     * An ordinary instruction accesses registers: an accumulator may not be accessed, a fragment not written.
     *
     * @param pc its index in the program
     * @param ids of those that belong to wgmmas
     * @param writes ids of all that it writes
     */
    void touch(int pc, int[] ids, int[] writes) {
        for (int id : ids) {
            if (accumulating[id] > 0) {
                throw inFlight(id, pc);
            }
            touched[id] = fences;
            touchedAt[id] = pc;
        }
        for (int id : writes) {
            if (id < fragment.length) {
                if (fragment[id] > 0) {
                    throw new HazardFound(
                            new Hazard.FragmentInFlight(names.name(id), text.quote(pc), text.quote(fragmentAt[id])));
                }
                written[id] = fences;
                writtenAt[id] = pc;
            }
        }
    }

    /**
     * A wgmma takes accumulators.
     *
     * @param pc index of the wgmma in the program
     * @param sequence its number in its warpgroup, from 1
     * @param shapeCode the same for wgmmas whose accumulators follow one another without a fence
     */
    public void accumulate(int pc, int[] ids, long sequence, int shapeCode) {
        for (int id : ids) {
            boolean otherShape = accumulating[id] > 0 && takenFences[id] == fences && shape[id] != shapeCode;
            if (touched[id] == fences || otherShape) {
                throw notFenced(id, pc, otherShape ? accumulatedAt[id] : touchedAt[id]);
            }
            accumulatedAt[id] = pc;
            accumulating[id] = sequence;
            takenFences[id] = fences;
            shape[id] = shapeCode;
        }
    }

    /** A wgmma reads a fragment of A: not from accumulators of one under way. */
    public void readFragment(int pc, int[] ids, long sequence) {
        for (int id : ids) {
            if (accumulating[id] > 0) {
                throw inFlight(id, pc);
            }
            if (written[id] == fences) {
                throw notFenced(id, pc, writtenAt[id]);
            }
            fragmentAt[id] = pc;
            fragment[id] = sequence;
        }
    }

    /** The warp has waited for all wgmmas up to this one. */
    public void waitedFor(long sequence) {
        for (int id = 0; id < accumulating.length; id++) {
            if (accumulating[id] <= sequence) {
                accumulating[id] = 0;
            }
            if (fragment[id] <= sequence) {
                fragment[id] = 0;
            }
        }
    }
}
