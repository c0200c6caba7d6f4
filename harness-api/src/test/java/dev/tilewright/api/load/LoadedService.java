package dev.tilewright.api.load;

import dev.tilewright.api.platform.ServiceHome;
import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.ServeProcess;
import dev.tilewright.api.testing.Stored;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.util.FileSystemUtils;

/**
 * A service in a process of its own, on its embedded Postgres, as the launcher starts it; what it holds is written by
 * SQL.
 */
record LoadedService(ServeProcess serve, Path home, Api api) implements AutoCloseable {

    private static final Path LAUNCHER = Path.of("../tilewright");
    private static final String MEMORY = "serve_memory='";

    static LoadedService start() throws IOException {
        Path home = Files.createTempDirectory(Path.of("target"), "home").toAbsolutePath();
        ServeProcess serve = ServeProcess.start(
                launcherOptions(),
                home,
                Map.of("TILEWRIGHT_WORKER_TOKEN", RunningService.WORKER_TOKEN),
                "--port",
                "0",
                "--no-worker");
        return new LoadedService(serve, home, new Api(serve.url()));
    }

    /** The options of memory that the launcher gives {@code serve}. */
    static List<String> launcherOptions() throws IOException {
        String given = System.getProperty("tilewright.serve.options");
        String line = given == null
                ? Files.readAllLines(LAUNCHER).stream()
                        .filter(text -> text.startsWith(MEMORY))
                        .map(text -> text.substring(MEMORY.length(), text.lastIndexOf('\'')))
                        .findFirst()
                        .orElseThrow(() -> new IOException(LAUNCHER + " has no line " + MEMORY))
                : given;
        return Stream.concat(Arrays.stream(line.split(" ")), Stream.of("-Dtilewright.test.clock=machine"))
                .filter(option -> !option.isEmpty())
                .toList();
    }

    /** Its database, without the limits of requests. */
    DataSource database() throws IOException {
        ServiceHome own = new ServiceHome(home);
        String port =
                Files.readAllLines(own.postgres().resolve("postmaster.pid")).get(3);
        return new DriverManagerDataSource(
                "jdbc:postgresql://127.0.0.1:" + port.strip() + "/postgres",
                "postgres",
                Files.readString(own.postgresPassword()).strip());
    }

    JdbcClient jdbc() throws IOException {
        return JdbcClient.create(database());
    }

    Stored stored() throws IOException {
        return new Stored(api, database());
    }

    /** Time that all cores together worked for the service so far, and for its Postgres. */
    record Worked(Duration service, Duration database) {

        Worked since(Worked before) {
            return new Worked(service.minus(before.service), database.minus(before.database));
        }
    }

    Worked worked() throws IOException {
        long postmaster = Long.parseLong(
                Files.readAllLines(new ServiceHome(home).postgres().resolve("postmaster.pid"))
                        .getFirst());
        return new Worked(
                worked(serve.process().toHandle()),
                ProcessHandle.of(postmaster).stream()
                        .flatMap(process -> Stream.concat(Stream.of(process), process.descendants()))
                        .map(LoadedService::worked)
                        .reduce(Duration.ZERO, Duration::plus));
    }

    private static Duration worked(ProcessHandle process) {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    /** MiB of the process that were in memory at once at the most. */
    double peakMib() throws IOException {
        return Files.readAllLines(Path.of("/proc", Long.toString(serve.process().pid()), "status")).stream()
                .filter(line -> line.startsWith("VmHWM:"))
                .mapToDouble(line -> Double.parseDouble(line.replaceAll("\\D", "")) / 1024)
                .sum();
    }

    @Override
    public void close() throws IOException {
        serve.process().destroy();
        try {
            if (!serve.process().waitFor(60, TimeUnit.SECONDS)) {
                serve.process().destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        FileSystemUtils.deleteRecursively(home);
    }
}
