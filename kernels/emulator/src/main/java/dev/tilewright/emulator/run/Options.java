package dev.tilewright.emulator.run;

import dev.tilewright.emulator.hazard.Rule;
import java.util.Optional;
import java.util.Set;

/**
 * The machine and its mood.
 *
 * @param sms streaming multiprocessors; few, so that persistent kernels take several tiles each
 * @param seed decides every choice of order; the same seed gives the same run
 * @param stepLimit warp instructions after which the run counts as endless
 * @param mood which strand goes on next; where it is absent the seed decides that too
 * @param launching how clusters come to run
 * @param accepted rules that the kernel may break
 */
public record Options(
        int sms, long seed, long stepLimit, Optional<Mood> mood, Launching launching, Set<Rule> accepted) {
    public static final int DEFAULT_SMS = 4;

    public Options {
        accepted = Set.copyOf(accepted);
        if (sms < 1 || stepLimit < 1) {
            throw new IllegalArgumentException("needs an SM and a step, got " + sms + " and " + stepLimit);
        }
    }

    /** Clusters are launched as soon as there is room. */
    public Options(int sms, long seed, long stepLimit, Optional<Mood> mood) {
        this(sms, seed, stepLimit, mood, Launching.PROMPT, Set.of());
    }

    /** The seed decides the mood. */
    public Options(int sms, long seed, long stepLimit) {
        this(sms, seed, stepLimit, Optional.empty());
    }

    /** Four SMs, half a billion steps. */
    public static Options seed(long seed) {
        return new Options(DEFAULT_SMS, seed, 500_000_000L);
    }

    public Options withSms(int count) {
        return new Options(count, seed, stepLimit, mood, launching, accepted);
    }

    public Options withStepLimit(long limit) {
        return new Options(sms, seed, limit, mood, launching, accepted);
    }

    public Options withLaunching(Launching chosen) {
        return new Options(sms, seed, stepLimit, mood, chosen, accepted);
    }

    public Options withAccepted(Set<Rule> rules) {
        return new Options(sms, seed, stepLimit, mood, launching, rules);
    }
}
