package dev.tilewright.emulator.hazard;

/** A hazard, the rule that it breaks, and the instruction at which it showed. */
public record Finding(Rule rule, Hazard hazard, Site site) {
    /** A hazard that no narrower rule is known of. */
    public Finding(Hazard hazard, Site site) {
        this(Rule.of(hazard), hazard, site);
    }

    /** The finding in one sentence. */
    public String message() {
        return hazard.message() + ", at " + site;
    }
}
