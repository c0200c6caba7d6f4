package dev.tilewright.emulator.order;

import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.hazard.Site;

/**
 * An ordinary write with no fence between the proxies before an asynchronous access.
 *
 * @param writer where it was made
 * @param missing the fence, or an order behind it
 * @param why in words
 */
public record Unfenced(Site writer, String missing, String why) {
    /**
     * The hazard that it is.
     *
     * @param range that was written, for people
     * @param access that comes without a fence, for people
     */
    public Hazard hazard(String range, String access) {
        return new Hazard.MissingProxyFence(missing, range, access, writer.toString(), why);
    }
}
