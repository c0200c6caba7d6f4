package dev.tilewright.api.tracing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.platform.database.JsonColumn;
import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.Awaiting;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.RunningService.Service;
import dev.tilewright.api.testing.ScriptedWorker;
import dev.tilewright.model.exchange.FinalResult;
import dev.tilewright.model.exchange.Lease;
import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.exchange.Work;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.model.trial.TrialOutcome;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Status;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.transaction.support.TransactionTemplate;

/** A service that runs with a collector. */
class JobTracesTest {

    private static final Duration TRIAL = Duration.ofMillis(100);

    private static Collector collector;
    private static Service service;

    /** That everything went well with. */
    private static String plain;

    @BeforeAll
    static void start() throws IOException {
        collector = new Collector();
        service = RunningService.start(Map.of(TracingSettings.ENDPOINT, collector.endpoint()));
        plain = run(service.api());
        Awaiting.until(() -> named(spansOf(plain), "job").size() == 1);
    }

    @AfterAll
    static void stop() {
        service.close();
        collector.close();
    }

    private static List<Span> spansOf(String job) {
        return collector.spans().stream()
                .filter(span -> hex(span.getTraceId().toByteArray()).equals(job.replace("-", "")))
                .toList();
    }

    private static String hex(byte[] id) {
        return HexFormat.of().formatHex(id);
    }

    private static String attribute(Span span, String key) {
        return span.getAttributesList().stream()
                .filter(each -> each.getKey().equals(key))
                .map(KeyValue::getValue)
                .map(value -> value.hasStringValue() ? value.getStringValue() : value.toString())
                .collect(Collectors.joining());
    }

    private static List<Span> named(List<Span> spans, String name) {
        return spans.stream().filter(span -> span.getName().equals(name)).toList();
    }

    private static double ms(Span span) {
        return (span.getEndTimeUnixNano() - span.getStartTimeUnixNano()) / 1e6;
    }

    /** A real GPU screens two kernels, one of which is wrong; the other is its own final. */
    private static String run(Api api) {
        String job = api.submit("cuda", "random", 2, "640x384x256");
        ScriptedWorker worker = ScriptedWorker.cuda(api, 0);
        Lease first = worker.leaseOne();
        service.clock().advance(TRIAL);
        Report.Screened right = worker.completed(first, 20_000);
        Map<String, Long> times = new HashMap<>(right.result().timesNs());
        times.putAll(Map.of("build", 2_000_000L, "assemble", 30_000_000L, "verify", 1_000_000L, "trace", 500_000L));
        worker.report(first, new Report.Screened(first.fence(), right.result().withTimes(times)))
                .taken();
        Lease second = worker.leaseOne();
        service.clock().advance(TRIAL);
        worker.report(second, ScriptedWorker.failed(second, TrialOutcome.MISMATCH, "poison is left\nin 3 elements"))
                .taken();
        Lease last = worker.leaseOne();
        service.clock().advance(TRIAL);
        worker.report(last, finished(last)).taken();
        assertThat(api.job(job).get("state").asString()).isEqualTo("finished");
        return job;
    }

    private static Report.Finished finished(Lease lease) {
        Work.Contender only = ((Work.Final) lease.work()).contenders().getFirst();
        Report.Arm arm = new Report.Arm(
                only.trialId().toString(),
                only.trialId(),
                "toy",
                only.config(),
                TrialOutcome.COMPLETED,
                0.5,
                List.of(ScriptedWorker.measurement(lease, Mode.SUSTAINED, Stage.FINAL, 1000, true)),
                "");
        return new Report.Finished(lease.fence(), new FinalResult(List.of(arm), List.of(), List.of(), List.of(), ""));
    }

    @Test
    void aJobIsATreeDownToItsKernels() {
        List<Span> spans = spansOf(plain);
        Map<String, Span> byId = spans.stream()
                .collect(Collectors.toMap(span -> hex(span.getSpanId().toByteArray()), Function.identity()));
        assertThat(spans.stream().map(span -> path(span, byId)))
                .containsExactlyInAnyOrder(
                        "job",
                        "job/study",
                        "job/study/ask",
                        "job/study/ask",
                        "job/study/trial",
                        "job/study/trial/lease",
                        "job/study/trial/lease/build",
                        "job/study/trial/lease/assemble",
                        "job/study/trial/lease/verify",
                        "job/study/trial/lease/measure",
                        "job/study/trial/lease/measure/kernel toy",
                        "job/study/trial/lease/trace",
                        "job/study/trial",
                        "job/study/trial/lease",
                        "job/study/final",
                        "job/study/final/lease");
        for (Span span : spans) {
            Span parent = byId.get(hex(span.getParentSpanId().toByteArray()));
            if (parent != null) {
                assertThat(span.getStartTimeUnixNano())
                        .as(span.getName())
                        .isBetween(parent.getStartTimeUnixNano(), parent.getEndTimeUnixNano());
                assertThat(span.getEndTimeUnixNano())
                        .as(span.getName())
                        .isBetween(span.getStartTimeUnixNano(), parent.getEndTimeUnixNano());
            }
        }
        assertThat(ms(named(spans, "job").getFirst())).isEqualTo(300);
        assertThat(named(spans, "lease"))
                .allSatisfy(lease -> assertThat(ms(lease)).isEqualTo(100));
        assertThat(ms(named(spans, "assemble").getFirst())).isEqualTo(30);
        assertThat(ms(named(spans, "measure").getFirst())).isEqualTo(5);
        // Ten launches of 20 us.
        assertThat(ms(named(spans, "kernel toy").getFirst())).isEqualTo(0.2);
    }

