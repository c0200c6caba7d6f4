package dev.tilewright.api.platform.http;

import dev.tilewright.bundle.BundleSpace;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/** The one body that is no JSON: the zip of a bundle. For this type, too, a browser asks before it sends it. */
final class ZipBody {

    static final String PATH = "/api/v1/bundles";
    static final String TYPE = "application/zip";
    static final long MOST_BYTES = BundleSpace.MOST_ZIP_BYTES;

    private ZipBody() {}

    static boolean isAsked(HttpServletRequest request) {
        return request.getMethod().equals("POST") && request.getServletPath().equals(PATH);
    }

    static boolean is(@Nullable String type) {
        return type != null && type.strip().equalsIgnoreCase(TYPE);
    }
}
