package dev.tilewright.worker.cli.gate;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Runs {@code tilewright gate} in this JVM for the launchers of shell scripts, instead of a process for each call. */
record VerbServer(HttpServer server, Path folder) implements AutoCloseable {

    private static final String REPORTS = "gate-reports/";

    /** @param folder in which the scripts run, and which relative paths are of */
    static VerbServer start(Path folder) throws IOException {
        VerbServer verbs = new VerbServer(
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0), folder);
        verbs.server.createContext("/", exchange -> {
            try (exchange) {
                verbs.answer(exchange);
            }
        });
        verbs.server.start();
        return verbs;
    }

    /** The text of a launcher: it sends its arguments, a line each, and gets exit code and output. */
    String launcher() {
        return """
                #!/bin/sh
                answer=$(printf '%%s\\n' "$@" | curl -fsS --data-binary @- http://127.0.0.1:%d/) || exit 99
                echo "$answer" | tail -n +2
                exit "$(echo "$answer" | head -n 1)"
                """.formatted(server.getAddress().getPort());
    }

    private void answer(HttpExchange exchange) throws IOException {
        List<String> words = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .toList();
        if (!words.getFirst().equals("gate")) {
            throw new IllegalStateException("a verb of a gate is needed, got " + words);
        }
        GateVerbs verbs = new GateVerbs(folder);
        int exit = verbs.gate(inFolder(words.subList(1, words.size())).toArray(String[]::new));
        byte[] body = (exit + "\n" + verbs.said()).getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
    }

    /** This JVM has another working folder than the script. */
    private List<String> inFolder(List<String> words) {
        List<String> absolute = new ArrayList<>();
        for (String word : words) {
            absolute.add(word.replaceFirst("(^|=)" + REPORTS, "$1" + folder.resolve(REPORTS) + "/"));
        }
        return Stream.concat(
                        absolute.stream(),
                        Stream.of("--file", folder.resolve("tilewright.yaml").toString()))
                .toList();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
