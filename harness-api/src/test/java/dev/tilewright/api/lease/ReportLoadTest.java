package dev.tilewright.api.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.Awaiting;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.RunningService.Service;
import dev.tilewright.api.testing.ScriptedWorker;
import dev.tilewright.api.testing.Stored;
import dev.tilewright.model.exchange.Heartbeat;
import dev.tilewright.model.exchange.Lease;
import dev.tilewright.model.exchange.LeaseGrant;
import dev.tilewright.model.exchange.LeaseRequest;
import dev.tilewright.model.exchange.ReportBatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Many reports of one study at once, beside heartbeats: no lease is lost that its worker has named. */
@Tag("alone")
@ExtendWith(RunningService.class)
class ReportLoadTest {

    private static final int REPORTERS = 4;
    /** As workers send them. */
    private static final int BATCH = 32;

    private static final int LEASES = 128;
    private static final Duration TTL = Duration.ofSeconds(15);

    /** A tenth of what a lease lives. */
    private static final Duration BEAT = TTL.dividedBy(10);

    /** A worker whose device is endlessly quick. */
    private static final class Flood {

        private final Service service;
        private final Api api;
        private final ScriptedWorker worker;
        private final Set<UUID> live = ConcurrentHashMap.newKeySet();
        private final AtomicInteger reported = new AtomicInteger();
        private final int speed;
        private final long begin = System.nanoTime();
        private double longestBeatMs;
        private volatile boolean over;

        /** @param speed of the service's clock: so many seconds a second */
        Flood(Service service, ScriptedWorker worker, int speed) {
            this.service = service;
            // Answers as they come: nobody waits for the driver.
            this.api = new Api(worker.api().uri("").toString());
            this.worker = worker.at(api);
            this.speed = speed;
        }

        double seconds() {
            return (System.nanoTime() - begin) / 1e9;
        }

        private List<Lease> lease() {
            LeaseRequest request = new LeaseRequest(worker.id(), worker.device(), LEASES, 0);
            List<Lease> leases = api.mapper()
                    .treeToValue(worker.work("/api/v1/leases", request).expect(200), LeaseGrant.class)
                    .leases();
            leases.forEach(lease -> live.add(lease.leaseId()));
            return leases;
        }

        private void report(List<Lease> leases) {
            assertThat(worker.report(leases.stream()
                            .map(lease -> new ReportBatch.LeaseReport(lease.leaseId(), worker.completed(lease, 5000)))
                            .toList()))
                    .isEmpty();
            leases.forEach(lease -> live.remove(lease.leaseId()));
            reported.addAndGet(leases.size());
        }

        /** Some leases of each grant are kept until the end: only heartbeats keep them alive. */
        Void work() {
            List<Lease> kept = new ArrayList<>();
            while (!over) {
                List<Lease> leases = lease();
                assertThat(leases).as("there is enough to do").isNotEmpty();
                kept.add(leases.getFirst());
                for (int i = 1; i < leases.size(); i += BATCH) {
                    report(leases.subList(i, Math.min(leases.size(), i + BATCH)));
                }
            }
            for (int i = 0; i < kept.size(); i += BATCH) {
                report(kept.subList(i, Math.min(kept.size(), i + BATCH)));
            }
            return null;
        }

        /** Lets time pass as long as three leases live, and takes back whatever is overdue. */
        Void beat() throws InterruptedException {
            Duration passed = Duration.ZERO;
            try {
                while (passed.compareTo(TTL.multipliedBy(3)) < 0) {
                    Thread.sleep(BEAT.dividedBy(speed));
                    long sent = System.nanoTime();
                    List<UUID> named = List.copyOf(live);
                    Heartbeat.Reply reply = api.mapper()
                            .treeToValue(
                                    worker.work("/api/v1/heartbeats", new Heartbeat(worker.id(), named, List.of()))
                                            .expect(200),
                                    Heartbeat.Reply.class);
                    longestBeatMs = Math.max(longestBeatMs, (System.nanoTime() - sent) / 1e6);
                    Duration now = Duration.ofMillis((long) (1e3 * speed * seconds()));
                    service.clock().advance(now.minus(passed));
                    passed = now;
                    service.bean(LeaseWatch.class).look();
                    // What was reported meanwhile is no longer live either.
                    Awaiting.until(() -> reply.stop().stream().noneMatch(live::contains));
                }
            } finally {
                over = true;
            }
            return null;
        }
    }

    /** Reports a second. */
    private static double rate(Api api, Service service, int trials, int speed) throws Exception {
        ScriptedWorker worker = ScriptedWorker.simulated(api);
        new Stored(api, service).study(worker, 0, trials);
        Flood flood = new Flood(service, worker, speed);
        double rate;
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Void>> work = new ArrayList<>(List.of(threads.submit(flood::beat)));
            for (int i = 0; i < REPORTERS; i++) {
                work.add(threads.submit(flood::work));
            }
            for (Future<Void> each : work) {
                each.get();
            }
            rate = flood.reported.get() / flood.seconds();
        }
        System.out.printf(
                Locale.ROOT,
                "%d reports in %.1f s: %.0f reports/s; the slowest heartbeat took %.0f ms%n",
                flood.reported.get(),
                flood.seconds(),
                rate,
                flood.longestBeatMs);
        assertThat(service.jdbc()
                        .sql("select distinct ending from lease")
                        .query(String.class)
                        .list())
                .containsExactly("reported");
        assertThat(service.jdbc()
                        .sql("select completed from study_tally")
                        .query(Integer.class)
                        .single())
                .isEqualTo(flood.reported.get());
        return rate;
    }

    @Test
    void noLeaseExpiresBesideManyReports(Api api, Service service) throws Exception {
        assertThat(rate(api, service, 60_000, 5)).isPositive();
    }

    @Test
    @Tag("full")
    void noLeaseExpiresBesideTwoThousandReportsASecond(Api api, Service service) throws Exception {
        assertThat(rate(api, service, 250_000, 1)).isGreaterThanOrEqualTo(2000);
    }
}
