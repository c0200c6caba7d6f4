package dev.tilewright.system.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.tilewright.system.LaunchedVerb;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** One home folder and the processes that work on it. */
record Installation(Path launcher, Path home) {

    private static final String WORKER = "dev.tilewright.worker.Main worker";
    private static final String RUNNER = "dev.tilewright.worker.gpu.runner.RunnerMain";
    private static final String ASSEMBLER = "dev.tilewright.worker.gpu.AssemblerMain";

    /** A question that may fail while something is being killed; empty or an exception mean "not yet". */
    interface Question<T> {
        Optional<T> ask() throws Exception;
    }

    /** One with a new home below {@code target}, for the launcher that the build names. */
    static Installation placed(String prefix) throws IOException {
        Path target = Files.createDirectories(Path.of("target").toAbsolutePath());
        return new Installation(
                LaunchedVerb.launcher(),
                Files.createTempDirectory(target, prefix).toRealPath());
    }

    /**
     * Asks until there is an answer, for as long as anything moves: fails with the logs and what all threads do if
     * nothing did for long.
     */
    <T> T await(String what, Question<T> question) throws Exception {
        Movement movement = new Movement(this);
        String last = "nothing";
        while (movement.goesOn()) {
            try {
                Optional<T> answer = question.ask();
                if (answer.isPresent()) {
                    return answer.get();
                }
            } catch (IOException away) {
                last = away.toString();
            }
            Thread.sleep(50);
        }
        return fail("no answer, and %s: %s; last: %s%s%s", movement, what, last, logs(), new ThreadDumps(this));
    }

    /** Starts {@code serve} with a local worker that simulates an H200. */
    Process serve() throws IOException {
        return serve("simulated:h200");
    }

    /** Starts {@code serve} with a local worker that offers a device. */
    Process serve(String device) throws IOException {
        return serve(device, Map.of());
    }

