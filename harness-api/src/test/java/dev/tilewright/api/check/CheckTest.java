package dev.tilewright.api.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.RunningService.Service;
import dev.tilewright.api.testing.ScriptedWorker;
import dev.tilewright.model.exchange.KernelCheck;
import dev.tilewright.model.exchange.Lease;
import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.exchange.TrialResult;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Sha256;
import dev.tilewright.model.trial.Checked;
import dev.tilewright.model.trial.Compilation;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.model.trial.Verdict;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

@ExtendWith(RunningService.class)
class CheckTest {

    private static final String TEXT = Sha256.hex("a kernel");
    private static final String EMULATOR = Sha256.hex("an emulator");
    private static final String NEWER = Sha256.hex("a newer emulator");
    private static final ProblemShape ASKED = new ProblemShape(4096, 2056, 1000);
    private static final ProblemShape RUN = new ProblemShape(640, 264, 232);

    static Checked checked(Verdict verdict, String emulator) {
        return switch (verdict) {
            case PROVED -> checked(verdict, TrialOutcome.COMPLETED, RUN, emulator, "3 runs");
            case REFUTED ->
                checked(verdict, TrialOutcome.HAZARD, RUN, emulator, "deadlock: warp 3 waits for full[1], phase 0");
            case SHALLOW -> checked(verdict, TrialOutcome.PRUNED, RUN, emulator, "check.shallow: 2 tiles of a CTA");
            case UNSUPPORTED -> checked(verdict, TrialOutcome.PRUNED, null, emulator, "check.unsupported: line 7");
        };
    }

    private static Checked checked(
            Verdict verdict, TrialOutcome outcome, @Nullable ProblemShape run, String emulator, String finding) {
        return new Checked(verdict, outcome, ASKED, run, 4, 5, 3, 123_456, 0.25, emulator, false, finding);
    }

    /** A worker with trials of one text to report. */
    private record Checker(ScriptedWorker worker) {

        static Checker of(Api api) {
            api.submit("simulated:h200", "random", 12, "640x384x256");
            return new Checker(ScriptedWorker.simulated(api));
        }

        ScriptedWorker.Reported report(Checked checked) {
            Lease lease = worker.leaseOne();
            return worker.report(lease, of(lease, checked));
        }

        Report.Screened of(Lease lease, Checked checked) {
            Report.Screened report = worker.completed(lease, 1e6);
            boolean proved = checked.verdict() == Verdict.PROVED;
            return with(
                    new Report.Screened(
                            report.fence(),
                            new TrialResult(
                                    report.result().outcome(),
                                    report.result().errorRatio(),
                                    new Compilation(168, 0, 200_000, TEXT, Sha256.hex("cubin")),
                                    report.result().executed(),
                                    report.result().measurements(),
                                    report.result().evidence(),
                                    null,
                                    report.result().timesNs(),
                                    "")),
                    proved ? TrialOutcome.COMPLETED : checked.outcome(),
                    checked);
        }
    }

    private static KernelCheck kept(Api api, Checker checker, Checked checked) {
        checker.report(checked).taken();
        return known(api, "?emulator=" + checked.emulator()).checks().getFirst();
    }

    private static KernelCheck.Known known(Api api, String query) {
        return api.mapper()
                .treeToValue(api.get("/api/v1/checks/" + TEXT + query).expect(200), KernelCheck.Known.class);
    }

    @Test
    void whatAWorkerFindsOfTheTextOfItsTrialIsKeptOnce(Api api, Service service) {
        Checker checker = Checker.of(api);
        api.get("/api/v1/checks/" + TEXT).problem(404);
        Checked proved = checked(Verdict.PROVED, EMULATOR);

        KernelCheck first = kept(api, checker, proved);
        service.clock().advance(Duration.ofSeconds(5));
        KernelCheck again = kept(api, Checker.of(api), proved);

        assertThat(again).isEqualTo(first);
        assertThat(first.workerId()).isEqualTo(checker.worker().id());
        assertThat(first.checked()).isEqualTo(proved.fromCache());
        assertThat(known(api, "")).isEqualTo(new KernelCheck.Known(TEXT, List.of(first)));
        assertThat(service.jdbc()
                        .sql("select count(*) from kernel_check")
                        .query(Integer.class)
                        .single())
                .isEqualTo(1);
    }

    @Test
    void eachBuildOfTheEmulatorChecksForItself(Api api, Service service) {
        Checker checker = Checker.of(api);
        KernelCheck old = kept(api, checker, checked(Verdict.PROVED, EMULATOR));
        api.get("/api/v1/checks/" + TEXT + "?emulator=" + NEWER).problem(404);
        service.clock().advance(Duration.ofSeconds(5));
        KernelCheck fresh = kept(api, checker, checked(Verdict.REFUTED, NEWER));
        assertThat(known(api, "").checks()).containsExactly(fresh, old);
        assertThat(known(api, "?emulator=" + EMULATOR).checks()).containsExactly(old);
        assertThat(known(api, "?emulator=" + NEWER).checks()).containsExactly(fresh);
    }

