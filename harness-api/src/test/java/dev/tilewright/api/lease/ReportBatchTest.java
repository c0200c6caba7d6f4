package dev.tilewright.api.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.RunningService.Service;
import dev.tilewright.api.testing.ScriptedWorker;
import dev.tilewright.model.exchange.Lease;
import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.exchange.ReportBatch.LeaseReport;
import dev.tilewright.model.exchange.TrialResult;
import dev.tilewright.model.exchange.Work;
import dev.tilewright.model.trial.TrialOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.JsonNode;

/** Reports that come together: each counts as if it had come alone. */
@ExtendWith(RunningService.class)
class ReportBatchTest {

    private static final Duration TTL = Duration.ofSeconds(15);

    private static LeaseReport of(Lease lease, Report report) {
        return new LeaseReport(lease.leaseId(), report);
    }

    private static LeaseReport completed(ScriptedWorker worker, Lease lease, double medianNs) {
        return of(lease, worker.completed(lease, medianNs));
    }

    private static UUID trial(Lease lease) {
        return ((Work.Screen) lease.work()).trialId();
    }

    private static int finished(Api api, String job, int study) {
        return api.result(job)
                .get("studies")
                .get(study)
                .get("counts")
                .get("finished")
                .asInt();
    }

    private static int measurements(Service service) {
        return service.jdbc()
                .sql("select count(*) from measurement")
                .query(Integer.class)
                .single();
    }

    private static double stale(Api api) {
        return api.get("/actuator/prometheus")
                .text()
                .lines()
                .filter(line -> line.startsWith("tilewright_reports_stale_total"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    private static List<String> refusals(JsonNode refused) {
        return refused.valueStream()
                .map(each -> each.get("leaseId").asString() + " "
                        + each.get("status").asInt())
                .toList();
    }

    @Test
    void goodReportsAreStoredWhateverElseIsInTheBatchAndTheSameBatchAgainChangesNothing(Api api, Service service) {
        String job = api.submit("cuda", "random", 9, "640x384x256");
        ScriptedWorker worker = ScriptedWorker.cuda(api, 0);
        Lease lost = worker.leaseOne();
        service.silence(TTL);
        List<Lease> leases = worker.lease(4);
        UUID unknown = UUID.randomUUID();
        Lease senseless = leases.get(2);
        List<LeaseReport> batch = List.of(
                completed(worker, leases.get(1), 1200),
                completed(worker, lost, 800),
                new LeaseReport(unknown, worker.completed(lost, 700)),
                of(senseless, ScriptedWorker.failed(senseless, TrialOutcome.COMPLETED, "")),
                completed(worker, leases.get(0), 1100),
                completed(worker, leases.get(1), 600));
        double before = stale(api);

        JsonNode refused = worker.report(batch);

        assertThat(refusals(refused))
                .containsExactlyInAnyOrder(lost.leaseId() + " 409", unknown + " 404", senseless.leaseId() + " 422");
        assertThat(refused.valueStream().filter(each -> each.get("status").asInt() == 422))
                .singleElement()
                .satisfies(each -> assertThat(Api.errors(each))
                        .containsExactly(
                                "/result/measurements: a completed trial has a sustained measurement",
                                "/result/errorRatio: a trial completed on a real GPU was verified"));
        assertThat(stale(api) - before).isEqualTo(1);
        assertThat(finished(api, job, 0)).isEqualTo(2);
        assertThat(service.jdbc()
                        .sql("select id from trial where state = 'finished' order by finish_seq")
                        .query(UUID.class)
                        .list())
                .as("in the order of the batch")
                .containsExactly(trial(leases.get(1)), trial(leases.get(0)));
        assertThat(service.jdbc()
                        .sql("select median_ns from measurement order by id")
                        .query(Double.class)
                        .list())
                .containsExactly(1200.0, 1100.0);

        assertThat(refusals(worker.report(batch))).containsExactlyInAnyOrderElementsOf(refusals(refused));
        assertThat(finished(api, job, 0)).isEqualTo(2);
        assertThat(measurements(service)).isEqualTo(2);
        worker.complete(senseless, 1300);
        worker.complete(leases.get(3), 1400);
        assertThat(finished(api, job, 0)).isEqualTo(4);
    }

    @Test
    void reportsOfTwoStudiesMoveBothOn(Api api) {
        String job = api.submit("simulated:h200", "random", 3, "640x384x256", "128x256x512");
        ScriptedWorker worker = ScriptedWorker.simulated(api);
        List<Lease> leases = worker.lease(6);
        assertThat(leases.stream().map(Lease::studyId).distinct()).hasSize(2);
        List<LeaseReport> mixed = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            mixed.add(completed(worker, leases.get(i), 1000 + i));
            mixed.add(completed(worker, leases.get(3 + i), 2000 + i));
        }

        assertThat(worker.report(mixed)).isEmpty();

        assertThat(finished(api, job, 0)).isEqualTo(3);
        assertThat(finished(api, job, 1)).isEqualTo(3);
        assertThat(api.job(job).get("state").asString()).isEqualTo("finished");
    }

    /** Each round both batches name both studies, the one in the order of the other's end. */
    @Test
    void batchesInOppositeOrderDoNotWaitForEachOther(Api api) throws Exception {
        int trials = 20;
        String job = api.submit("simulated:h200", "exhaustive", trials, "640x384x256", "128x256x512");
        ScriptedWorker worker = ScriptedWorker.simulated(api);
        List<Lease> leases = worker.lease(2 * trials);
        assertThat(leases).hasSize(2 * trials);
        CyclicBarrier together = new CyclicBarrier(2);
        List<Callable<Integer>> senders = new ArrayList<>();
        for (int sender = 0; sender < 2; sender++) {
            int own = sender;
            senders.add(() -> {
                int refused = 0;
                for (int i = own; i < trials; i += 2) {
                    LeaseReport first = completed(worker, leases.get(i), 1000 + i);
                    LeaseReport second = completed(worker, leases.get(trials + i), 2000 + i);
                    together.await();
                    refused += worker.report(own == 0 ? List.of(first, second) : List.of(second, first))
                            .size();
                }
                return refused;
            });
        }
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<Integer> sender : threads.invokeAll(senders)) {
                assertThat(sender.get()).isZero();
            }
        }
        assertThat(finished(api, job, 0)).isEqualTo(trials);
        assertThat(finished(api, job, 1)).isEqualTo(trials);
        assertThat(api.job(job).get("state").asString()).isEqualTo("finished");
    }

