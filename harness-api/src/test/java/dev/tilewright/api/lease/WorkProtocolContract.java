package dev.tilewright.api.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.RunningService.Service;
import dev.tilewright.api.testing.ScriptedWorker;
import dev.tilewright.model.exchange.Lease;
import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.exchange.ReportBatch;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

/** The protocol between a worker and the queue over HTTP: one contract for screens, finals and tasks. */
@ExtendWith(RunningService.class)
abstract class WorkProtocolContract {

    private static final Duration TTL = Duration.ofSeconds(15);
    private static final int MOST_ATTEMPTS = 3;
    private static final Set<String> OPEN = Set.of("queued", "running", "leased");

    /** Submits something of which one piece of work of this kind is open and nothing else; its id. */
    abstract String submitted(Api api);

    /** A new worker that may take the work. */
    abstract ScriptedWorker worker(Api api);

    /** A report that ends the work. */
    abstract Report done(ScriptedWorker worker, Lease lease);

    /** A report of another kind of work. */
    abstract Report ofAnotherKind(Lease lease);

    /** The path of what was submitted, before its id. */
    abstract String path();

    /** All that is stored of what was submitted. */
    JsonNode stored(Api api, String id) {
        return api.get(path() + "/" + id).expect(200);
    }

    private String state(Api api, String id) {
        return stored(api, id).get("state").asString();
    }

    private boolean isOpen(Api api, String id) {
        return OPEN.contains(state(api, id));
    }

    private void end(Api api, String id, ScriptedWorker worker, Lease lease) {
        worker.report(lease, done(worker, lease)).taken();
        assertThat(state(api, id)).isEqualTo("finished");
        assertThat(worker.leaseNow(4)).as("work that is left").isEmpty();
    }

    private void refusedAsStale(ScriptedWorker worker, Lease lease, Report report) {
        assertThat(worker.report(lease, report).refused(409).get("type").asString())
                .isEqualTo("urn:tilewright:problem:stale-lease");
    }

    @Test
    void oneWorkerHasIt(Api api) {
        String id = submitted(api);
        ScriptedWorker holder = worker(api);
        Lease lease = holder.leaseOne();
        assertThat(lease.ttlMs()).isEqualTo(TTL.toMillis());
        assertThat(worker(api).lease(4)).isEmpty();
        assertThat(holder.leaseNow(4)).isEmpty();
        end(api, id, holder, lease);
    }

    @Test
    void theSameReportAgainChangesNothing(Api api) {
        String id = submitted(api);
        ScriptedWorker worker = worker(api);
        Lease lease = worker.leaseOne();
        end(api, id, worker, lease);
        JsonNode once = stored(api, id);
        worker.report(lease, done(worker, lease)).taken();
        assertThat(stored(api, id)).isEqualTo(once);
        assertThat(worker.heartbeat(lease)).containsExactly(lease.leaseId());
    }

    @Test
    void aHeartbeatKeepsIt(Api api, Service service) {
        String id = submitted(api);
        ScriptedWorker worker = worker(api);
        Lease lease = worker.leaseOne();
        for (int i = 0; i < 5; i++) {
            service.silence(TTL.minusSeconds(1));
            assertThat(worker.heartbeat(lease)).isEmpty();
        }
        end(api, id, worker, lease);
    }

    @Test
    void aSilentWorkerLosesItToTheNextOne(Api api, Service service) {
        String id = submitted(api);
        ScriptedWorker silent = worker(api);
        Lease lost = silent.leaseOne();
        service.silence(TTL);
        assertThat(silent.heartbeat(lost)).containsExactly(lost.leaseId());
        refusedAsStale(silent, lost, done(silent, lost));

        ScriptedWorker next = worker(api);
        Lease lease = next.leaseOne();
        assertThat(lease.fence()).isGreaterThan(lost.fence());
        refusedAsStale(silent, lost, done(silent, lost));
        end(api, id, next, lease);
        refusedAsStale(silent, lost, done(silent, lost));
    }

    @Test
    void theFenceOfAReportIsThatOfItsLease(Api api) {
        String id = submitted(api);
        ScriptedWorker worker = worker(api);
        Lease lease = worker.leaseOne();
        for (long fence : new long[] {lease.fence() - 1, lease.fence() + 1}) {
            refusedAsStale(worker, lease, new Report.Refused(fence, "of another lease"));
        }
        end(api, id, worker, lease);
    }