    private static String path(Span span, Map<String, Span> byId) {
        Span parent = byId.get(hex(span.getParentSpanId().toByteArray()));
        if (parent == null) {
            assertThat(span.getParentSpanId())
                    .as("parent of %s", span.getName())
                    .isEmpty();
            return span.getName();
        }
        return path(parent, byId) + "/" + span.getName();
    }

    @Test
    void spansSayWhatTheyAreOf() {
        List<Span> spans = spansOf(plain);
        assertThat(attribute(named(spans, "job").getFirst(), "tilewright.state"))
                .isEqualTo("finished");
        Span study = named(spans, "study").getFirst();
        assertThat(attribute(study, "tilewright.problem")).isEqualTo("640x384x256 bf16");
        assertThat(attribute(study, "tilewright.device")).isEqualTo("NVIDIA H200");
        assertThat(attribute(study, "tilewright.testbed.kind")).isEqualTo("cuda");
        Span right = named(spans, "trial").get(0);
        assertThat(attribute(right, "tilewright.outcome")).isEqualTo("completed");
        assertThat(attribute(right, "tilewright.config")).contains("tileM=");
        assertThat(right.getStatus().getCode()).isEqualTo(Status.StatusCode.STATUS_CODE_UNSET);
        Span wrong = named(spans, "trial").get(1);
        assertThat(attribute(wrong, "tilewright.outcome")).isEqualTo("mismatch");
        assertThat(wrong.getStatus().getCode()).isEqualTo(Status.StatusCode.STATUS_CODE_ERROR);
        assertThat(wrong.getStatus().getMessage()).isEqualTo("poison is left");
        assertThat(named(spans, "ask").stream().map(ask -> attribute(ask, "tilewright.ask.about")))
                .containsExactly("first", "contenders");
        Span lease = named(spans, "lease").getFirst();
        assertThat(attribute(lease, "tilewright.device.label")).isEqualTo("cuda:0");
        assertThat(attribute(lease, "host.name")).isEqualTo("host");
        assertThat(attribute(named(spans, "kernel toy").getFirst(), "tilewright.ptx.sha256"))
                .hasSize(64);
        assertThat(collector.taken().getFirst().getResource().getAttributesList())
                .anySatisfy(each -> assertThat(each.getValue().getStringValue()).isEqualTo("tilewright"));
    }

    private static boolean isTold(String job) {
        return service.jdbc()
                .sql("select ended from job_trace where job_id = cast(:job as uuid)")
                .param("job", job)
                .query(Boolean.class)
                .optional()
                .orElse(false);
    }

    @Test
    void aCollectorThatWasAwayGetsAllOfItOnce() {
        collector.answer(503);
        int before = collector.requests();
        String job = run(service.api());
        Awaiting.until(() -> collector.requests() > before);
        assertThat(spansOf(job)).isEmpty();

        collector.answer(200);
        Awaiting.until(() -> isTold(job));
        // As after a restart.
        new JobTraces(service.bean(TraceRepository.class), service.bean(SpanExporter.class), service.bean(Clock.class))
                .export();

        assertThat(spansOf(job)).hasSize(16);
        assertThat(spansOf(job).stream().map(Span::getSpanId)).doesNotHaveDuplicates();
    }

    /** As it is every few seconds. */
    @Test
    void whoLooksForNewJobsReadsNoOldOnes() {
        String plan = service.bean(TransactionTemplate.class).execute(status -> {
            service.jdbc().sql("""
                    insert into job (id, name, state, options, created_at, finished_at)
                    select gen_random_uuid(), 'old', 'finished', options, t, t
                    from job, generate_series(timestamptz '2020-01-01', '2020-01-15', '1 minute') as t
                    where id = cast(:job as uuid)""").param("job", plain).update();
            service.jdbc().sql("analyze job").update();
            status.setRollbackOnly();
            return String.join(
                    "\n",
                    service.jdbc()
                            .sql("explain " + TraceRepository.BEGIN)
                            .param("since", JsonColumn.at(service.clock().instant()))
                            .query(String.class)
                            .list());
        });
        assertThat(plan).contains("job_open", "job_over").doesNotContain("Seq Scan on job j");
    }

    /** No request of it will ever be taken. */
    @Test
    void whatACollectorDoesNotWantDoesNotHoldUpOthers() {
        collector.answer(400);
        String unwanted = run(service.api());
        Awaiting.until(() -> isTold(unwanted));
        collector.answer(200);
        String wanted = run(service.api());
        Awaiting.until(() -> isTold(wanted));
        assertThat(spansOf(unwanted)).isEmpty();
        assertThat(spansOf(wanted)).hasSize(16);
    }

    @Test
    void aTrialThatWasCancelledUnderItsWorkerIsToldToo() {
        Api api = service.api();
        String job = api.submit("simulated:h200", "random", 5, "640x384x256");
        ScriptedWorker worker = ScriptedWorker.simulated(api);
        worker.complete(worker.leaseOne(), 20_000);
        worker.leaseOne();
        api.post("/api/v1/jobs/" + job + "/cancel", "").expect(200);

        Awaiting.until(() -> named(spansOf(job), "job").size() == 1);
        List<Span> spans = spansOf(job);
        assertThat(named(spans, "trial").stream().map(span -> attribute(span, "tilewright.outcome")))
                .containsExactly("completed", "cancelled");
        assertThat(named(spans, "lease").stream().map(span -> attribute(span, "tilewright.ending")))
                .containsExactly("reported", "cancelled");
        assertThat(spans)
                .as("what a model predicts takes no time")
                .noneMatch(span -> span.getName().startsWith("kernel"));
    }
}
