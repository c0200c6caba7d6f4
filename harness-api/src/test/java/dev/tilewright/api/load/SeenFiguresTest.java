package dev.tilewright.api.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.drawn.RunProvenance;
import dev.tilewright.api.testing.Latencies;
import dev.tilewright.api.testing.ScriptedWorker;
import dev.tilewright.api.testing.Stored;
import dev.tilewright.model.exchange.Lease;
import dev.tilewright.model.exchange.ReportBatch;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;

/** What an attack from outside saw, measured again; the service is a process of its own. */
@Tag("alone")
class SeenFiguresTest {

    private static final ReportSection SECTION = new ReportSection("seen", SeenFiguresTest.class);

    private static final int CLIENTS = 64;
    private static final int RESULTS_AT_ONCE = 14;
    private static final int WORKERS = 8;

    /**
     * How much of it.
     *
     * @param jobs half of them open, for a device that nobody has
     * @param trials of the large study
     * @param time of each row
     */
    private record Extent(int jobs, int trials, Duration time) {}

    private record Row(String what, String before, String now) {}

    private final List<Row> rows = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();

    @Test
    void aLittleOfItFailsNever() throws Exception {
        measure(new Extent(400, 2000, Duration.ofMillis(500)));
        System.out.println(table());
        assertThat(failures).isEmpty();
    }

    @Test
    @Tag("full")
    void allOfIt() throws Exception {
        measure(new Extent(2 * 3254, 100_000, Duration.ofSeconds(10)));
        String text = """
                ## What was seen, and what is

                %d connections, each of which sends its next request when the answer is there; the service is a process of its own, and its
                Postgres and the clients share the cores. %s. Before: commit 006080e4, two cores, measured with other clients.

                %s
                Half-sent requests are in [service/half-open.md](service/half-open.md), the mixed load in [service/load.md](service/load.md).
                """.formatted(CLIENTS, RunProvenance.line(), table());
        System.out.println(text);
        SECTION.write(text);
        assertThat(failures).isEmpty();
    }

    private String table() {
        StringBuilder text = new StringBuilder("| | before | now |\n| --- | --- | --- |\n");
        rows.forEach(row -> text.append("| %s | %s | %s |%n".formatted(row.what(), row.before(), row.now())));
        return text.toString();
    }

    private void measure(Extent extent) throws Exception {
        try (LoadedService service = LoadedService.start();
                KeptConnections http = new KeptConnections(service.serve().url())) {
            Stored stored = service.stored();
            stored.jobs(0, extent.jobs());
            ScriptedWorker worker = ScriptedWorker.simulated(service.api());
            String small = stored.study(worker, 64, 0).job();
            JdbcClient jdbc = service.jdbc();
            jdbc.sql("update study set state = 'finished', finished_at = now() where state = 'running'")
                    .update();
            // Before there is anything to do for the worker.
            row("idle lease poll, 3,254 open studies that the worker cannot take", "54 ms each", poll(worker));
            List<String> jobs =
                    jdbc.sql("select id::text from job").query(String.class).list();
            Many many = new Many(new ClosedLoop(http, CLIENTS), extent.time());
            many.row("GET job", "693/s, 168 ms", 200, i -> get("/api/v1/jobs/" + jobs.get(i % jobs.size())));
            many.row(
                    "GET best",
                    "2,942/s, 73 ms",
                    200,
                    i -> get("/api/v1/best?shape=" + (1 + 2 * (i % (extent.jobs() / 2))) + "x384x256"));
            many.row("GET result of 64 trials", "85/s, 758 ms", 200, i -> get("/api/v1/jobs/" + small + "/result"));
            many.row(
                    "GET jobs?limit=50 of 3,255 jobs, now of 6,509",
                    "140/s, 520 ms",
                    200,
                    i -> get("/api/v1/jobs?limit=50"));
            many.row("GET prometheus", "147/s, 1,400 ms", 200, i -> get("/actuator/prometheus"));
            many.row("POST job", "404/s, 150 ms", 202, i -> KeptConnections.request("POST", "/api/v1/jobs", job(i)));
            Stored.Large large = stored.study(worker, extent.trials(), 50_000);
            largeStudy(service, http, large, worker, extent.time());
            int expired = jdbc.sql("select count(*) from lease where ending in ('expired', 'undelivered')")
                    .query(Integer.class)
                    .single();
            row("leases that expired meanwhile", "37 in 80 s", Integer.toString(expired));
            atOnce(service, http, large);
            row("memory of the API after all this, at its most", "5.0-5.3 GB", format("%.0f MiB", service.peakMib()));
        }
    }

    private void row(String what, String before, String now) {
        rows.add(new Row(what, before, now));
    }

    /** Rows of requests a second. */
    private final class Many {

        private final ClosedLoop loop;
        private final Duration time;

        Many(ClosedLoop loop, Duration time) {
            this.loop = loop;
            this.time = time;
        }

        void row(String what, String before, int wanted, IntFunction<byte[]> requests) {
            // A JVM on two cores compiles for tens of seconds before its rate stays.
            loop.run(time.multipliedBy(3), wanted, requests);
            ClosedLoop.Outcome outcome = loop.run(time, wanted, requests);
            outcome.failures().stream()
                    .distinct()
                    .map(failure -> what + ": " + failure)
                    .forEach(failures::add);
            SeenFiguresTest.this.row(
                    what + ": requests/s, p99",
                    before,
                    format(
                            "%,.0f/s, %s ms",
                            outcome.rate(), Latencies.ms(outcome.latencies().percentile(99))));
        }
    }

