package dev.tilewright.emulator.order;

import dev.tilewright.emulator.hazard.Rule;
import java.util.function.Supplier;

/**
 * An order that synchronisation would have made, had it been as strong as needed: evidence for whoever misses it later.
 *
 * @param knowledge what would have been handed over
 * @param by the synchronising access; what its lanes did before would have been handed over too
 * @param lanes of that access
 * @param rule that is broken if nothing else is missing at the end of a CTA
 * @param words what is missing
 */
record Missed(HappenedBefore knowledge, Access by, int lanes, Rule rule, Supplier<String> words) {
    /**
     * A synchronising access that is too weak.
     *
     * @param why to follow its name
     */
    static Missed of(HappenedBefore knowledge, Access by, int lanes, String why) {
        return of(knowledge, by, lanes, Rule.EARLY_EXIT, why);
    }

    /** As above, where the end of a CTA that nothing else keeps alive breaks a rule of its own. */
    static Missed of(HappenedBefore knowledge, Access by, int lanes, Rule rule, String why) {
        return new Missed(
                knowledge,
                by,
                lanes,
                rule,
                () -> "the " + by.manner.what() + " at " + by.site(Integer.numberOfTrailingZeros(lanes)) + " " + why);
    }

    /** Whether it would have brought an access before what follows. */
    boolean covers(Access earlier, int lane) {
        return knowledge.visible().covers(earlier.agent, lane, earlier.epoch)
                || earlier.agent == by.agent && (lanes >>> lane & 1) != 0 && earlier.epoch <= by.epoch;
    }
}
