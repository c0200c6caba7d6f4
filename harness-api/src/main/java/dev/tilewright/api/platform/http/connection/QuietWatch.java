package dev.tilewright.api.platform.http.connection;

import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Ends TLS connections over which no request begins in time. Tomcat's timeouts begin anew with every byte, and bytes of
 * a handshake or of half a record are bytes of no request, so that no deadline of a request ends them.
 */
final class QuietWatch {

    private final Map<SocketChannel, Long> deadlines = new ConcurrentHashMap<>();
    private Duration first = Duration.ofSeconds(20);
    private Duration next = Duration.ofSeconds(60);

    /**
     * Sets the limits.
     *
     * @param first from a new connection to its first request
     * @param next from one request to the next
     */
    void limits(Duration first, Duration next) {
        this.first = first;
        this.next = next;
    }

    void accepted(SocketChannel channel) {
        deadlines.put(channel, System.nanoTime() + first.toNanos());
    }

    /** Something has come; how long it was waited for, which is over for now. */
    @Nullable
    Long heard(SocketChannel channel) {
        return deadlines.remove(channel);
    }

    /** It was no request: the time goes on. */
    void goOn(SocketChannel channel, long deadline) {
        deadlines.put(channel, deadline);
    }

    /** A request was answered, and there may be another one. */
    void answered(SocketChannel channel) {
        deadlines.put(channel, System.nanoTime() + next.toNanos());
    }

    void look(long nowNs, Consumer<SocketChannel> cut) {
        deadlines.forEach((channel, deadline) -> {
            if (!channel.isOpen()) {
                deadlines.remove(channel, deadline);
            } else if (nowNs - deadline > 0 && deadlines.remove(channel, deadline)) {
                cut.accept(channel);
            }
        });
    }
}