    /** The same with more in the environment, which all its processes inherit, and more options. */
    Process serve(String device, Map<String, String> more, String... options) throws IOException {
        Files.createDirectories(home);
        List<String> command =
                new ArrayList<>(List.of(launcher.toString(), "serve", "--port", "0", "--device", device));
        command.addAll(List.of(options));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        home.resolve("serve.log").toFile()));
        builder.environment().put("TILEWRIGHT_HOME", home.toString());
        builder.environment().putAll(more);
        builder.environment().remove("DATABASE_URL");
        builder.environment().remove("TILEWRIGHT_USER_TOKEN");
        return builder.start();
    }

    Path serviceFile() {
        return home.resolve("service.json");
    }

    /** What {@code serve} says of itself; empty before it is ready. */
    Optional<JsonNode> service() throws IOException {
        return Files.exists(serviceFile())
                ? Optional.of(JsonMapper.shared().readTree(Files.readString(serviceFile())))
                : Optional.empty();
    }

    /** The process of {@code serve}, if it is ready. */
    Optional<ProcessHandle> api() throws IOException {
        return service().flatMap(service -> ProcessHandle.of(service.get("pid").asLong()));
    }

    Optional<ProcessHandle> worker() {
        return running(WORKER);
    }

    /** The child of the worker that has the device. */
    Optional<ProcessHandle> runner() {
        return running(RUNNER);
    }

    /** One of the processes below the worker that assemble kernels; {@code ptxas} lives for one kernel. */
    Optional<ProcessHandle> assembler() {
        return running(ASSEMBLER)
                .or(() -> processes()
                        .filter(process -> process.info()
                                .command()
                                .filter(command -> command.endsWith("/ptxas"))
                                .isPresent())
                        .findFirst());
    }

    /** How many devices of the worker have a process. */
    long runners() {
        return all(RUNNER).count();
    }

    private Optional<ProcessHandle> running(String program) {
        return all(program).findFirst();
    }

    private Stream<ProcessHandle> all(String program) {
        return processes()
                .filter(process -> String.join(" ", words(process, "cmdline")).contains(program));
    }

    Optional<ProcessHandle> postmaster() throws IOException {
        return postmasterFile()
                .flatMap(lines ->
                        ProcessHandle.of(Long.parseLong(lines.getFirst().strip())));
    }

    private Optional<List<String>> postmasterFile() throws IOException {
        Path file = home.resolve("postgres/postmaster.pid");
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        List<String> lines = Files.readAllLines(file);
        // The port is in the fourth line, which is written when it is known.
        return lines.size() >= 4 ? Optional.of(lines) : Optional.empty();
    }

    /**
     * Everything that works on the home, however deep below {@code serve} or without a parent: all are told the home by
     * their environment, but Postgres writes its titles over its own and is known by its working directory.
     */
    Stream<ProcessHandle> processes() {
        String told = "TILEWRIGHT_HOME=" + home;
        return ProcessHandle.allProcesses()
                .filter(ProcessHandle::isAlive)
                .filter(process -> words(process, "environ").contains(told) || worksBelowHome(process));
    }

    private boolean worksBelowHome(ProcessHandle process) {
        try {
            return Files.readSymbolicLink(file(process, "cwd")).startsWith(home);
        } catch (IOException goneOrForeign) {
            return false;
        }
    }

    private static List<String> words(ProcessHandle process, String name) {
        try {
            return Arrays.asList(Files.readString(file(process, name), java.nio.charset.StandardCharsets.ISO_8859_1)
                    .split("\0"));
        } catch (IOException goneOrForeign) {
            return List.of();
        }
    }

    private static Path file(ProcessHandle process, String name) {
        return Path.of("/proc", Long.toString(process.pid()), name);
    }

    /** Answer to a request, which must be a success. */
    JsonNode get(String path) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder().GET(), path);
    }

    JsonNode post(String path, String body) throws IOException, InterruptedException {
        return send(
                HttpRequest.newBuilder()
                        .header("content-type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(body)),
                path);
    }

    private JsonNode send(HttpRequest.Builder request, String path) throws IOException, InterruptedException {
        String url = service()
                .orElseThrow(() -> new IOException("no service is ready"))
                .get("url")
                .asString();
        try (HttpClient http = HttpClient.newHttpClient()) {
            HttpResponse<String> response = http.send(
                    request.uri(URI.create(url + path))
                            .timeout(Duration.ofSeconds(10))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            if (response.statusCode() / 100 != 2) {
                throw new IOException(path + " answered " + response.statusCode() + ": " + response.body());
            }
            return JsonMapper.shared().readTree(response.body());
        }
    }

    /** A connection to its own Postgres. */
    Connection database() throws IOException, SQLException {
        List<String> lines = postmasterFile().orElseThrow(() -> new IOException("no Postgres runs in " + home));
        String port = lines.get(3).strip();
        String password = Files.readString(home.resolve("postgres.password")).strip();
        return DriverManager.getConnection("jdbc:postgresql://127.0.0.1:" + port + "/postgres", "postgres", password);
    }

    /** The files in which its processes say what they do. */
    List<Path> logFiles() {
        return Stream.of("serve.log", "logs/worker.log", "logs/postgres.log")
                .map(home::resolve)
                .toList();
    }

    /** What the processes said, for failures. */
    String logs() throws IOException {
        StringBuilder text = new StringBuilder();
        for (Path log : logFiles()) {
            List<String> lines = Files.exists(log) ? Files.readAllLines(log) : List.of("(not there)");
            text.append("\n== ").append(home.relativize(log)).append('\n');
            lines.stream()
                    .skip(Math.max(0, lines.size() - 40))
                    .forEach(line -> text.append(line).append('\n'));
        }
        return text.toString();
    }

    /** Ends what a failed test left behind. */
    void destroy() {
        List<ProcessHandle> left = processes().toList();
        left.forEach(ProcessHandle::destroyForcibly);
        assertThat(left).allSatisfy(process -> assertThat(process.onExit()).succeedsWithin(Duration.ofMinutes(2)));
    }
}
