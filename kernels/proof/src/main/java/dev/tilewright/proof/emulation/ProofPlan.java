package dev.tilewright.proof.emulation;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.tilewright.emulator.hazard.Rule;
import dev.tilewright.emulator.schedule.Interleaving;
import dev.tilewright.model.text.Count;
import java.util.Set;

/**
 * The runs of a proof.
 *
 * @param sms SMs of the emulated GPU; few, so that a small problem already gives every CTA several tiles
 * @param seed the first seed; a seed decides the data and every choice of order
 * @param seeds how many: {@code seed, seed + 1} and so on
 * @param accepted rules that the kernel may break
 * @throws IllegalArgumentException if there is no SM or no seed, or the last one is beyond 2^63 - 1
 */
public record ProofPlan(
        int sms, long seed, int seeds, @JsonIgnore Set<Rule> accepted) {

    /** As many as have every kind of interleaving. */
    public static final int DEFAULT_SEEDS = Interleaving.KINDS;

    public ProofPlan {
        accepted = Set.copyOf(accepted);
        if (sms < 1) {
            throw new IllegalArgumentException("sms must be at least 1, got " + sms);
        }
        if (seeds < 1) {
            throw new IllegalArgumentException("seeds must be at least 1, got " + seeds);
        }
        if (seed > Long.MAX_VALUE - seeds) {
            throw new IllegalArgumentException(
                    "seed must be at most " + (Long.MAX_VALUE - seeds) + " with " + seeds + " seeds, got " + seed);
        }
    }

    /** Holds a kernel to every rule. */
    public ProofPlan(int sms, long seed, int seeds) {
        this(sms, seed, seeds, Set.of());
    }

    /** The GPU, for people. */
    public String gpu() {
        return Count.of(sms, "SM");
    }

    /** The seeds, for people. */
    public String seedRange() {
        return seeds == 1 ? "seed " + seed : "seeds " + seed + ".." + (seed + seeds - 1);
    }
}
