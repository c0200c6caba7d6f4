package dev.tilewright.api.platform.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Sends bytes that no decent client would send, and reads whatever comes back. */
record RawHttp(int port) {

    /** A last resort: a busy machine is slow. */
    private static final int PATIENCE_MS = 120_000;

    /**
     * What came back.
     *
     * @param status 0 if the connection was closed without a word
     */
    record Answer(int status, String head, String body) {

        static Answer parse(byte[] bytes) {
            // One character a byte, as chunks are counted.
            String text = new String(bytes, StandardCharsets.ISO_8859_1);
            int end = text.indexOf("\r\n\r\n");
            String head = end < 0 ? text : text.substring(0, end);
            String[] line = head.split(" ", 3);
            int status = line.length > 1 && line[1].matches("\\d{3}") ? Integer.parseInt(line[1]) : 0;
            String body = end < 0 ? "" : text.substring(end + 4);
            boolean chunked = head.toLowerCase(Locale.ROOT).contains("\ntransfer-encoding: chunked");
            byte[] content = (chunked ? joined(body) : body).getBytes(StandardCharsets.ISO_8859_1);
            return new Answer(status, head, new String(content, StandardCharsets.UTF_8));
        }

        private static String joined(String chunks) {
            StringBuilder whole = new StringBuilder();
            String rest = chunks;
            while (rest.indexOf("\r\n") > 0) {
                int line = rest.indexOf("\r\n");
                int size = Integer.parseInt(rest.substring(0, line), 16);
                whole.append(rest, line + 2, line + 2 + size);
                rest = rest.substring(Math.min(rest.length(), line + 2 + size + 2));
            }
            return whole.toString();
        }
    }

    /** A connection from an address of this machine; any if it is {@code null}. */
    Socket connect(@Nullable String from) throws IOException {
        Socket socket = new Socket();
        try {
            socket.setSoTimeout(PATIENCE_MS);
            if (from != null) {
                socket.bind(new InetSocketAddress(InetAddress.ofLiteral(from), 0));
            }
            socket.connect(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port), PATIENCE_MS);
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** Sends a whole request and reads to the end of the connection. */
    Answer ask(byte[] request) throws IOException {
        try (Socket socket = connect(null)) {
            try {
                socket.getOutputStream().write(request);
                socket.shutdownOutput();
            } catch (IOException refusedBeforeItsEnd) {
                // The answer may be there all the same.
            }
            return Answer.parse(rest(socket.getInputStream()));
        }
    }

    /** The best configs, over a connection of its own. */
    Answer best(String from) throws IOException {
        try (Socket socket = connect(from)) {
            socket.getOutputStream()
                    .write("GET /api/v1/best HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            return Answer.parse(rest(socket.getInputStream()));
        }
    }

    Answer ask(String request) throws IOException {
        return ask(request.getBytes(StandardCharsets.UTF_8));
    }

    /** Limits that slow clients meet soon, with so many connections of an address. */
    static Map<String, Object> strict(int byAddress) {
        return Map.of(
                "tilewright.http.connections-by-address", byAddress,
                "tilewright.http.head", "1s",
                "tilewright.http.body", "2s",
                "tilewright.http.pause", "3s",
                "tilewright.http.idle", "1s",
                "db-scheduler.enabled", "false");
    }

    /** Sends a byte now and then, which keeps every timeout of a single read, until the other side has had enough. */
    static byte[] drip(Socket wire, byte[] drops) throws IOException, InterruptedException {
        OutputStream out = wire.getOutputStream();
        Thread dripping = Thread.startVirtualThread(() -> {
            try {
                for (byte drop : drops) {
                    out.write(drop);
                    out.flush();
                    Thread.sleep(50);
                }
            } catch (IOException | InterruptedException ended) {
                Thread.currentThread().interrupt();
            }
        });
        // The test's socket gives up after two minutes; a connection that is cut ends the reading before.
        byte[] answer = rest(wire.getInputStream());
        dripping.interrupt();
        dripping.join();
        return answer;
    }

    /** As many of one byte as nobody waits for. */
    static byte[] drops(char drop) {
        byte[] drops = new byte[10_000];
        Arrays.fill(drops, (byte) drop);
        return drops;
    }

    /** What still comes; a connection that is reset has come to its end too. */
    static byte[] rest(InputStream in) throws IOException {
        java.io.ByteArrayOutputStream all = new java.io.ByteArrayOutputStream();
        byte[] part = new byte[8192];
        try {
            for (int read = in.read(part); read >= 0; read = in.read(part)) {
                all.write(part, 0, read);
            }
        } catch (java.net.SocketTimeoutException stuck) {
            throw stuck;
        } catch (IOException reset) {
            return all.toByteArray();
        }
        return all.toByteArray();
    }
}
