package dev.tilewright.api.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.bundle.BundleName;
import dev.tilewright.model.exchange.DeviceOffer;
import dev.tilewright.model.exchange.Heartbeat;
import dev.tilewright.model.exchange.Lease;
import dev.tilewright.model.exchange.LeaseGrant;
import dev.tilewright.model.exchange.LeaseRequest;
import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.exchange.ReportBatch;
import dev.tilewright.model.exchange.TrialResult;
import dev.tilewright.model.exchange.Work;
import dev.tilewright.model.exchange.WorkerRegistration;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.Sha256;
import dev.tilewright.model.trial.Compilation;
import dev.tilewright.model.trial.Executed;
import dev.tilewright.model.trial.Measurement;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.SchedulerEvidence;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.model.trial.Testbed;
import dev.tilewright.model.trial.TestbedKind;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.simulator.SimulatedRun;
import dev.tilewright.simulator.Simulator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A worker over HTTP whose results are written down beforehand. */
public record ScriptedWorker(
        Api api,
        UUID id,
        String device,
        Testbed testbed,
        @Nullable String token) {

    /** One that has no token of its own until it has registered. */
    public ScriptedWorker(Api api, UUID id, String device, Testbed testbed) {
        this(api, id, device, testbed, null);
    }

    public static final Testbed SIMULATED = new Testbed(TestbedKind.SIMULATED, "h200", "model 1", "none", 132, "model");
    public static final Testbed H200 =
            new Testbed(TestbedKind.CUDA, "NVIDIA H200", "580.1", "ptxas 13.0.88", 132, "factory");

    public static final Testbed EMULATOR =
            new Testbed(TestbedKind.EMULATED, "emulator", "build 1", "ptxas 13.0.88", 4, "none");

    private static final SchedulerEvidence EVIDENCE = new SchedulerEvidence(
            List.of(2, 1, 1),
            List.of(0L, 5L, 9L),
            List.of(90L, 60L, 61L),
            0.2,
            null,
            List.of(),
            null,
            List.of(),
            List.of(List.of(0L, 40L, 45L, 90L), List.of(5L, 60L), List.of(9L, 61L)));

    public static ScriptedWorker emulated(Api api) {
        return new ScriptedWorker(api, UUID.randomUUID(), "emulated", EMULATOR).register();
    }

    public static ScriptedWorker simulated(Api api) {
        return new ScriptedWorker(api, UUID.randomUUID(), "simulated:h200", SIMULATED).register();
    }

    public static ScriptedWorker cuda(Api api, int ordinal) {
        return new ScriptedWorker(api, UUID.randomUUID(), "cuda:" + ordinal, H200).register();
    }

    /** A GPU with fewer SMs than the service takes for granted while no worker is there. */
    public static ScriptedWorker smallCuda(Api api, int smCount) {
        Testbed small =
                new Testbed(H200.kind(), "small GPU", H200.driver(), H200.assembler(), smCount, H200.clockPolicy());
        return new ScriptedWorker(api, UUID.randomUUID(), "cuda:0", small).register();
    }

    /** This worker with its own token. */
    public ScriptedWorker register() {
        JsonNode receipt = tryToRegister().expect(200);
        return new ScriptedWorker(
                api, id, device, testbed, receipt.get("workerToken").asString());
    }

    public Api.Answer tryToRegister() {
        return register(new DeviceOffer(device, testbed));
    }

    /** Registers with all that is known of its device. */
    public Api.Answer register(DeviceOffer offer) {
        return work("/api/v1/workers", new WorkerRegistration(id, "host", 4711, List.of(offer), families()));
    }

    private static Map<String, String> families() {
        return Stream.concat(Stream.of("toy", "sm90-gemm", "sm100-gemm", "cublaslt"), BundleName.makers().stream())
                .collect(Collectors.toMap(name -> name, name -> "build"));
    }

    /** Sends with the token of all workers and its own. */
    public Api.Answer work(String path, Object body) {
        return token == null ? api.work(path, body) : api.work(path, body, WorkerRegistration.TOKEN_HEADER, token);
    }

    /** The same worker at another replica of the service. */
    public ScriptedWorker at(Api other) {
        return new ScriptedWorker(other, id, device, testbed, token);
    }

    /** Asks once more if there was nothing: the first time wakes the driver. */
    public List<Lease> lease(int max) {
        List<Lease> leases = leaseNow(max);
        return leases.isEmpty() ? leaseNow(max) : leases;
    }

    /** As workers do: says in a heartbeat what it was granted. */
    public List<Lease> leaseNow(int max) {
        List<Lease> leases = leaseUnheard(max);
        if (!leases.isEmpty()) {
            assertThat(heartbeat(leases.toArray(Lease[]::new))).isEmpty();
        }
        return leases;
    }

    /** As if the answer had been lost. */
    public List<Lease> leaseUnheard(int max) {
        return grant(max).leases();
    }

    /** What the service answers to a request for leases. */
    public LeaseGrant grant(int max) {
        return api.mapper()
                .treeToValue(
                        work("/api/v1/leases", new LeaseRequest(id, device, max, 0))
                                .expect(200),
                        LeaseGrant.class);
    }

    public Lease leaseOne() {
        return lease(1).getFirst();
    }

    public List<UUID> heartbeat(Lease... leases) {
        return api.mapper()
                .treeToValue(work("/api/v1/heartbeats", beat(List.of(leases))).expect(200), Heartbeat.Reply.class)
                .stop();
    }

    public Heartbeat beat(List<Lease> leases) {
        return new Heartbeat(id, leases.stream().map(Lease::leaseId).toList(), List.of());
    }

    /** Says that the race of a final is over. */
    public void raced(Lease last) {
        List<UUID> one = List.of(last.leaseId());
        work("/api/v1/heartbeats", new Heartbeat(id, one, one)).expect(200);
    }

    /** What came of a report: an empty list, or the problem document that refused it. */
    public record Reported(JsonNode refused) {

        public void taken() {
            assertThat(refused).isEmpty();
        }

        /** The only problem, with this status. */
        public JsonNode refused(int status) {
            assertThat(refused).hasSize(1);
            assertThat(refused.get(0).get("status").asInt()).isEqualTo(status);
            assertThat(refused.get(0).get("title").asString()).isNotBlank();
            assertThat(refused.get(0).get("detail").asString()).isNotBlank();
            return refused.get(0);
        }
    }

    public Reported report(Lease lease, Report report) {
        return new Reported(report(List.of(new ReportBatch.LeaseReport(lease.leaseId(), report))));
    }

    /** Reports together; returns those that were refused. */
    public JsonNode report(List<ReportBatch.LeaseReport> reports) {
        return work("/api/v1/reports", new ReportBatch(reports)).expect(200).get("refused");
    }

    /** Reports a completed screen. */
    public void complete(Lease lease, double medianNs) {
        report(lease, completed(lease, medianNs)).taken();
    }

    public Report.Screened completed(Lease lease, double medianNs) {
        boolean real = testbed.kind() == TestbedKind.CUDA;
        Config config = ((Work.Screen) lease.work()).config();
        // The text does not depend on launch parameters.
        String text = config.canonical().replaceAll("rasterGroup=\\d+ ?", "");
        return new Report.Screened(
                lease.fence(),
                new TrialResult(
                        TrialOutcome.COMPLETED,
                        real ? 0.25 : null,
                        new Compilation(168, 0, 200_000, Sha256.hex(text), Sha256.hex("cubin " + text)),
                        new Executed(132, 1, 384),
                        List.of(measurement(lease, Mode.SUSTAINED, Stage.SCREEN, medianNs, real)),
                        EVIDENCE,
                        null,
                        real
                                ? Map.of(
                                        "measure",
                                        5_000_000L,
                                        "gpuBusy",
                                        4_000_000L,
                                        "gpuSpinFlush",
                                        1_000_000L,
                                        "gpuWait.load",
                                        2_000_000L)
                                : Map.of("build", 1_000L, "measure", 5_000_000L),
                        ""));
    }

    /** Reports what a model predicts of a screen. */
    public static Report.Screened predicted(Simulator model, Lease lease) {
        Config config = ((Work.Screen) lease.work()).config();
        SimulatedRun run = model.run(lease.problem(), config, lease.seed());
        boolean asks = Set.of("atomic", "clc").contains(config.name("scheduler"));
        SchedulerEvidence evidence = asks
                ? run.evidence().asked(run.dynamic().steals(), run.dynamic().failedQueries())
                : run.evidence();
        Measurement screen =
                new Measurement(Mode.SUSTAINED, Stage.SCREEN, 1, 1, run.timeNs(), null, null, run.clockMhz());
        return new Report.Screened(
                lease.fence(),
                new TrialResult(
                        TrialOutcome.COMPLETED,
                        null,
                        null,
                        run.executed(),
                        List.of(screen),
                        evidence,
                        null,
                        Map.of(),
                        "simulated"));
    }

    public static Report.Screened failed(Lease lease, TrialOutcome outcome, String log) {
        return new Report.Screened(lease.fence(), TrialResult.failed(outcome, log));
    }

    public static Measurement measurement(Lease lease, Mode mode, Stage stage, double medianNs, boolean interval) {
        return new Measurement(
                mode,
                stage,
                interval ? 5 : 1,
                10,
                medianNs,
                orNull(interval, medianNs * 0.99),
                orNull(interval, medianNs * 1.01),
                orNull(interval, 1755));
    }

    private static @Nullable Double orNull(boolean present, double value) {
        return present ? value : null;
    }

    /** Works until nothing is left: the first trial takes {@code firstNs}, each further one {@code stepNs} more. */
    public int workOff(double firstNs, double stepNs) {
        return workOff((lease, done) -> completed(lease, firstNs + stepNs * done));
    }

    /**
     * Works until nothing is left.
     *
     * @param came of a lease, and of how many were reported before it
     * @return how many leases were reported
     */
    public int workOff(BiFunction<Lease, Integer, Report> came) {
        int done = 0;
        for (List<Lease> leases = lease(4); !leases.isEmpty(); leases = lease(4)) {
            for (Lease lease : leases) {
                report(lease, came.apply(lease, done++)).taken();
            }
        }
        return done;
    }
}
