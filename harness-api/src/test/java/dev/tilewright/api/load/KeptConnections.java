package dev.tilewright.api.load;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Deque;
import java.util.Locale;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.jspecify.annotations.Nullable;

/**
 * A client that costs little beside what it drives: requests are bytes, connections are kept, and what comes back is
 * read to its end, or thrown away. Any thread may use it.
 */
final class KeptConnections implements AutoCloseable {

    /** A last resort: a busy machine is slow. */
    private static final int PATIENCE_MS = 120_000;

    /** The service closes connections that nobody used for longer. */
    private static final long FRESH_NS = Duration.ofSeconds(20).toNanos();

    private final InetSocketAddress address;
    private final Deque<Connection> free = new ConcurrentLinkedDeque<>();

    KeptConnections(String url) {
        URI uri = URI.create(url);
        address = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), uri.getPort());
    }

    /**
     * An answer.
     *
     * @param body empty if nobody wanted it
     */
    record Answer(int status, long bytes, byte[] body) {

        String text() {
            return new String(body, StandardCharsets.UTF_8);
        }
    }

    /** The bytes of a request. */
    static byte[] request(String method, String path, @Nullable String body, String... headers) {
        StringBuilder text = new StringBuilder(method)
                .append(' ')
                .append(path)
                .append(" HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\n");
        for (int i = 0; i < headers.length; i += 2) {
            text.append(headers[i]).append(": ").append(headers[i + 1]).append("\r\n");
        }
        byte[] content = body == null ? new byte[0] : body.getBytes(StandardCharsets.UTF_8);
        if (body != null) {
            text.append("Content-Type: application/json\r\nContent-Length: ")
                    .append(content.length)
                    .append("\r\n");
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(text.append("\r\n").toString().getBytes(StandardCharsets.US_ASCII));
        bytes.writeBytes(content);
        return bytes.toByteArray();
    }

    /** Sends a request over a connection that is free, or a new one; the body is kept if {@code wanted}. */
    Answer send(byte[] request, boolean wanted) throws IOException {
        Connection kept = free.pollFirst();
        if (kept != null && System.nanoTime() - kept.used > FRESH_NS) {
            kept.close();
            kept = null;
        }
        Connection connection = kept == null ? new Connection(address) : kept;
        try {
            Answer answer = connection.exchange(request, wanted);
            if (connection.kept) {
                connection.used = System.nanoTime();
                free.addFirst(connection);
            } else {
                connection.close();
            }
            return answer;
        } catch (IOException broken) {
            connection.close();
            throw broken;
        }
    }

    @Override
    public void close() throws IOException {
        for (Connection connection = free.pollFirst(); connection != null; connection = free.pollFirst()) {
            connection.close();
        }
    }

    private static final class Connection {

        private final Socket socket = new Socket();
        private final InputStream in;
        private final byte[] scratch = new byte[16 * 1024];
        private boolean kept = true;
        private long used;

        Connection(InetSocketAddress address) throws IOException {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(PATIENCE_MS);
            socket.connect(address, PATIENCE_MS);
            in = new BufferedInputStream(socket.getInputStream(), 16 * 1024);
        }

        Answer exchange(byte[] request, boolean wanted) throws IOException {
            socket.getOutputStream().write(request);
            int status = Integer.parseInt(line().substring(9, 12));
            long length = 0;
            boolean chunked = false;
            for (String header = line(); !header.isEmpty(); header = line()) {
                String lower = header.toLowerCase(Locale.ROOT);
                if (lower.startsWith("content-length:")) {
                    length = Long.parseLong(lower.substring(15).strip());
                }
                kept &= !lower.equals("connection: close");
                chunked |= lower.startsWith("transfer-encoding:") && lower.contains("chunked");
            }
            ByteArrayOutputStream body = new ByteArrayOutputStream();
            long read = 0;
            if (chunked) {
                for (long size = chunk(); size > 0; size = chunk()) {
                    read += take(size, wanted, body);
                    line();
                }
                line();
            } else {
                read = take(length, wanted, body);
            }
            return new Answer(status, read, body.toByteArray());
        }

        private long chunk() throws IOException {
            return Long.parseLong(line(), 16);
        }

        private long take(long count, boolean wanted, ByteArrayOutputStream body) throws IOException {
            for (long left = count; left > 0; ) {
                int got = in.read(scratch, 0, (int) Math.min(left, scratch.length));
                if (got < 0) {
                    throw new EOFException("the answer ends " + left + " bytes early");
                }
                if (wanted) {
                    body.write(scratch, 0, got);
                }
                left -= got;
            }
            return count;
        }

        private String line() throws IOException {
            StringBuilder line = new StringBuilder();
            for (int c = in.read(); c != '\n'; c = in.read()) {
                if (c < 0) {
                    throw new EOFException("the connection was closed before the answer was over");
                }
                if (c != '\r') {
                    line.append((char) c);
                }
            }
            return line.toString();
        }

        void close() throws IOException {
            socket.close();
        }
    }
}
