package dev.tilewright.emulator.tcgen05;

import dev.tilewright.emulator.async.AsyncQueue;
import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.hazard.HazardFound;
import dev.tilewright.emulator.schedule.Interleaving;
import dev.tilewright.emulator.tensor.DenseProduct;
import dev.tilewright.emulator.warp.RunCounts;
import dev.tilewright.ptx.instruction.CtaGroup;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The tensor cores and tensor memories of all SMs of a run. */
public final class TensorCores {
    private static final int MAX_N = 256;
    private static final int MAX_K = 32;

    private final AsyncQueue async;
    private final Interleaving choices;
    private final RunCounts tally;
    private final Map<Integer, TensorMemory> memories = new HashMap<>();
    private final Map<Integer, DenseProduct> products = new HashMap<>();
    private @Nullable CtaGroup group;

    /** The tensor cores of a run that has issued no tcgen05 work. */
    public TensorCores(AsyncQueue async, Interleaving choices, RunCounts tally) {
        this.async = async;
        this.choices = choices;
        this.tally = tally;
    }

    /** The queue of their pending work. */
    AsyncQueue async() {
        return async;
    }

    Interleaving choices() {
        return choices;
    }

    /** The counts of their work. */
    RunCounts tally() {
        return tally;
    }

    /** All tcgen05 instructions of a kernel say the same group. PTX 9.7.16.5. */
    void requireGroup(CtaGroup said) {
        if (group != null && group != said) {
            throw new HazardFound(new Hazard.TensorMemoryMisuse(
                    "." + said.ptx() + " in a kernel that said ." + group.ptx() + " before"));
        }
        group = said;
    }

    /**
     * The tensor memory of an SM. The two CTAs of a pair are on two SMs of a GPU, whichever SMs they are on here.
     *
     * @param rank of the CTA in its cluster
     */
    TensorMemory memory(int sm, int rank) {
        int half = group == CtaGroup.TWO ? rank & 1 : 0;
        return memories.computeIfAbsent(2 * sm + half, unused -> new TensorMemory());
    }

    /** Room for a product of so many rows. */
    DenseProduct product(int rows) {
        return products.computeIfAbsent(rows, m -> new DenseProduct(m, MAX_N, MAX_K));
    }
}
