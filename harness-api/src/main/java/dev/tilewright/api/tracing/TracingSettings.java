package dev.tilewright.api.tracing;

import java.net.URI;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * Where traces go.
 *
 * @param endpoint of a collector that takes OTLP over HTTP, with its path; {@code null} for no traces
 */
@ConfigurationProperties("tilewright.traces")
record TracingSettings(@Nullable String endpoint) {

    static final String ENDPOINT = "tilewright.traces.endpoint";

    /** An empty endpoint is none. */
    TracingSettings {
        endpoint = endpoint == null || endpoint.isBlank() ? null : endpoint.strip();
        if (endpoint != null && !isWebAddress(endpoint)) {
            throw new IllegalArgumentException(ENDPOINT
                    + " must be an address of OTLP over HTTP such as http://127.0.0.1:4318/v1/traces, got '" + endpoint
                    + "'");
        }
    }

    private static boolean isWebAddress(String text) {
        try {
            URI uri = URI.create(text);
            return ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))
                    && uri.getHost() != null
                    && uri.getPath().length() > 1;
        } catch (IllegalArgumentException malformed) {
            return false;
        }
    }
}
