package dev.tilewright.api.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.drawn.RunProvenance;
import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.RunningService.Service;
import dev.tilewright.api.testing.ScriptedWorker;
import dev.tilewright.api.testing.Stored;
import dev.tilewright.model.exchange.Lease;
import dev.tilewright.model.exchange.LeaseRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a call costs beside a few trials or jobs and beside many. */
@Tag("alone")
@ExtendWith(RunningService.class)
class SizeTest {

    private static final int WARM = 30;
    private static final int CALLS = 60;

    /** Times of a millisecond or two differ by as much for no reason. */
    private static final double NOISE_MS = 1;

    private static final double MIB = 1024 * 1024;

    private static final ReportSection FIGURES = new ReportSection("size", SizeTest.class);

    /** Medians in milliseconds beside few and many, by call. */
    private record Cost(double few, double many) {

        double factor() {
            return many / few;
        }
    }

    private static double medianMs(Supplier<Api.Answer> call) {
        double[] times = new double[CALLS];
        for (int i = -WARM; i < CALLS; i++) {
            long begin = System.nanoTime();
            Api.Answer answer = call.get();
            long end = System.nanoTime();
            answer.expect(200);
            if (i >= 0) {
                times[i] = (end - begin) / 1e6;
            }
        }
        Arrays.sort(times);
        return times[CALLS / 2];
    }

    /** Of one study with so many trials. */
    private static Map<String, Double> besideTrials(Api api, Service service, int trials) {
        ScriptedWorker worker = ScriptedWorker.simulated(api);
        Stored.Large large = new Stored(api, service).study(worker, trials);
        String job = "/api/v1/jobs/" + large.job();
        String study = "/api/v1/studies/" + large.study();
        Map<String, Double> times = new LinkedHashMap<>();
        times.put("GET jobs", medianMs(() -> api.get("/api/v1/jobs?limit=50")));
        times.put("GET jobs/{id}", medianMs(() -> api.get(job)));
        times.put("GET studies/{id}", medianMs(() -> api.get(study)));
        times.put(
                "GET studies/{id}/trials, the last 100",
                medianMs(() -> api.get(study + "/trials?limit=100&cursor=" + (trials - 101))));
        times.put(
                "GET jobs/{id}/result, 100 trials of the middle",
                medianMs(() -> api.get(job + "/result?trials=100&from=" + trials / 2)));
        times.put("GET best", medianMs(() -> api.get("/api/v1/best?shape=640x384x256")));
        times.put("POST leases and POST reports, four trials", medianMs(() -> workOff(worker)));
        return times;
    }

    private static Api.Answer workOff(ScriptedWorker worker) {
        List<Lease> leases = worker.lease(4);
        assertThat(leases).hasSize(4);
        leases.forEach(lease -> worker.complete(lease, 5000));
        return worker.api().get("/actuator/health/liveness");
    }

    private static Map<String, Double> besideJobs(Api api, Service service) {
        ScriptedWorker worker = ScriptedWorker.cuda(api, 0);
        long old = service.jdbc()
                .sql("select seq from job order by seq offset 200 limit 1")
                .query(Long.class)
                .single();
        Map<String, Double> times = new LinkedHashMap<>();
        times.put("GET jobs, 50 of them", medianMs(() -> api.get("/api/v1/jobs?limit=50")));
        times.put("GET jobs, 50 old ones", medianMs(() -> api.get("/api/v1/jobs?limit=50&cursor=" + old)));
        times.put("GET best, 500 of them", medianMs(() -> api.get("/api/v1/best")));
        times.put("GET best of a shape", medianMs(() -> api.get("/api/v1/best?shape=101x384x256")));
        times.put("POST leases that finds nothing", medianMs(() -> {
            Api.Answer answer = worker.work("/api/v1/leases", new LeaseRequest(worker.id(), worker.device(), 4, 0));
            assertThat(answer.expect(200).get("leases")).isEmpty();
            return answer;
        }));
        return times;
    }

    private static Map<String, Cost> costs(Map<String, Double> few, Map<String, Double> many) {
        Map<String, Cost> costs = new LinkedHashMap<>();
        few.forEach((call, time) -> costs.put(call, new Cost(time, many.get(call))));
        return costs;
    }

