package dev.tilewright.api.load;

import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.Latencies;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.ScriptedWorker;
import dev.tilewright.api.testing.Stored;
import dev.tilewright.model.exchange.Heartbeat;
import dev.tilewright.model.exchange.Lease;
import dev.tilewright.model.exchange.LeaseGrant;
import dev.tilewright.model.exchange.LeaseRequest;
import dev.tilewright.model.exchange.ReportBatch;
import dev.tilewright.model.exchange.WorkerRegistration;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Requests of all kinds that come when they come: each has its time on a schedule, whatever became of the ones before,
 * and its latency counts from that time.
 */
final class MixedLoad {

    /** What is asked, and of a hundred requests how many ask it. */
    enum Kind {
        JOB(35, "GET jobs/{id}"),
        STUDY(25, "GET studies/{id}"),
        LIST(10, "GET jobs, 50 of them"),
        BEST(10, "GET best of a shape"),
        LEASE(10, "POST leases, heartbeats and reports, one after another"),
        SUBMIT(5, "POST jobs"),
        RESULT(5, "GET jobs/{id}/result, 64 trials");

        private final int share;
        private final String label;

        Kind(int share, String label) {
            this.share = share;
            this.label = label;
        }

        int share() {
            return share;
        }

        String label() {
            return label;
        }

        private static Kind of(int percent) {
            int sum = 0;
            for (Kind kind : values()) {
                sum += kind.share;
                if (percent < sum) {
                    return kind;
                }
            }
            throw new IllegalArgumentException("not below 100: " + percent);
        }
    }

    private static final int JOBS = 2000;
    private static final int RESULTS = 50;
    private static final int TRIALS = 64;
    private static final int WORKERS = 64;
    private static final int LEASES = 4;

    private final Api api;
    private final KeptConnections http;
    private final List<String> jobs;
    private final List<String> studies;
    private final List<String> results;
    private final LinkedBlockingQueue<Step> steps = new LinkedBlockingQueue<>();
    private final Map<Kind, Queue<Duration>> latencies = new EnumMap<>(Kind.class);
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();

    /**
     * Stores what the requests are about.
     *
     * @param queued trials that workers may take
     */
    MixedLoad(LoadedService service, int queued) throws IOException {
        api = service.api();
        http = new KeptConnections(service.serve().url());
        Stored stored = service.stored();
        stored.jobs(0, JOBS);
        ScriptedWorker worker = ScriptedWorker.simulated(api);
        for (int i = 0; i < RESULTS; i++) {
            stored.study(worker, TRIALS, 0);
        }
        service.jdbc()
                .sql("update study set state = 'finished', finished_at = now() where state = 'running'")
                .update();
        results = service.jdbc()
                .sql("select id::text from job where name = 'large'")
                .query(String.class)
                .list();
        stored.study(worker, 1000, queued);
        jobs = service.jdbc()
                .sql("select id::text from job")
                .query(String.class)
                .list();
        studies = service.jdbc()
                .sql("select id::text from study")
                .query(String.class)
                .list();
        steps.add(new Step(worker, List.of(), false));
        for (int i = 1; i < WORKERS; i++) {
            steps.add(new Step(ScriptedWorker.simulated(api), List.of(), false));
        }
    }

    /** A worker, and what it does next: it asks for leases, then names them in a heartbeat, then reports them. */
    private record Step(ScriptedWorker worker, List<Lease> leases, boolean named) {}

    /** What came of it. */
    record Outcome(Map<Kind, Latencies> latencies, List<String> failures, double seconds) {

        Latencies all() {
            return Latencies.of(latencies.values().stream()
                    .flatMap(kind -> kind.sorted().stream())
                    .toList());
        }

        /** What went wrong, each with how often. */
        Map<String, Long> faults() {
            return failures.stream().collect(Collectors.groupingBy(each -> each, TreeMap::new, Collectors.counting()));
        }

        double rate() {
            return all().count() / seconds;
        }
    }

