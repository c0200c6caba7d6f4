package dev.tilewright.emulator.hazard;

/** A hazard and the instruction at which it showed. */
public record Finding(Hazard hazard, Site site) {
    /** One sentence for people. */
    public String message() {
        return hazard.message() + ", at " + site;
    }
}
