package dev.tilewright.emulator.order;

import dev.tilewright.emulator.hazard.Hazard;

/**
 * What a thread did with memory, with no fence between the proxies before an asynchronous access.
 *
 * @param before what it did, and where, to follow the range
 * @param missing the fence, or an order behind it
 * @param why in words
 */
public record Unfenced(String before, String missing, String why) {
    /**
     * The hazard that it is.
     *
     * @param range that both access, for people
     * @param access that comes without a fence, for people
     */
    public Hazard hazard(String range, String access) {
        return new Hazard.MissingProxyFence(missing, range, access, before, why);
    }
}
