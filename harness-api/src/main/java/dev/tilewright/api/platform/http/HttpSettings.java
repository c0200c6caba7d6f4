package dev.tilewright.api.platform.http;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings for connections to the service.
 *
 * @param hosts names under which it is asked for, beside its address
 * @param behindProxy whether the headers {@code X-Forwarded-Proto} and {@code X-Forwarded-For} of a request are those
 *     of the proxy before the service
 * @param head how long a request may take from its first byte to the end of its head
 * @param body how long it may take to the end of its body
 * @param pause how long a client may send or read nothing in the middle of a request
 * @param idle how long a connection stays open between two requests
 * @param connections at most so many at once; {@code null} for half of the files that the process may open
 * @param connectionsByAddress at most so many of one address; {@code null} for a quarter of {@code connections}
 */
@ConfigurationProperties("tilewright.http")
record HttpSettings(
        @DefaultValue List<String> hosts,
        @DefaultValue("false") boolean behindProxy,
        @DefaultValue("20s") Duration head,
        @DefaultValue("60s") Duration body,
        @DefaultValue("20s") Duration pause,
        @DefaultValue("60s") Duration idle,
        @Nullable Integer connections,
        @Nullable Integer connectionsByAddress) {

    private static final long MOST_CONNECTIONS = 4096;
    private static final long UNKNOWN_FILE_LIMIT = 1024;

    /** The other half of the files is for Postgres, for archives and for what the service starts. */
    int mostConnections() {
        long files = ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
                ? unix.getMaxFileDescriptorCount()
                : UNKNOWN_FILE_LIMIT;
        return Objects.requireNonNullElse(connections, (int) Math.min(MOST_CONNECTIONS, files / 2));
    }

    int mostByAddress() {
        return Objects.requireNonNullElse(connectionsByAddress, Math.max(1, mostConnections() / 4));
    }
}
