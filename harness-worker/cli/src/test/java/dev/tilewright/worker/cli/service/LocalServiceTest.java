package dev.tilewright.worker.cli.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.tilewright.worker.link.home.Home;
import dev.tilewright.worker.link.home.ServiceFileReader;
import dev.tilewright.worker.link.home.ServiceUnavailableException;
import dev.tilewright.worker.link.process.ProcessTree;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Joining, starting and ending the service; a shell script stands for it, this process answers its health checks. */
@Timeout(60)
class LocalServiceTest {

    @TempDir
    private Path directory;

    private final ByteArrayOutputStream notices = new ByteArrayOutputStream();
    private HttpServer health;
    private final AtomicInteger asked = new AtomicInteger();
    private volatile int status = 200;
    private Home home;

    @BeforeEach
    void open() throws IOException {
        home = new Home(directory.resolve("home"));
        Files.createDirectories(home.root());
        health = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        health.createContext("/actuator/health", exchange -> {
            asked.incrementAndGet();
            exchange.sendResponseHeaders(status, -1);
            exchange.close();
        });
        health.start();
    }

    @AfterEach
    void close() throws IOException {
        new ServiceFileReader(home.serviceFile()).process().ifPresent(left -> new ProcessTree(left).kill());
        health.stop(0);
    }

    private String url() {
        return "http://127.0.0.1:" + health.getAddress().getPort();
    }

    /** Writes {@code service.json} and stays, as the service does. */
    private Launcher launcher() throws IOException {
        return script("""
                #!/bin/sh
                echo "arguments: $*"
                echo x >> "$TILEWRIGHT_HOME/starts"
                echo '{"url":"URL","pid":'$$',"startedAt":"'$(date -u +%Y-%m-%dT%H:%M:%SZ)'","startedBy":"'"$7"'"}' > "$TILEWRIGHT_HOME/service.json"
                trap 'rm "$TILEWRIGHT_HOME/service.json"; exit 0' TERM
                while :; do sleep 0.05; done
                """.replace("URL", url()));
    }

