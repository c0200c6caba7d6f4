package dev.tilewright.emulator.order;

import java.util.function.Supplier;

/**
 * An order that synchronisation would have made, had it been as strong as needed: evidence for whoever misses it later.
 *
 * @param knowledge what would have been handed over
 * @param by the synchronising access; what its lanes did before would have been handed over too
 * @param lanes of that access
 * @param rule what is missing, in words
 */
record Missed(Knowledge knowledge, Access by, int lanes, Supplier<String> rule) {
    /**
     * A synchronising access that is too weak.
     *
     * @param rule why, to follow its name
     */
    static Missed of(Knowledge knowledge, Access by, int lanes, String rule) {
        return new Missed(
                knowledge,
                by,
                lanes,
                () -> "the " + by.manner.what() + " at " + by.site(Integer.numberOfTrailingZeros(lanes)) + " " + rule);
    }

    /** Whether it would have brought an access before what follows. */
    boolean covers(Access earlier, int lane) {
        return knowledge.visible().covers(earlier.agent, lane, earlier.epoch)
                || earlier.agent == by.agent && (lanes >>> lane & 1) != 0 && earlier.epoch <= by.epoch;
    }
}
