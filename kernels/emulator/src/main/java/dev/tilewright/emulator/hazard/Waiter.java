package dev.tilewright.emulator.hazard;

/** Somebody who cannot go on, and what for. */
public record Waiter(Site site, String reason) {
    @Override
    public String toString() {
        return site + " waits for " + reason;
    }
}
