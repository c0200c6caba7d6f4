package dev.tilewright.api.platform.http.connection;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.apache.tomcat.util.net.NioEndpoint;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Closes a connection that its address has no room for, before any thread but the one that accepts has seen it. */
final class GuardedEndpoint extends NioEndpoint {

    private static final Logger LOG = LoggerFactory.getLogger(GuardedEndpoint.class);
    private static final Duration BETWEEN_LINES = Duration.ofMinutes(1);

    private AddressLimit addresses = new AddressLimit(Integer.MAX_VALUE);
    private byte[] refusal = {};
    private final QuietWatch quiet;
    private long lastLineNs;

    GuardedEndpoint(QuietWatch quiet) {
        this.quiet = quiet;
    }

    void limit(int byAddress) {
        addresses = new AddressLimit(byAddress);
        refusal = refusal(byAddress).getBytes(StandardCharsets.US_ASCII);
        lastLineNs = System.nanoTime() - BETWEEN_LINES.toNanos();
    }

    private static String refusal(int byAddress) {
        String body = "{\"type\":\"urn:tilewright:problem:busy\",\"title\":\"Too many at once\",\"status\":503,"
                + "\"detail\":\"one address may hold " + byAddress + " connections\",\"errors\":[]}";
        return "HTTP/1.1 503 \r\nContent-Type: application/problem+json\r\nContent-Length: " + body.length()
                + "\r\nRetry-After: 1\r\nConnection: close\r\n\r\n" + body;
    }

    @Override
    protected boolean setSocketOptions(SocketChannel socket) {
        try {
            if (socket.getRemoteAddress() instanceof InetSocketAddress from
                    && !addresses.take(from.getAddress(), socket)) {
                refuse(socket, from.getAddress());
                destroySocket(socket);
                return false;
            }
        } catch (IOException gone) {
            destroySocket(socket);
            return false;
        }
        if (isSSLEnabled()) {
            quiet.accepted(socket);
        }
        return super.setSocketOptions(socket);
    }

    private void refuse(SocketChannel socket, InetAddress from) throws IOException {
        long now = System.nanoTime();
        if (now - lastLineNs >= BETWEEN_LINES.toNanos()) {
            lastLineNs = now;
            LOG.warn(
                    "{} holds as many connections as one address may: more of them are refused", from.getHostAddress());
        }
        if (!isSSLEnabled()) {
            // Nothing was sent on it before, so this fits into its buffer and does not wait.
            socket.configureBlocking(false);
            socket.write(ByteBuffer.wrap(refusal));
        }
    }
}