    private static byte[] get(String path) {
        return KeptConnections.request("GET", path, null);
    }

    private static String job(int i) {
        return """
                {"problems":[{"m":%d,"n":384,"k":256}],"family":"toy","strategy":"random","budget":{"trials":8},"device":"cuda:7"}""".formatted(64 + i % 4096);
    }

    private static String format(String text, Object... values) {
        return String.format(Locale.ROOT, text, values);
    }

    private static String poll(ScriptedWorker worker) {
        List<Duration> times = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            long begin = System.nanoTime();
            assertThat(worker.leaseUnheard(4)).isEmpty();
            times.add(Duration.ofNanos(System.nanoTime() - begin));
        }
        Latencies latencies = Latencies.of(times.subList(100, times.size()));
        return "a median of " + Latencies.ms(latencies.percentile(50)) + " ms";
    }

    private void largeStudy(
            LoadedService service, KeptConnections http, Stored.Large large, ScriptedWorker worker, Duration time)
            throws IOException {
        String what = "100,000 trials in one study: ";
        ClosedLoop one = new ClosedLoop(http, 1);
        ClosedLoop.Outcome study = one.run(time, 200, i -> get("/api/v1/studies/" + large.study()));
        failures.addAll(study.failures());
        row(
                what + "GET study",
                "14.4 s",
                "a median of " + Latencies.ms(study.latencies().percentile(50)) + " ms");
        long begin = System.nanoTime();
        KeptConnections.Answer result = http.send(get("/api/v1/jobs/" + large.job() + "/result"), false);
        row(
                what + "GET result",
                "17.4 s, 318 MB, 2.2 GB of memory",
                format(
                        "%.1f s, %.0f MB, %.0f MiB of memory by then",
                        (System.nanoTime() - begin) / 1e9, result.bytes() / 1e6, service.peakMib()));
        if (result.status() != 200) {
            failures.add("the large result: " + result.status());
        }
        lease(what, worker, time);
    }

    /** Workers that are endlessly quick, four trials at a time. */
    private void lease(String what, ScriptedWorker first, Duration time) {
        List<Duration> calls = new ArrayList<>();
        int trials = 0;
        long begin = System.nanoTime();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<List<Duration>>> workers = new ArrayList<>();
            for (int i = 0; i < WORKERS; i++) {
                ScriptedWorker worker = i == 0 ? first : ScriptedWorker.simulated(first.api());
                workers.add(threads.submit(() -> {
                    List<Duration> own = new ArrayList<>();
                    while (System.nanoTime() - begin < time.toNanos()) {
                        long asked = System.nanoTime();
                        List<Lease> leases = worker.leaseUnheard(4);
                        own.add(Duration.ofNanos(System.nanoTime() - asked));
                        assertThat(leases).hasSize(4);
                        assertThat(worker.heartbeat(leases.toArray(Lease[]::new)))
                                .isEmpty();
                        assertThat(worker.report(leases.stream()
                                        .map(lease -> new ReportBatch.LeaseReport(
                                                lease.leaseId(), worker.completed(lease, 5000)))
                                        .toList()))
                                .isEmpty();
                    }
                    return own;
                }));
            }
            for (Future<List<Duration>> worker : workers) {
                List<Duration> own = worker.get();
                calls.addAll(own);
                trials += 4 * own.size();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException failed) {
            failures.add("leasing: " + failed.getCause());
        }
        double seconds = (System.nanoTime() - begin) / 1e9;
        Latencies latencies = Latencies.of(calls);
        row(
                what + "a lease call",
                "up to 16.6 s",
                "p99 " + Latencies.ms(latencies.percentile(99)) + " ms, longest " + Latencies.ms(latencies.longest())
                        + " ms");
        row(what + "leasing and reporting, 8 workers", "1.3 trials/s", format("%,.0f trials/s", trials / seconds));
    }

    private void atOnce(LoadedService service, KeptConnections http, Stored.Large large) throws Exception {
        List<Duration> health = new ArrayList<>();
        List<Integer> statuses = new ArrayList<>();
        long begin = System.nanoTime();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Integer>> results = new ArrayList<>();
            for (int i = 0; i < RESULTS_AT_ONCE; i++) {
                results.add(threads.submit(() -> http.send(get("/api/v1/jobs/" + large.job() + "/result"), false)
                        .status()));
            }
            do {
                long asked = System.nanoTime();
                if (http.send(get("/actuator/health"), true).status() != 200) {
                    failures.add("health while results are read");
                }
                health.add(Duration.ofNanos(System.nanoTime() - asked));
            } while (results.stream().anyMatch(result -> !result.isDone()));
            for (Future<Integer> result : results) {
                statuses.add(result.get());
            }
        }
        row(
                RESULTS_AT_ONCE + " GET result of it at once",
                "no answer to anybody for 150 s, health over 30 s",
                format(
                        "%d answered in %.1f s, %d told to come later (503); health meanwhile p99 %s ms, longest %s ms",
                        statuses.stream().filter(status -> status == 200).count(),
                        (System.nanoTime() - begin) / 1e9,
                        statuses.stream().filter(status -> status == 503).count(),
                        Latencies.ms(Latencies.of(health).percentile(99)),
                        Latencies.ms(Latencies.of(health).longest())));
        assertThat(statuses).containsOnly(200, 503);
    }
}