    @Test
    void aRefutationOutlivesEveryProof(Api api) {
        Checker checker = Checker.of(api);
        kept(api, checker, checked(Verdict.PROVED, EMULATOR));
        assertThat(kept(api, checker, checked(Verdict.REFUTED, EMULATOR))
                        .checked()
                        .verdict())
                .isEqualTo(Verdict.REFUTED);
        KernelCheck stays = kept(api, checker, checked(Verdict.PROVED, EMULATOR));
        assertThat(stays.checked().verdict()).isEqualTo(Verdict.REFUTED);
        assertThat(stays.checked().finding()).startsWith("deadlock");
        assertThat(known(api, "").checks()).containsExactly(stays);
    }

    @Test
    void whatSettlesNothingAndWhatWasKnownIsNotKept(Api api) {
        Checker checker = Checker.of(api);
        checker.report(checked(Verdict.SHALLOW, EMULATOR)).taken();
        checker.report(checked(Verdict.UNSUPPORTED, EMULATOR)).taken();
        checker.report(checked(Verdict.PROVED, EMULATOR).fromCache()).taken();
        api.get("/api/v1/checks/" + TEXT).problem(404);
    }

    @Test
    void aWorkerSettlesNothingOfTextsThatItsLeasesHaveNot(Api api) {
        Checker checker = Checker.of(api);
        Lease lease = checker.worker().leaseOne();
        ScriptedWorker stranger = ScriptedWorker.simulated(api);
        stranger.report(lease, checker.of(lease, checked(Verdict.REFUTED, EMULATOR)))
                .refused(404);
        checker.worker().complete(lease, 1e6);
        // Its own lease has ended: what it says of it now changes nothing.
        checker.worker()
                .report(lease, checker.of(lease, checked(Verdict.REFUTED, EMULATOR)))
                .taken();
        api.get("/api/v1/checks/" + TEXT).problem(404);
        for (String method : List.of("PUT", "POST", "DELETE")) {
            api.send(api.request("/api/v1/checks/" + TEXT)
                            .header("content-type", "application/json")
                            .header("authorization", "Bearer " + RunningService.WORKER_TOKEN)
                            .method(method, HttpRequest.BodyPublishers.ofString("{}")))
                    .problem(405);
        }
    }

    @Test
    void nonsenseIsRefusedAllAtOnce(Api api) {
        Checker checker = Checker.of(api);
        Lease lease = checker.worker().leaseOne();
        Checked nonsense = new Checked(
                Verdict.REFUTED, TrialOutcome.COMPLETED, ASKED, null, 0, 5, 0, -1, -2.0, "today", false, " ");
        assertThat(Api.errors(checker.worker()
                        .report(lease, with(checker.of(lease, nonsense), TrialOutcome.HAZARD, nonsense))
                        .refused(422)))
                .containsExactlyInAnyOrder(
                        "/result/checked/outcome: must be one of [hazard, mismatch] where the verdict is refuted, got completed",
                        "/result/checked/finding: a refutation says what was found",
                        "/result/checked/runShape: is required: a check that settles something has run something",
                        "/result/checked/sms: must be at least 1, got 0",
                        "/result/checked/seeds: must be at least 1, got 0",
                        "/result/checked/steps: must be at least 0, got -1",
                        "/result/checked/errorRatio: must be at least 0, got -2.0",
                        "/result/checked/emulator: must be 64 hexadecimal digits in lower case, got 'today'");
        api.get("/api/v1/checks/ABC").problem(400);
        api.get("/api/v1/checks/" + TEXT + "?emulator=new").problem(400);
    }

    private static String submit(Api api, String device, boolean check) {
        return api.post("/api/v1/jobs", """
                        {"problems":[{"m":640,"n":384,"k":256}],"family":"toy","budget":{"trials":3},"device":"%s","check":%b}""".formatted(device, check))
                .expect(202)
                .get("id")
                .asString();
    }

    private static Report.Screened with(Report.Screened report, TrialOutcome outcome, @Nullable Checked checked) {
        return new Report.Screened(
                report.fence(),
                new TrialResult(
                        outcome,
                        report.result().errorRatio(),
                        report.result().compilation(),
                        outcome == TrialOutcome.COMPLETED ? report.result().executed() : null,
                        outcome == TrialOutcome.COMPLETED ? report.result().measurements() : List.of(),
                        outcome == TrialOutcome.COMPLETED ? report.result().evidence() : null,
                        checked,
                        report.result().timesNs(),
                        ""));
    }

