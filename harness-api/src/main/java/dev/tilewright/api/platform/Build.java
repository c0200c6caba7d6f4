package dev.tilewright.api.platform;

/** What the launcher says of this program. */
public final class Build {

    private Build() {}

    /** The commit that it was built from; {@code unknown} if the launcher did not start it. */
    public static String commit() {
        return System.getProperty("tilewright.commit", "unknown");
    }
}
