package dev.tilewright.emulator;

import java.util.Optional;

/**
 * The machine and its mood.
 *
 * @param sms streaming multiprocessors; few, so that persistent kernels take several tiles each
 * @param seed decides every choice of order; the same seed gives the same run
 * @param stepLimit warp instructions after which the run counts as endless
 * @param mood how strands take turns; where it is absent the seed decides that too
 * @param launching how clusters come to run
 */
public record Options(int sms, long seed, long stepLimit, Optional<Mood> mood, Launching launching) {
    public static final int DEFAULT_SMS = 4;

    public Options {
        if (sms < 1 || stepLimit < 1) {
            throw new IllegalArgumentException("needs an SM and a step, got " + sms + " and " + stepLimit);
        }
    }

    /** Clusters are launched as soon as there is room. */
    public Options(int sms, long seed, long stepLimit, Optional<Mood> mood) {
        this(sms, seed, stepLimit, mood, Launching.PROMPT);
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
        return new Options(count, seed, stepLimit, mood, launching);
    }

    public Options withStepLimit(long limit) {
        return new Options(sms, seed, limit, mood, launching);
    }

    public Options withMood(Mood chosen) {
        return new Options(sms, seed, stepLimit, Optional.of(chosen), launching);
    }

    public Options withLaunching(Launching chosen) {
        return new Options(sms, seed, stepLimit, mood, chosen);
    }
}