    @Test
    void aJobWithCheckTakesNoTrialWithoutAProof(Api api) {
        String job = submit(api, "simulated:h200", true);
        assertThat(api.job(job).get("check").asBoolean()).isTrue();
        ScriptedWorker worker = ScriptedWorker.simulated(api);
        Lease lease = worker.leaseOne();
        assertThat(lease.check()).isTrue();
        Report.Screened report = worker.completed(lease, 1000);
        String needsProof = "/result/checked: a trial of a job with check is completed only with a proof";
        assertThat(Api.errors(worker.report(lease, report).refused(422))).containsExactly(needsProof);
        assertThat(Api.errors(worker.report(
                                lease, with(report, TrialOutcome.COMPLETED, checked(Verdict.SHALLOW, EMULATOR)))
                        .refused(422)))
                .containsExactly(needsProof);
        Checked proof = checked(Verdict.PROVED, EMULATOR).fromCache();
        worker.report(lease, with(report, TrialOutcome.COMPLETED, proof)).taken();
        Lease other = worker.leaseOne();
        worker.report(
                        other,
                        with(worker.completed(other, 900), TrialOutcome.HAZARD, checked(Verdict.REFUTED, EMULATOR)))
                .taken();
        JsonNode trials = api.result(job).get("studies").get(0).get("trials");
        assertThat(api.mapper().treeToValue(trials.get(0).get("checked"), Checked.class))
                .isEqualTo(proof);
        assertThat(trials.get(1).get("checked").get("verdict").asString()).isEqualTo("refuted");
        assertThat(trials.get(1).get("outcome").asString()).isEqualTo("hazard");
        assertThat(trials.get(2).get("checked").isNull()).isTrue();
    }

    @Test
    void aJobWithoutCheckNeedsNone(Api api) {
        String job = submit(api, "simulated:h200", false);
        assertThat(api.job(job).get("check").asBoolean()).isFalse();
        ScriptedWorker worker = ScriptedWorker.simulated(api);
        Lease lease = worker.leaseOne();
        assertThat(lease.check()).isFalse();
        worker.complete(lease, 1000);
    }

    @Test
    void aServiceCanAskForACheckInEveryJob() {
        try (Service strict =
                RunningService.start(Map.of("db-scheduler.enabled", "false", "tilewright.check", "true"))) {
            String job = submit(strict.api(), "simulated:h200", false);
            assertThat(strict.api().job(job).get("check").asBoolean()).isTrue();
            assertThat(ScriptedWorker.simulated(strict.api()).leaseOne().check())
                    .isTrue();
        }
    }

    @Test
    void anEmulatedStudyProvesAndHasNoBest(Api api) {
        String job = submit(api, "emulated", false);
        assertThat(ScriptedWorker.simulated(api).lease(1)).isEmpty();
        ScriptedWorker worker = ScriptedWorker.emulated(api);
        Lease lease = worker.leaseOne();
        Report.Screened proved =
                with(worker.completed(lease, 1000), TrialOutcome.COMPLETED, checked(Verdict.PROVED, EMULATOR));
        assertThat(Api.errors(worker.report(lease, proved).refused(422)))
                .containsExactly("/result/measurements: must be empty: an emulated GPU gives no times");
        assertThat(Api.errors(worker.report(lease, untimed(with(proved, TrialOutcome.COMPLETED, null)))
                        .refused(422)))
                .containsExactly("/result/checked: a trial completed on an emulated GPU was proved");
        worker.report(lease, untimed(proved)).taken();
        Lease shallow = worker.leaseOne();
        worker.report(shallow, with(proved(worker, shallow), TrialOutcome.PRUNED, checked(Verdict.SHALLOW, EMULATOR)))
                .taken();
        Lease last = worker.leaseOne();
        worker.report(last, untimed(proved(worker, last))).taken();

        // A trial that its worker pruned counts like any other, and its config is not asked again.
        assertThat(worker.lease(1)).isEmpty();
        JsonNode result = api.result(job);
        JsonNode study = result.get("studies").get(0);
        assertThat(result.get("job").get("state").asString()).isEqualTo("finished");
        assertThat(study.get("testbed").get("kind").asString()).isEqualTo("emulated");
        assertThat(study.get("best").isNull()).isTrue();
        assertThat(study.get("counts").get("total").asInt()).isEqualTo(3);
        assertThat(study.get("counts").get("finished").asInt()).isEqualTo(3);
        assertThat(study.get("counts").get("completed").asInt()).isEqualTo(2);
        JsonNode trials = study.get("trials");
        assertThat(trials).hasSize(3);
        assertThat(trials.get(0).get("tflops").isNull()).isTrue();
        assertThat(trials.get(0).get("tilesPerSm")).hasSize(3);
        assertThat(trials.get(0).get("checked").get("shape").get("m").asInt()).isEqualTo(4096);
        assertThat(trials.get(0).get("checked").get("runShape").get("n").asInt())
                .isEqualTo(264);
        assertThat(api.get("/api/v1/best").expect(200).get("items")).isEmpty();
    }

    private static Report.Screened proved(ScriptedWorker worker, Lease lease) {
        return with(worker.completed(lease, 1000), TrialOutcome.COMPLETED, checked(Verdict.PROVED, EMULATOR));
    }

    private static Report.Screened untimed(Report.Screened report) {
        return new Report.Screened(
                report.fence(),
                new TrialResult(
                        report.result().outcome(),
                        report.result().errorRatio(),
                        report.result().compilation(),
                        report.result().executed(),
                        List.of(),
                        report.result().evidence(),
                        report.result().checked(),
                        report.result().timesNs(),
                        report.result().log()));
    }
}