    private static void assertThatNoCallGrows(Map<String, Cost> costs, double factor) {
        assertThat(costs)
                .allSatisfy((call, cost) ->
                        assertThat(cost.many()).as(call).isLessThanOrEqualTo(factor * cost.few() + NOISE_MS));
    }

    @Test
    void fiveTimesTheTrialsAndTheJobsCostNoMore(Api api, Service service) {
        Map<String, Double> few = besideTrials(api, service, 1000);
        assertThatNoCallGrows(costs(few, besideTrials(api, service, 5000)), 3);
        Stored stored = new Stored(api, service);
        stored.jobs(0, 1000);
        Map<String, Double> fewJobs = besideJobs(api, service);
        stored.jobs(1000, 4000);
        assertThatNoCallGrows(costs(fewJobs, besideJobs(api, service)), 3);
    }

    /** A result that is written to somebody who has read the beginning and waits. */
    private record Streamed(double firstByteMs, double liveMib, double seconds, double mib) {

        static Streamed of(Api api, String job) throws IOException, InterruptedException {
            double before = live();
            try (HttpClient client = HttpClient.newHttpClient()) {
                long begin = System.nanoTime();
                HttpResponse<InputStream> answer = client.send(
                        api.request("/api/v1/jobs/" + job + "/result").build(),
                        HttpResponse.BodyHandlers.ofInputStream());
                try (InputStream body = answer.body()) {
                    assertThat(body.read()).isEqualTo('{');
                    double firstByteMs = (System.nanoTime() - begin) / 1e6;
                    double size = 1 + body.readNBytes(1 << 20).length;
                    double held = live() - before;
                    size += body.transferTo(OutputStream.nullOutputStream());
                    return new Streamed(firstByteMs, held, (System.nanoTime() - begin) / 1e9, size / MIB);
                }
            }
        }

        /** What is not garbage, of the service and of this client of it. */
        private static double live() {
            System.gc();
            return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() / MIB;
        }
    }

    @Test
    @Tag("full")
    void aHundredTimesTheTrialsAndTenTimesTheJobsCostNoMore(Api api, Service service)
            throws IOException, InterruptedException {
        Map<String, Double> few = besideTrials(api, service, 1000);
        Map<String, Cost> trials = costs(few, besideTrials(api, service, 100_000));
        String large = service.jdbc()
                .sql("select job_id::text from study order by seq desc limit 1")
                .query(String.class)
                .single();
        Streamed.of(api, large);
        Streamed streamed = Streamed.of(api, large);
        Stored stored = new Stored(api, service);
        stored.jobs(0, 1000);
        Map<String, Double> fewJobs = besideJobs(api, service);
        stored.jobs(1000, 9000);
        Map<String, Cost> jobs = costs(fewJobs, besideJobs(api, service));
        write(trials, jobs, streamed);
        assertThatNoCallGrows(trials, 2);
        assertThatNoCallGrows(jobs, 2);
        assertThat(streamed.firstByteMs()).isLessThanOrEqualTo(200);
        assertThat(streamed.liveMib()).as("MiB that a result holds").isLessThan(32);
    }

    private static void write(Map<String, Cost> trials, Map<String, Cost> jobs, Streamed streamed) throws IOException {
        StringBuilder text = new StringBuilder("""
                ## Size

                Medians of %d calls one after the other, in ms, by one client beside the service and its own Postgres in one
                process tree. %s.

                """.formatted(CALLS, RunProvenance.line()));
        table(text, "one study of 1,000 and of 100,000 trials", trials);
        table(text, "1,000 and 10,000 jobs, half of them open for a device that nobody has", jobs);
        text.append(String.format(
                Locale.ROOT,
                "`GET jobs/{id}/result` of 100,000 trials, %.0f MiB: first byte after %.0f ms, the last after %.1f s; %.1f MiB of"
                        + " heap are live for it while its client waits.%n",
                streamed.mib(),
                streamed.firstByteMs(),
                streamed.seconds(),
                streamed.liveMib()));
        FIGURES.write(text.toString());
    }

    private static void table(StringBuilder text, String head, Map<String, Cost> costs) {
        text.append("| ").append(head).append(" | few | many | factor |\n| --- | --- | --- | --- |\n");
        costs.forEach((call, cost) -> text.append(String.format(
                Locale.ROOT, "| %s | %.1f | %.1f | %.1f |%n", call, cost.few(), cost.many(), cost.factor())));
        text.append('\n');
    }
}
