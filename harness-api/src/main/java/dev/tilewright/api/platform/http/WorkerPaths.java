package dev.tilewright.api.platform.http;

import java.util.regex.Pattern;

/** The paths that workers alone ask for. */
public final class WorkerPaths {

    private static final Pattern PATHS =
            Pattern.compile("/api/v1/(workers|leases|heartbeats|reports)(/.*)?", Pattern.DOTALL);

    private static final String WHO_WORKS = "/api/v1/workers";

    private WorkerPaths() {}

    /** Whether this is one of them. Who the workers are, users read. */
    public static boolean include(String method, String path) {
        return PATHS.matcher(path).matches() && !(path.equals(WHO_WORKS) && Reads.include(method));
    }
}
