package dev.tilewright.emulator;

/**
 * The machine and its mood.
 *
 * @param sms streaming multiprocessors; few, so that persistent kernels take several tiles each
 * @param seed decides every choice of order; the same seed gives the same run
 * @param stepLimit warp instructions after which the run counts as endless
 */
public record Options(int sms, long seed, long stepLimit) {
    public static final int DEFAULT_SMS = 4;

    public Options {
        if (sms < 1 || stepLimit < 1) {
            throw new IllegalArgumentException("needs an SM and a step, got " + sms + " and " + stepLimit);
        }
    }

    /** Four SMs, half a billion steps. */
    public static Options seed(long seed) {
        return new Options(DEFAULT_SMS, seed, 500_000_000L);
    }

    public Options withStepLimit(long limit) {
        return new Options(sms, seed, limit);
    }
}
