package dev.tilewright.api.platform;

/** Build facts of this program, as the launcher passes them. */
public final class Build {

    private Build() {}

    /** The commit that it was built from; {@code unknown} if the launcher did not start it. */
    public static String commit() {
        return System.getProperty("tilewright.commit", "unknown");
    }
}
