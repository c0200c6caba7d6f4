package dev.tilewright.emulator.run;

/** A launch that its entry, or the machine, does not take. */
public final class UnfitLaunchException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    /** @param message naming what does not fit, its value, and what would */
    public UnfitLaunchException(String message) {
        super(message);
    }
}
