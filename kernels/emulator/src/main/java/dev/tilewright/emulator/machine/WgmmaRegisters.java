package dev.tilewright.emulator.machine;

import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.hazard.HazardFound;
import dev.tilewright.emulator.program.RegisterMap;

/**
 * The word registers of a warp as its wgmmas see them: which of them a wgmma under way accumulates into or reads a
 * fragment of A from, and what touched them since the warp's last wgmma.fence. PTX 9.7.15.7.
 */
public final class WgmmaRegisters {
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
    private int fences;

    WgmmaRegisters(RegisterMap names) {
        this.names = names;
        int words = names.words();
        accumulating = new long[words];
        fragment = new long[words];
        shape = new int[words];
        takenFences = new int[words];
        touched = new int[words];
        written = new int[words];
    }

    /** wgmma.fence. */
    public void fence() {
        fences++;
    }

    /**
     * An ordinary instruction accesses registers: an accumulator may not be accessed, a fragment not written.
     *
     * @param ids of those that belong to wgmmas
     * @param writes ids of all that it writes
     */
    void touch(int[] ids, int[] writes) {
        for (int id : ids) {
            if (accumulating[id] > 0) {
                throw new HazardFound(new Hazard.AccumulatorInFlight(names.name(id)));
            }
            touched[id] = fences;
        }
        for (int id : writes) {
            if (id < fragment.length) {
                if (fragment[id] > 0) {
                    throw new HazardFound(new Hazard.FragmentInFlight(names.name(id)));
                }
                written[id] = fences;
            }
        }
    }

    /**
     * A wgmma takes accumulators.
     *
     * @param sequence number of the wgmma in its warpgroup, from 1
     * @param shapeCode the same for wgmmas whose accumulators follow one another without a fence
     */
    public void accumulate(int[] ids, long sequence, int shapeCode) {
        for (int id : ids) {
            boolean otherShape = accumulating[id] > 0 && takenFences[id] == fences && shape[id] != shapeCode;
            if (touched[id] == fences || otherShape) {
                throw new HazardFound(new Hazard.MissingWgmmaFence(names.name(id)));
            }
            accumulating[id] = sequence;
            takenFences[id] = fences;
            shape[id] = shapeCode;
        }
    }

    /** A wgmma reads a fragment of A: not from accumulators of one under way. */
    public void readFragment(int[] ids, long sequence) {
        for (int id : ids) {
            if (accumulating[id] > 0) {
                throw new HazardFound(new Hazard.AccumulatorInFlight(names.name(id)));
            }
            if (written[id] == fences) {
                throw new HazardFound(new Hazard.MissingWgmmaFence(names.name(id)));
            }
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
