package dev.tilewright.emulator.order;

import dev.tilewright.emulator.hazard.Hazard;

/**
 * An access of a thread without a fence between the proxies before an asynchronous access.
 *
 * @param before the access and its location; the message names it behind the range
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