    private Launcher script(String text) throws IOException {
        Path script = directory.resolve("tilewright");
        Files.writeString(script, text);
        return new Launcher(Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x")));
    }

    private LocalService service(Launcher launcher) {
        return new LocalService(
                home,
                Optional.ofNullable(launcher),
                "simulated:h200",
                new PrintStream(notices, true, StandardCharsets.UTF_8));
    }

    private ProcessHandle running() throws IOException {
        return new ServiceFileReader(home.serviceFile()).process().orElseThrow();
    }

    private long starts() throws IOException {
        return Files.readAllLines(home.root().resolve("starts")).size();
    }

    @Test
    void startsTheServiceAndEndsItAgain() throws Exception {
        ProcessHandle started;
        try (LocalService service = service(launcher())) {
            assertThat(service.join().url()).isEqualTo(url());
            started = running();
            assertThat(Files.readString(home.serviceLog()))
                    .contains("arguments: serve --port 0 --device simulated:h200 --started-by tune");
        }
        assertThat(started.isAlive()).isFalse();
        assertThat(home.serviceFile()).doesNotExist();
        assertThat(notices.toString(StandardCharsets.UTF_8))
                .contains("starting the service", home.root().toString());
    }

    @Test
    void sharesARunningServiceAndLeavesItToOthers() throws Exception {
        try (LocalService first = service(launcher())) {
            first.join();
            // Another process of this home that is still there: the service script itself will do.
            ProcessHandle other = ProcessHandle.current().parent().orElseThrow();
            Files.writeString(
                    home.clients().resolve(Long.toString(other.pid())),
                    other.info().startInstant().orElseThrow().toString());
        }
        assertThat(running().isAlive()).isTrue();

        Files.delete(home.clients()
                .resolve(Long.toString(
                        ProcessHandle.current().parent().orElseThrow().pid())));
        try (LocalService last = service(null)) {
            assertThat(last.join().url()).isEqualTo(url());
        }
        assertThat(starts()).isEqualTo(1);
        assertThat(home.serviceFile()).doesNotExist();
    }

    @Test
    void aClientThatHasGoneDoesNotKeepTheService() throws Exception {
        try (LocalService service = service(launcher())) {
            service.join();
            // Process 1 is there, but it is not the one that wrote this.
            Files.writeString(home.clients().resolve("1"), "1999-01-01T00:00:00Z");
        }
        assertThat(home.serviceFile()).doesNotExist();
        assertThat(home.clients().resolve("1")).doesNotExist();
    }

    @Test
    void aServiceThatTheUserStartedStays() throws Exception {
        Process users = new ProcessBuilder("sleep", "1000").start();
        Files.writeString(
                home.serviceFile(),
                "{\"url\":\"%s\",\"pid\":%d,\"startedAt\":\"%s\",\"startedBy\":null}"
                        .formatted(url(), users.pid(), Instant.now()));
        try (LocalService service = service(null)) {
            assertThat(service.join().url()).isEqualTo(url());
        }
        assertThat(users.isAlive()).isTrue();
    }

    @Test
    void startsItAgainWhenItWasKilled() throws Exception {
        try (LocalService service = service(launcher())) {
            service.join();
            new ProcessTree(running()).kill();

            assertThat(service.join().url()).isEqualTo(url());

            assertThat(running().isAlive()).isTrue();
            assertThat(starts()).isEqualTo(2);
        }
        assertThat(home.serviceFile()).doesNotExist();
    }

    @Test
    void showsTheEndOfTheLogWhenItDoesNotComeUp() throws Exception {
        Launcher broken = script("#!/bin/sh\necho 'older'; echo 'the port is taken'; exit 3\n");
        try (LocalService service = service(broken)) {
            assertThatThrownBy(service::join)
                    .isInstanceOfSatisfying(
                            ServiceUnavailableException.class,
                            unavailable ->
                                    assertThat(unavailable.details()).containsExactly("older", "the port is taken"))
                    .hasMessage("the service ended with exit code 3 while it was starting");
        }
    }

    /** Its database is away for a moment, as after a kill: a second service could not have its home. */
    @Test
    void waitsForAServiceThatIsIll() throws Exception {
        status = 503;
        Files.writeString(home.serviceFile(), file(Instant.now()));
        Thread recovery = Thread.ofPlatform().start(() -> {
            while (asked.get() < 3) {
                Thread.onSpinWait();
            }
            status = 200;
        });
        try (LocalService service = service(null)) {
            assertThat(service.join().url()).isEqualTo(url());
        }
        recovery.join();
        Files.delete(home.serviceFile());
    }

    /** After a power loss the number of the service is that of somebody else. */
    @Test
    void takesNobodyForTheServiceWhoBeganAfterIt() throws Exception {
        Files.writeString(home.serviceFile(), file(Instant.parse("2020-01-01T00:00:00Z")));
        try (LocalService service = service(null)) {
            assertThatThrownBy(service::join).hasMessageContaining("no service runs for " + home.root());
        }
        assertThat(asked).hasValue(0);
        Files.delete(home.serviceFile());
    }

    private String file(Instant startedAt) {
        return "{\"url\":\"%s\",\"pid\":%d,\"startedAt\":\"%s\",\"startedBy\":\"serve\"}"
                .formatted(url(), ProcessHandle.current().pid(), startedAt);
    }

    @Test
    void aProcessTreeGoesWithItsRoot() throws Exception {
        Process root = new ProcessBuilder("/bin/sh", "-c", "sleep 1000 & sleep 1000 & wait").start();
        while (root.descendants().count() < 2) {
            Thread.onSpinWait();
        }
        var descendants = root.descendants().toList();

        new ProcessTree(root.toHandle()).kill();

        assertThat(root.isAlive()).isFalse();
        for (ProcessHandle descendant : descendants) {
            assertThat(new ProcessTree(descendant).awaitExit(Duration.ofSeconds(10)))
                    .isTrue();
        }
    }
}
