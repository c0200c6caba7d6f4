package dev.tilewright.emulator.hazard;

import org.jspecify.annotations.Nullable;

/** Ends a run. Whoever knows the site adds it, where the thrower did not. */
public final class HazardFound extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient Hazard hazard;
    private final transient @Nullable Site site;

    public HazardFound(Hazard hazard) {
        this(hazard, null);
    }

    public HazardFound(Hazard hazard, @Nullable Site site) {
        super(hazard.message(), null, false, false);
        this.hazard = hazard;
        this.site = site;
    }

    public Hazard hazard() {
        return hazard;
    }

    /** The site of the hazard, if it is not the instruction being executed. */
    public @Nullable Site site() {
        return site;
    }
}