    @Test
    void theLeaseOfAnotherWorkerIsUnknown(Api api) {
        String id = submitted(api);
        ScriptedWorker holder = worker(api);
        Lease lease = holder.leaseOne();
        ScriptedWorker other = worker(api);
        other.report(lease, done(holder, lease)).refused(404);
        assertThat(other.heartbeat(lease)).containsExactly(lease.leaseId());
        assertThat(holder.heartbeat(lease)).isEmpty();
        end(api, id, holder, lease);
    }

    @Test
    void aLeaseThatNobodyKnowsIsRefusedAlone(Api api) {
        String id = submitted(api);
        ScriptedWorker worker = worker(api);
        Lease lease = worker.leaseOne();
        UUID nobodys = UUID.randomUUID();
        assertThat(worker.report(List.of(
                        new ReportBatch.LeaseReport(nobodys, done(worker, lease)),
                        new ReportBatch.LeaseReport(lease.leaseId(), done(worker, lease)))))
                .singleElement()
                .satisfies(refused -> {
                    assertThat(refused.get("leaseId").asString()).isEqualTo(nobodys.toString());
                    assertThat(refused.get("status").asInt()).isEqualTo(404);
                });
        assertThat(isOpen(api, id)).isFalse();
    }

    @Test
    void aGrantThatNeverArrivedIsNoAttempt(Api api, Service service) {
        String id = submitted(api);
        ScriptedWorker worker = worker(api);
        worker.leaseUnheard(1);
        Lease unheard = null;
        for (int i = 0; i <= MOST_ATTEMPTS; i++) {
            service.silence(TTL);
            unheard = worker.leaseUnheard(1).getFirst();
        }
        service.silence(TTL);
        Lease heard = worker.leaseOne();
        refusedAsStale(worker, unheard, done(worker, unheard));
        end(api, id, worker, heard);
    }

    @Test
    void afterSoManyLostWorkersNobodyIsAskedAgain(Api api, Service service) {
        String id = submitted(api);
        for (int i = 0; i < MOST_ATTEMPTS; i++) {
            assertThat(isOpen(api, id)).isTrue();
            worker(api).leaseOne();
            service.silence(TTL);
        }
        assertThat(worker(api).lease(4)).isEmpty();
        assertThat(isOpen(api, id)).isFalse();
    }

    @Test
    void aWorkerIsNotGivenWhatItRefused(Api api) {
        String id = submitted(api);
        ScriptedWorker able = worker(api);
        ScriptedWorker broken = worker(api);
        Lease refused = broken.leaseOne();
        broken.report(refused, new Report.Refused(refused.fence(), "out of order"))
                .taken();
        assertThat(broken.lease(4)).isEmpty();
        Lease lease = able.leaseOne();
        assertThat(lease.fence()).isGreaterThan(refused.fence());
        end(api, id, able, lease);
    }

    @Test
    void aWorkerThatStopsHasRefusedNothing(Api api) {
        String id = submitted(api);
        for (int i = 0; i <= MOST_ATTEMPTS; i++) {
            ScriptedWorker stopping = worker(api);
            Lease lease = stopping.leaseOne();
            stopping.report(lease, Report.Refused.ofStoppingWorker(lease.fence()))
                    .taken();
        }
        ScriptedWorker able = worker(api);
        end(api, id, able, able.leaseOne());
    }

    @Test
    void aReportOfAnotherKindIsRefusedAndNothingIsLost(Api api) {
        String id = submitted(api);
        ScriptedWorker worker = worker(api);
        Lease lease = worker.leaseOne();
        worker.report(lease, ofAnotherKind(lease)).refused(422);
        assertThat(worker.heartbeat(lease)).isEmpty();
        end(api, id, worker, lease);
    }

    @Test
    void aCancelledWorkIsStopped(Api api) {
        String id = submitted(api);
        ScriptedWorker worker = worker(api);
        Lease lease = worker.leaseOne();
        api.post(path() + "/" + id + "/cancel", "").expect(200);
        assertThat(state(api, id)).isEqualTo("cancelled");
        assertThat(worker.heartbeat(lease)).containsExactly(lease.leaseId());
        worker.report(lease, done(worker, lease)).taken();
        assertThat(state(api, id)).isEqualTo("cancelled");
        assertThat(worker.lease(4)).isEmpty();
    }
}
