package dev.tilewright.api.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.gate.GateAnswers;
import dev.tilewright.api.gate.GateScript;
import dev.tilewright.api.retention.Retention;
import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.RunningService.Service;
import dev.tilewright.api.testing.ScriptedWorker;
import dev.tilewright.api.testing.Stored;
import dev.tilewright.model.exchange.GpuTaskResult;
import dev.tilewright.model.exchange.Lease;
import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.trial.TrialOutcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;

/** Every metric that the documentation names is in the scrape of a service that has done a little of everything. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MetricsTest {

    private static final Pattern ROW = Pattern.compile("\\| `(tilewright_\\w+)` \\| ([^|]*)\\|.*");
    private static final Pattern SAMPLE = Pattern.compile("(\\w+)(?:\\{(.*)})? (\\S+)");

    private Service service;
    private String scrape = "";

    @BeforeAll
    void doALittleOfEverything() {
        service = RunningService.start(Map.of("db-scheduler.enabled", "false", "tilewright.retention.cancelled", "1d"));
        scrape = scrapeAfterALittleOfEverything(service);
    }

    private static String scrapeAfterALittleOfEverything(Service service) {
        Api api = service.api();
        new Stored(api, service).jobs(2, 1);
        api.post("/api/v1/jobs", """
                {"problems":[{"m":640,"n":384,"k":256}],"family":"toy","strategy":"random",
                "budget":{"trials":3,"finalists":0},"device":"cuda:0"}""").expect(202);
        ScriptedWorker gpu = ScriptedWorker.cuda(api, 0);
        assertThat(gpu.workOff(1000, 0)).isEqualTo(3);
        api.submit("simulated:h200", "random", 2, "128x256x512");
        ScriptedWorker model = ScriptedWorker.simulated(api);
        model.workOff((lease, done) ->
                done == 0 ? model.completed(lease, 1000) : ScriptedWorker.failed(lease, TrialOutcome.CRASH, "gone"));
        compare(api, gpu);
        GateScript gate = new GateScript(api, service);
        gate.submit(",\"branch\":\"main\"", GateScript.gateCase("square"));
        gate.workOff(gpu, task -> task.measureEqual() ? GateAnswers.asAsked(task) : GateAnswers.slower(task, 3));
        String cancelled = api.submit("cuda:7", "random", 1, "8x16x24");
        api.post("/api/v1/jobs/" + cancelled + "/cancel", "").expect(200);
        service.clock().advance(Duration.ofDays(3));
        service.bean(Retention.class).run();
        service.jdbc()
                .sql("update study_tally set final_tflops = 612.5 where final_tflops is null")
                .update();
        String late = api.submit("simulated:h200", "random", 1, "640x384x256");
        Lease lost = model.leaseOne();
        service.silence(Duration.ofSeconds(90));
        model.report(lost, model.completed(lost, 1000)).refused(409);
        api.post("/api/v1/jobs/" + late + "/cancel", "").expect(200);
        return api.get("/actuator/prometheus").text();
    }

    private static void compare(Api api, ScriptedWorker gpu) {
        api.post("/api/v1/comparisons", """
                {"problem":{"m":640,"n":384,"k":256},"device":"cuda",
                "first":{"peer":"cublaslt"},"second":{"peer":"cublaslt","algorithm":"1"}}""").expect(202);
        Lease lease = gpu.leaseOne();
        GpuTaskResult.ComparedSide side = new GpuTaskResult.ComparedSide("x", TrialOutcome.COMPLETED, null, "");
        gpu.report(
                        lease,
                        new Report.Ran(
                                lease.fence(),
                                new GpuTaskResult.Compared(
                                        GpuTaskResult.CompareVerdict.EQUAL,
                                        null,
                                        side,
                                        side,
                                        List.of(),
                                        List.of(),
                                        "")))
                .taken();
    }

    @AfterAll
    void stop() {
        service.close();
    }

    private record Sample(String name, String tags, double value) {}

    private List<Sample> samples() {
        return scrape.lines()
                .filter(line -> !line.startsWith("#"))
                .map(SAMPLE::matcher)
                .filter(Matcher::matches)
                .map(line -> new Sample(
                        line.group(1),
                        Objects.requireNonNullElse(line.group(2), ""),
                        Double.parseDouble(line.group(3))))
                .toList();
    }

    @TestFactory
    List<DynamicTest> everyMetricOfTheDocumentationIsThereWithItsTags() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        for (String line : Files.readAllLines(documentation())) {
            Matcher row = ROW.matcher(line);
            if (row.matches()) {
                List<String> tags = Arrays.stream(row.group(2).split(","))
                        .map(tag -> tag.strip().replace("`", ""))
                        .filter(tag -> !tag.isEmpty())
                        .toList();
                tests.add(DynamicTest.dynamicTest(
                        row.group(1),
                        () -> assertThat(samples())
                                .anyMatch(sample -> (sample.name().equals(row.group(1))
                                                || sample.name().equals(row.group(1) + "_count"))
                                        && tags.stream()
                                                .allMatch(tag -> sample.tags().contains(tag + "=\"")))));
            }
        }
        assertThat(tests).hasSizeGreaterThan(15);
        return tests;
    }

    @Test
    void everySelectorOfDashboardsAndAlertsFindsASeries() throws IOException {
        List<DashboardSelectors.Expression> asked = new ArrayList<>(AskedOfPrometheus.panels());
        asked.addAll(AskedOfPrometheus.alerts());
        assertThat(asked)
                .extracting(DashboardSelectors.Expression::where)
                .contains("Queue", "GPU busy share", "API: requests by status", "TilewrightGpuSlow");
        assertThat(DashboardSelectors.missing(scrape, asked)).isEmpty();
    }

    @Test
    void whatWorkersAreScaledByIsASeries() throws IOException {
        List<DashboardSelectors.Expression> followed = AskedOfPrometheus.scaling();
        assertThat(followed)
                .extracting(DashboardSelectors.Expression::text)
                .contains("tilewright_tasks{state=\"queued\"}");
        assertThat(DashboardSelectors.missing(scrape, followed)).isEmpty();
    }

    @Test
    void everyMetricOfTheDocumentationIsInAPanelOrAnAlert() throws IOException {
        List<DashboardSelectors.Expression> asked = new ArrayList<>(AskedOfPrometheus.panels());
        asked.addAll(AskedOfPrometheus.alerts());
        assertThat(Files.readAllLines(documentation()).stream()
                        .map(ROW::matcher)
                        .filter(Matcher::matches))
                .isNotEmpty()
                .allSatisfy(row -> assertThat(asked)
                        .as(row.group(1))
                        .anyMatch(expression -> Pattern.compile("\\b" + row.group(1) + "(_bucket|_count|_sum)?\\b")
                                .matcher(expression.text())
                                .find()));
    }

    @Test
    void whatIsOursIsInTheDocumentation() throws IOException {
        String documentation = Files.readString(documentation());
        assertThat(scrape.lines()
                        .filter(line -> line.startsWith("# TYPE tilewright_"))
                        .map(line -> line.split(" ")[2].replaceAll("_max$", ""))
                        .distinct())
                .allSatisfy(name -> assertThat(documentation).contains("`" + name + "`"));
    }

    @Test
    void valuesAreThoseOfWhatWasDone() {
        assertThat(value("tilewright_comparisons_total", "verdict=\"equal\"")).isEqualTo(1);
        assertThat(value("tilewright_gates_decided_total", "verdict=\"fail\"")).isEqualTo(1);
        assertThat(value("tilewright_gpu_clock_hertz", "host=\"host\"")).isNaN();
        assertThat(value("tilewright_gpu_time_seconds_total", "state=\"busy\"")).isEqualTo(3 * 0.004);
        assertThat(value("tilewright_trials_phases_seconds_total", "phase=\"measure\","))
                .isPositive();
        assertThat(value("tilewright_best_rate_flops", "shapes=\"skinny\"")).isEqualTo(612.5e12);
        assertThat(value("tilewright_retention_deleted_total", "what=\"jobs\"")).isEqualTo(1);
        assertThat(value("tilewright_queue_age_seconds", "of=\"trials\"")).isZero();
    }

    private double value(String name, String tag) {
        return samples().stream()
                .filter(sample -> sample.name().equals(name) && (sample.tags() + ",").contains(tag))
                .findFirst()
                .orElseThrow(() -> new AssertionError(name + " " + tag + " is not in\n" + scrape))
                .value();
    }

    private static Path documentation() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("docs/operations.md"))) {
            folder = Objects.requireNonNull(folder.getParent(), "no docs/operations.md above the working directory");
        }
        return folder.resolve("docs/operations.md");
    }
}