    /** Somebody holds a lease, as a report does that ends it; the answer comes while it is held. */
    @Test
    void aHeartbeatWaitsForNobody(Api api, Service service) {
        api.submit("simulated:h200", "random", 4, "640x384x256");
        ScriptedWorker worker = ScriptedWorker.simulated(api);
        List<Lease> leases = worker.lease(2);
        service.silence(TTL.minusSeconds(1));
        service.bean(TransactionTemplate.class).executeWithoutResult(_ -> {
            service.jdbc()
                    .sql("select id from lease where id = :id for update")
                    .param("id", leases.getFirst().leaseId())
                    .query(UUID.class)
                    .single();
            assertThat(worker.heartbeat(leases.getFirst(), leases.getLast())).isEmpty();
        });
        // What nobody held lives on; the other one was not extended, and is until somebody takes it back.
        service.clock().advance(Duration.ofSeconds(2));
        service.bean(LeaseWatch.class).look();
        assertThat(worker.heartbeat(leases.getFirst(), leases.getLast()))
                .containsExactly(leases.getFirst().leaseId());
    }

    /** The batches end leases against the order of their ids, and both are at it all the time. */
    @Test
    void heartbeatsAndBatchesDoNotWaitForEachOther(Api api) throws Exception {
        String job = api.submit("simulated:h200", "exhaustive", 20, "640x384x256", "128x256x512", "72x88x96");
        ScriptedWorker worker = ScriptedWorker.simulated(api);
        List<Lease> leases = worker.lease(60);
        assertThat(leases).hasSize(60);
        Map<UUID, List<LeaseReport>> batches = leases.stream()
                .sorted(Comparator.comparing((Lease lease) -> lease.leaseId().toString())
                        .reversed())
                .collect(Collectors.groupingBy(
                        Lease::studyId,
                        Collectors.mapping(lease -> completed(worker, lease, 1000), Collectors.toList())));
        AtomicBoolean reported = new AtomicBoolean();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Integer> heartbeats = threads.submit(() -> {
                int beats = 0;
                for (; beats == 0 || !reported.get(); beats++) {
                    worker.heartbeat(leases.toArray(Lease[]::new));
                }
                return beats;
            });
            try {
                for (List<LeaseReport> batch : batches.values()) {
                    assertThat(worker.report(batch)).isEmpty();
                }
            } finally {
                reported.set(true);
            }
            assertThat(heartbeats.get()).isPositive();
        }
        assertThat(api.job(job).get("state").asString()).isEqualTo("finished");
    }

    @Test
    void whatComesBehindTheReportThatEndsAStudyIsDropped(Api api, Service service) {
        String job = api.submit("simulated:h200", "random", 5, "640x384x256");
        ScriptedWorker only = ScriptedWorker.simulated(api);
        List<Lease> leases = only.lease(3);

        assertThat(only.report(List.of(
                        of(leases.get(0), new Report.Refused(leases.get(0).fence(), "another build")),
                        completed(only, leases.get(1), 1000),
                        of(leases.get(2), new Report.Refused(leases.get(2).fence(), "another build")))))
                .isEmpty();

        JsonNode study = api.result(job).get("studies").get(0);
        assertThat(study.get("state").asString()).isEqualTo("failed");
        assertThat(study.get("error").asString()).endsWith("the last one: another build");
        assertThat(study.get("trials"))
                .allSatisfy(trial -> assertThat(trial.get("outcome").asString()).isEqualTo("cancelled"));
        assertThat(measurements(service)).isZero();
    }

    @Test
    void aRefusalBehindAnAcceptedReportEndsNothing(Api api) {
        String job = api.submit("simulated:h200", "random", 3, "640x384x256");
        ScriptedWorker only = ScriptedWorker.simulated(api);
        List<Lease> leases = only.lease(2);

        assertThat(only.report(List.of(
                        completed(only, leases.get(0), 1000),
                        of(leases.get(1), new Report.Refused(leases.get(1).fence(), "out of order")))))
                .isEmpty();

        assertThat(only.workOff(2000, 1)).isEqualTo(2);
        assertThat(api.job(job).get("state").asString()).isEqualTo("finished");
        assertThat(finished(api, job, 0)).isEqualTo(3);
    }

    /** What no check foresees the database refuses; the others of the batch are stored. */
    @Test
    void aReportThatCannotBeStoredIsRefusedAlone(Api api, Service service) {
        String rule = "alter table trial add constraint foreseen_by_nobody check (error_ratio <> 0.625)";
        service.jdbc().sql(rule).update();
        try {
            othersAreStored(api);
        } finally {
            service.jdbc()
                    .sql("alter table trial drop constraint foreseen_by_nobody")
                    .update();
        }
    }

    private static void othersAreStored(Api api) {
        String job = api.submit("cuda", "random", 3, "640x384x256", "128x256x512");
        ScriptedWorker worker = ScriptedWorker.cuda(api, 0);
        List<Lease> leases = worker.lease(6);
        Lease bad = leases.get(4);
        Report.Screened good = worker.completed(bad, 2100);
        Report unforeseen = new Report.Screened(
                good.fence(),
                new TrialResult(
                        good.result().outcome(),
                        0.625,
                        good.result().compilation(),
                        good.result().executed(),
                        good.result().measurements(),
                        good.result().evidence(),
                        good.result().checked(),
                        good.result().timesNs(),
                        good.result().log()));
        LeaseReport ofFirst = completed(worker, leases.get(0), 1000);
        LeaseReport ofSecond = completed(worker, leases.get(3), 2000);

        JsonNode refused = worker.report(List.of(ofFirst, of(bad, unforeseen), ofSecond));
        assertThat(refusals(refused)).containsExactly(bad.leaseId() + " 422");
        assertThat(refused.get(0).get("detail").asString())
                .startsWith("the report cannot be stored: ")
                .contains("foreseen_by_nobody")
                .doesNotContain("\n");
        assertThat(finished(api, job, 0)).isEqualTo(1);
        assertThat(finished(api, job, 1)).isEqualTo(1);

        assertThat(worker.report(List.of(ofFirst, ofSecond, of(bad, good)))).isEmpty();
        assertThat(finished(api, job, 0)).isEqualTo(1);
        assertThat(finished(api, job, 1)).isEqualTo(2);
    }
}
