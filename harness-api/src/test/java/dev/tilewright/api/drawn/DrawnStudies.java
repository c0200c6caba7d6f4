package dev.tilewright.api.drawn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.RunningService.Service;
import dev.tilewright.model.exchange.Lease;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import dev.tilewright.simulator.GpuConstants;
import dev.tilewright.space.SearchSpace;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.space.family.FamilySpace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** Studies of drawn problems on one simulated GPU, one after the other, through the whole service. */
final class DrawnStudies implements Callable<List<DrawnStudies.Ended>> {

    static final int TRIALS = 160;

    private static final int LEASES = 16;
    private static final Duration STALLED = Duration.ofMinutes(2);
    private static final int POINTS = 2000;

    /** How a study ended. */
    record Ended(int number, Problem problem, long size, int trials, Duration took, String failure) {

        boolean wholeSpace() {
            return size <= TRIALS;
        }
    }

    private final DrawnProblems drawn;
    private final List<Integer> numbers;
    private final String strategy;
    private final GpuConstants gpu;
    private final FamilySpace family;
    private final Api api;
    private final PredictingWorker worker;
    private volatile Current current = new Current("", List.of());

    /** What is at work, for who polls meanwhile. */
    record Current(String job, List<Lease> held) {}

    DrawnStudies(
            DrawnProblems drawn,
            List<Integer> numbers,
            String strategy,
            GpuConstants gpu,
            FamilySpace family,
            Service service) {
        this.drawn = drawn;
        this.numbers = List.copyOf(numbers);
        this.strategy = strategy;
        this.gpu = gpu;
        this.family = family;
        // Nobody waits for the driver here.
        this.api = new Api(service.api().uri("").toString());
        this.worker = PredictingWorker.of(api, gpu);
    }

    Current current() {
        return current;
    }

    PredictingWorker worker() {
        return worker;
    }

    @Override
    public List<Ended> call() throws InterruptedException {
        List<Ended> ended = new ArrayList<>();
        for (int number : numbers) {
            Problem problem = drawn.of(number, family, gpu.topology().smCount());
            long started = System.nanoTime();
            Asked asked = new Asked(0, new HashSet<>());
            String failure = "";
            try {
                asked = study(number, problem);
            } catch (AssertionError wrong) {
                failure = "-Ddraws.seed=%d, number %d, strategy %s on %s, problem %s: %s"
                        .formatted(drawn.seed(), number, strategy, gpu.name(), problem, wrong.getMessage());
                System.out.println(failure);
                api.post("/api/v1/jobs/" + current.job() + "/cancel", "");
            }
            Duration took = Duration.ofNanos(System.nanoTime() - started);
            ended.add(new Ended(number, problem, asked.size(), asked.configs().size(), took, failure));
        }
        return ended;
    }

    /** @param size of the space */
    private record Asked(long size, Set<Config> configs) {}

    private Asked study(int number, Problem problem) throws InterruptedException {
        String job = submit(number, problem);
        SearchSpace space =
                family.space(problem, DeviceLimits.of(gpu.topology().smCount())).usual(Map.of());
        Set<Config> asked = new HashSet<>();
        long moved = System.nanoTime();
        JsonNode now = api.job(job);
        while (isOpen(now)) {
            List<Lease> leases = worker.lease(LEASES);
            current = new Current(job, leases);
            if (leases.isEmpty()) {
                assertThat(Duration.ofNanos(System.nanoTime() - moved))
                        .as("time in which nothing came, after " + asked.size() + " trials")
                        .isLessThan(STALLED);
                Thread.sleep(5);
                now = api.job(job);
                continue;
            }
            for (Lease lease : leases) {
                Config config = PredictingWorker.config(lease);
                assertThat(space.violation(config)).as("rule that is broken").isEmpty();
                assertThat(asked.add(config)).as("asked once: %s", config).isTrue();
            }
            worker.report(leases);
            moved = System.nanoTime();
        }
        JsonNode study = now.get("studies").get(0);
        assertThat(study.get("error").isNull())
                .as("error %s", study.get("error"))
                .isTrue();
        assertThat(study.get("state").asString()).isEqualTo("finished");
        for (String count : List.of("total", "finished")) {
            assertThat(study.get("trials").get(count).asInt()).as(count).isEqualTo(asked.size());
        }
        long size = size(study.get("id").asString());
        assertThat((long) asked.size()).as("trials").isEqualTo(Math.min(TRIALS, size));
        if (size <= TRIALS) {
            assertThat(valid(space)).as("what keeps the rules").isSubsetOf(asked);
        }
        return new Asked(size, asked);
    }

    private String submit(int number, Problem problem) {
        return api.post("/api/v1/jobs", """
                        {"problems":[%s],"strategy":"%s","budget":{"trials":%d,"finalists":0},"seed":%d,"device":"simulated:%s"}""".formatted(
                                api.mapper().writeValueAsString(problem), strategy, TRIALS, number, gpu.name()))
                .expect(202)
                .get("id")
                .asString();
    }

    private static boolean isOpen(JsonNode job) {
        return Set.of("queued", "running").contains(job.get("state").asString());
    }

    private long size(String study) {
        return api.get("/api/v1/studies/" + study)
                .expect(200)
                .get("space")
                .get("size")
                .asLong();
    }

    /** Points drawn from all that there are, whatever the tree of the space knows, that keep its rules. */
    private static Stream<Config> points(SearchSpace space) {
        SplittableRandom random = new SplittableRandom(1);
        return random.longs(POINTS, 0, space.points()).mapToObj(space::point);
    }

    private static List<Config> valid(SearchSpace space) {
        return points(space).filter(config -> space.violation(config).isEmpty()).toList();
    }
}
