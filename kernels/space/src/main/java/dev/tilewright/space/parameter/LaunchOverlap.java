package dev.tilewright.space.parameter;

/**
 * From when on the next launch may start before this one has ended, where there is room for it (programmatic dependent
 * launch). Whatever it is, a launch touches global memory only when the launches ahead of it have ended.
 */
public enum LaunchOverlap {
    /** Never: launches follow each other. */
    NONE("none"),
    /** Each CTA has made its barriers. */
    PROLOGUE("prologue"),
    /** Each CTA has issued its last load. */
    LOADED("loaded");

    private final String value;

    LaunchOverlap(String value) {
        this.value = value;
    }

    @Override
    public String toString() {
        return value;
    }
}