    /** Sends so many requests a second for so long, and waits for all answers. */
    Outcome run(int rate, Duration time, long seed) {
        failures.clear();
        for (Kind kind : Kind.values()) {
            latencies.put(kind, new ConcurrentLinkedQueue<>());
        }
        SplittableRandom random = new SplittableRandom(seed);
        long begin = System.nanoTime();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            long count = rate * time.toSeconds();
            for (long i = 0; i < count; i++) {
                long due = begin + i * 1_000_000_000L / rate;
                for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
                    LockSupport.parkNanos(left);
                }
                Kind kind = Kind.of(random.nextInt(100));
                int choice = random.nextInt(Integer.MAX_VALUE);
                threads.execute(() -> ask(kind, choice, due));
            }
        }
        double seconds = (System.nanoTime() - begin) / 1e9;
        Map<Kind, Latencies> sorted = new EnumMap<>(Kind.class);
        latencies.forEach((kind, times) -> sorted.put(kind, Latencies.of(times)));
        return new Outcome(sorted, List.copyOf(failures), seconds);
    }

    private void ask(Kind kind, int choice, long due) {
        try {
            String failure = switch (kind) {
                case JOB -> get("/api/v1/jobs/" + jobs.get(choice % jobs.size()));
                case STUDY -> get("/api/v1/studies/" + studies.get(choice % studies.size()));
                case LIST -> get("/api/v1/jobs?limit=50");
                case BEST -> get("/api/v1/best?shape=" + (1 + choice % JOBS) + "x384x256");
                case LEASE -> takeStep();
                case SUBMIT -> submit(choice);
                case RESULT -> get("/api/v1/jobs/" + results.get(choice % results.size()) + "/result");
            };
            if (failure != null) {
                failures.add(kind + ": " + failure);
            }
        } catch (IOException | RuntimeException | InterruptedException broken) {
            failures.add(kind + ": " + broken);
        }
        latencies.get(kind).add(Duration.ofNanos(System.nanoTime() - due));
    }

    private @Nullable String get(String path) throws IOException {
        return failure(http.send(KeptConnections.request("GET", path, null), false), 200);
    }

    private static @Nullable String failure(KeptConnections.Answer answer, int wanted) {
        return answer.status() == wanted ? null : "answered " + answer.status() + " " + answer.text();
    }

    /** For a device that is not there: nothing is searched for it meanwhile. */
    private @Nullable String submit(int choice) throws IOException {
        String body = """
                {"problems":[{"m":%d,"n":384,"k":256}],"family":"toy","strategy":"random","budget":{"trials":8},"device":"cuda:7"}""".formatted(64 + choice % 4096);
        return failure(http.send(KeptConnections.request("POST", "/api/v1/jobs", body), true), 202);
    }

    private @Nullable String takeStep() throws IOException, InterruptedException {
        Step step = steps.take();
        Step next = step;
        try {
            if (step.leases().isEmpty()) {
                KeptConnections.Answer answer = work(
                        step,
                        "leases",
                        new LeaseRequest(step.worker().id(), step.worker().device(), LEASES, 0));
                List<Lease> leases = answer.status() == 200
                        ? api.mapper()
                                .readValue(answer.body(), LeaseGrant.class)
                                .leases()
                        : List.of();
                next = new Step(step.worker(), leases, false);
                return answer.status() == 200 && leases.isEmpty() ? "there was nothing to do" : failure(answer, 200);
            }
            if (!step.named()) {
                Heartbeat beat = step.worker().beat(step.leases());
                next = new Step(step.worker(), step.leases(), true);
                KeptConnections.Answer answer = work(step, "heartbeats", beat);
                return answer.status() == 200 && !answer.text().equals("{\"stop\":[]}")
                        ? "leases were lost: " + answer.text()
                        : failure(answer, 200);
            }
            next = new Step(step.worker(), List.of(), false);
            KeptConnections.Answer answer = work(
                    step,
                    "reports",
                    new ReportBatch(step.leases().stream()
                            .map(lease -> new ReportBatch.LeaseReport(
                                    lease.leaseId(), step.worker().completed(lease, 5000)))
                            .toList()));
            return answer.status() == 200 && !answer.text().equals("{\"refused\":[]}")
                    ? "reports were refused: " + answer.text()
                    : failure(answer, 200);
        } finally {
            steps.add(next);
        }
    }

    private KeptConnections.Answer work(Step step, String what, Object body) throws IOException {
        return http.send(
                KeptConnections.request(
                        "POST",
                        "/api/v1/" + what,
                        api.mapper().writeValueAsString(body),
                        "Authorization",
                        "Bearer " + RunningService.WORKER_TOKEN,
                        WorkerRegistration.TOKEN_HEADER,
                        String.valueOf(step.worker().token())),
                true);
    }
}
