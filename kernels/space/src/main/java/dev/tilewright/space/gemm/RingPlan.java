package dev.tilewright.space.gemm;

import static dev.tilewright.space.gemm.GemmRules.when;

import dev.tilewright.space.parameter.Throttle;
import java.util.Optional;

/**
 * The ring through which a dynamic scheduler hands out tiles.
 *
 * @param slots of the ring
 * @param prefetch queries in flight, 1..slots
 * @param throttle what a query waits for
 */
public record RingPlan(int slots, int prefetch, Throttle throttle) {

    private static final int RECORD_BYTES = 16;
    private static final int BARRIER_BYTES = 8;

    public RingPlan {
        refusal(slots, prefetch).ifPresent(reason -> {
            throw new IllegalArgumentException(reason);
        });
    }

    /**
     * Bytes of shared memory: the records and barriers of the slots, and a barrier to wait at before a tile is asked
     * for.
     */
    public static int bytes(int slots, Throttle throttle) {
        int bytes = slots * (RECORD_BYTES + 2 * BARRIER_BYTES);
        return throttle == Throttle.NONE ? bytes : bytes + BARRIER_BYTES;
    }

    /** Why there is no such ring; empty if there is. */
    public static Optional<String> refusal(int slots, int prefetch) {
        return when(slots < 1, () -> "a ring has at least 1 slot, got " + slots)
                .or(() -> when(
                        prefetch < 1 || prefetch > slots,
                        () -> "queries in flight must be from 1 to the " + slots
                                + " slots that take their answers, got " + prefetch));
    }
}
