package dev.tilewright.api.platform.http;

import java.util.regex.Pattern;

/** The paths that workers alone ask for. */
public final class WorkerPaths {

    private static final Pattern PATHS =
            Pattern.compile("/api/v1/(workers|leases|heartbeats|reports)(/.*)?", Pattern.DOTALL);

    private WorkerPaths() {}

    /** Whether this is one of them. */
    public static boolean include(String path) {
        return PATHS.matcher(path).matches();
    }
}
