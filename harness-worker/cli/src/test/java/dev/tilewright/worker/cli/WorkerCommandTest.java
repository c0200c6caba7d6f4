package dev.tilewright.worker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.tilewright.worker.agent.WorkerCommand;
import dev.tilewright.worker.agent.runner.Runners;
import dev.tilewright.worker.gpu.AssemblerMain;
import dev.tilewright.worker.gpu.runner.RunnerMain;
import dev.tilewright.worker.link.probe.DeviceProbe;
import dev.tilewright.worker.link.process.VisibleGpus;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** {@code worker} with the real runner of a model, against a service that lets nobody in. */
@Timeout(60)
class WorkerCommandTest {

    private static final String REFUSAL =
            "{\"title\":\"Forbidden\",\"status\":403,\"detail\":\"this is not the worker token\",\"errors\":[]}";

    @TempDir
    private Path home;

    private final List<String> shown = new CopyOnWriteArrayList<>();
    private final StringWriter errors = new StringWriter();
    private HttpServer server;

    @BeforeEach
    void open() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/api/v1/workers", exchange -> {
            try (exchange) {
                shown.add(exchange.getRequestHeaders().getFirst("Authorization"));
                byte[] body = REFUSAL.getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(403, body.length);
                exchange.getResponseBody().write(body);
            }
        });
        server.start();
    }

    @AfterEach
    void close() {
        server.stop(0);
    }

    private int work(Map<String, String> variables, String... options) {
        return work("simulated:h200", variables, options);
    }

    private int work(String offered, Map<String, String> variables, String... options) {
        List<String> all = new ArrayList<>(
                List.of("--api", "http://127.0.0.1:" + server.getAddress().getPort()));
        all.addAll(List.of(options));
        return workFor(offered, variables, all);
    }

    private int workFor(String offered, Map<String, String> variables, List<String> options) {
        Map<String, String> environment = new HashMap<>(variables);
        environment.put("TILEWRIGHT_HOME", home.toString());
        environment.putIfAbsent("PATH", System.getenv("PATH"));
        CommandLine line = RootCommand.commandLine(
                environment,
                new WorkerCommand(
                        environment,
                        DeviceProbe.NoDriver::new,
                        new Runners(RunnerMain.class, VisibleGpus.of(environment))::open,
                        AssemblerMain.class));
        line.setErr(new PrintWriter(errors, true));
        List<String> arguments = new ArrayList<>(List.of("worker", "--device", offered));
        arguments.addAll(options);
        int exit = line.execute(arguments.toArray(String[]::new));
        assertThat(ProcessHandle.current().children().filter(ProcessHandle::isAlive))
                .as("a worker that ends takes its runner with it")
                .isEmpty();
        return exit;
    }

    @Test
    void takesItsTokenFromTheEnvironment() {
        assertThat(work(Map.of("TILEWRIGHT_WORKER_TOKEN", "from the environment")))
                .isEqualTo(2);

        assertThat(shown).containsExactly("Bearer from the environment");
        assertThat(errors.toString()).contains("does not accept the worker token: this is not the worker token");
    }

    @Test
    void comesUpBesideAServiceAndReadsItsTokenWhenItListens() throws Exception {
        Path file = home.resolve("service.json");
        Path token = home.resolve("worker.token");
        CompletableFuture<Integer> exit = CompletableFuture.supplyAsync(() -> workFor(
                "simulated:h200", Map.of(), List.of("--service-file", file.toString(), "--token", "@" + token)));
        while (ProcessHandle.current().children().findAny().isEmpty()) {
            assertThat(exit).as("the runner comes up before the service").isNotDone();
            Thread.sleep(10);
        }
        Files.writeString(token, "written-late");
        Path fresh = Files.writeString(
                home.resolve("service.json.new"),
                "{\"url\":\"http://127.0.0.1:%d\",\"pid\":%d,\"startedAt\":\"%s\"}"
                        .formatted(
                                server.getAddress().getPort(),
                                ProcessHandle.current().pid(),
                                Instant.now()));
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);

        assertThat(exit.get()).isEqualTo(2);
        assertThat(shown).containsExactly("Bearer written-late");
    }

    @Test
    void anOptionComesBeforeTheEnvironment() throws IOException {
        Path file = Files.writeString(home.resolve("token"), "from-the-file\n");
        Map<String, String> environment = Map.of("TILEWRIGHT_WORKER_TOKEN", "from the environment");

        work(environment, "--token", "@" + file);
        work(Map.of("TILEWRIGHT_WORKER_TOKEN_FILE", file.toString()));

        assertThat(shown).containsExactly("Bearer from-the-file", "Bearer from-the-file");
    }

    @Test
    void anAssemblerThatIsNoneEndsTheWorkerAndItsRunner() {
        assertThat(work(Map.of("TILEWRIGHT_PTXAS", "/no/such/ptxas"))).isEqualTo(4);

        assertThat(errors.toString()).contains("/no/such/ptxas");
        assertThat(shown).isEmpty();
    }

    @Test
    void anAssemblerThatWasAskedForIsNotDoneWithoutEvenWhereTextsAreOnlyProved() {
        assertThat(work("emulated", Map.of("TILEWRIGHT_PTXAS", "/no/such/ptxas")))
                .isEqualTo(4);

        assertThat(errors.toString()).contains("/no/such/ptxas");
    }

    @Test
    void anEmulatedDeviceHasARunnerToo() {
        assertThat(work("emulated:2", Map.of("TILEWRIGHT_WORKER_TOKEN", "any"))).isEqualTo(2);

        assertThat(shown).containsExactly("Bearer any");
    }
}
