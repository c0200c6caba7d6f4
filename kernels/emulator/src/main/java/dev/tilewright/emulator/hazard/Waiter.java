package dev.tilewright.emulator.hazard;

/** A strand that cannot continue, and the event that it waits for. */
public record Waiter(Site site, String reason) {
    @Override
    public String toString() {
        return site + " waits for " + reason;
    }
}
