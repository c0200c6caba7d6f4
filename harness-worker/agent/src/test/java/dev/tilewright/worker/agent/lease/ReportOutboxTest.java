package dev.tilewright.worker.agent.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tilewright.model.exchange.Lease;
import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.exchange.ReportBatch.RefusedReport;
import dev.tilewright.model.exchange.ReportBatch.ReportFault;
import dev.tilewright.model.exchange.Work;
import dev.tilewright.model.exchange.WorkerRegistration;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Config;
import dev.tilewright.worker.link.client.ApiClient;
import dev.tilewright.worker.link.client.ApiRefusedException;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Reports on their way to an API that is slow, away, or says no. */
@Timeout(60)
class ReportOutboxTest {

    private final LiveLeases leases = new LiveLeases();
    private final List<Duration> pauses = new ArrayList<>();
    private final List<UUID> added = new ArrayList<>();
    private FakeApi api;
    private ApiClient client;
    private ReportOutbox outbox;

    @BeforeEach
    void open() throws IOException {
        api = new FakeApi();
        show(FakeApi.TOKEN);
    }

    @AfterEach
    void close() {
        client.close();
        api.close();
    }

    /** From now on reports go through a client with this token. */
    private void show(String token) {
        client = api.client(token);
        outbox = outbox(pauses::add);
    }

    private ReportOutbox outbox(Sleeper sleeper) {
        WorkerRegistration nobody = new WorkerRegistration(UUID.randomUUID(), "host", 1, List.of(), Map.of());
        return new ReportOutbox(new WorkerSession(client, nobody, Clock.systemUTC()), leases, sleeper);
    }

    private static Lease lease() {
        return new Lease(
                UUID.randomUUID(),
                5,
                900,
                UUID.randomUUID(),
                UUID.randomUUID(),
                Problem.of(new ProblemShape(2048, 1024, 768), DataType.BF16),
                "build-1",
                Map.of("sm90-gemm", "0000"),
                1,
                false,
                new Work.Screen(UUID.randomUUID(), 1, Config.of(Map.of())));
    }

    /** Adds reports of leases that the worker holds. */
    private void add(ReportOutbox to, int count) {
        Stream.generate(ReportOutboxTest::lease).limit(count).forEach(lease -> {
            leases.add(lease);
            added.add(lease.leaseId());
            to.add(lease.leaseId(), new Report.Refused(lease.fence(), "report " + added.size()));
        });
    }

    private List<UUID> sent() {
        return api.batches().stream().flatMap(List::stream).toList();
    }

    @Test
    void whatWaitsGoesInOneRequestAndTheOldestFirst() throws Exception {
        add(outbox, ReportOutbox.MOST_IN_A_REQUEST + 8);

        assertThat(outbox.flush()).isTrue();

        assertThat(api.batches()).extracting(List::size).containsExactly(ReportOutbox.MOST_IN_A_REQUEST, 8);
        assertThat(sent()).isEqualTo(added);
        assertThat(api.reports()).hasSize(added.size()).containsOnlyKeys(added);
        assertThat(leases.ids()).isEmpty();
        assertThat(outbox.flush()).isTrue();
        assertThat(api.batches()).as("nothing is left").hasSize(2);
    }

    /** Each pause of the outage brings more reports, as a device does that goes on. */
    @Test
    void whatGathersDuringAnOutageGoesTogetherWithWhatDidNotGoThrough() throws InterruptedException {
        ReportOutbox[] own = new ReportOutbox[1];
        own[0] = outbox(pause -> {
            pauses.add(pause);
            add(own[0], 2);
        });
        api.failNext(3);
        add(own[0], 1);
        Thread sender = Thread.ofPlatform().start(() -> {
            try {
                own[0].run();
            } catch (InterruptedException over) {
                Thread.currentThread().interrupt();
            } catch (ApiRefusedException refused) {
                throw new IllegalStateException(refused);
            }
        });
        api.await(() -> api.reports().size() == 7);
        add(own[0], 1);
        api.await(() -> api.reports().size() == 8);
        sender.interrupt();
        sender.join();

        assertThat(pauses).hasSize(3).isSorted();
        assertThat(api.batches()).extracting(List::size).containsExactly(7, 1);
        assertThat(sent()).isEqualTo(added);
        assertThat(api.requests()).hasSize(5);
    }

    @Test
    void anOutageEndsTheFlushAndLosesNothing() throws Exception {
        add(outbox, 3);
        api.failNext(1);

        assertThat(outbox.flush()).isFalse();
        assertThat(api.reports()).isEmpty();
        assertThat(leases.ids()).containsExactlyInAnyOrderElementsOf(added);

        add(outbox, 1);
        assertThat(outbox.flush()).isTrue();
        assertThat(api.batches()).containsExactly(added);
    }

    @Test
    void aRefusedReportIsDroppedAndTakesNoOtherWithIt() throws Exception {
        add(outbox, 3);
        api.takeAway(added.get(1));

        assertThat(outbox.flush()).isTrue();

        assertThat(api.batches()).containsExactly(added);
        assertThat(api.reports()).containsOnlyKeys(added.get(0), added.get(2));
        assertThat(leases.ids()).isEmpty();
    }

    @Test
    void aBatchThatIsRefusedAsAWholeIsSentOneByOne() throws Exception {
        api.takeAtMost(1);
        add(outbox, 3);

        assertThat(outbox.flush()).isTrue();

        assertThat(api.batches()).extracting(List::size).containsExactly(3, 1, 1, 1);
        assertThat(api.reports()).containsOnlyKeys(added);
        assertThat(leases.ids()).isEmpty();
    }

    @Test
    void aWrongTokenEndsItAndTheReportsStay() throws Exception {
        client.close();
        show("wrong");
        add(outbox, 2);

        assertThatExceptionOfType(ApiRefusedException.class)
                .isThrownBy(outbox::flush)
                .matches(ApiRefusedException::isUnauthorized);

        assertThat(api.batches()).isEmpty();
        assertThat(leases.ids()).containsExactlyInAnyOrderElementsOf(added);
    }

    @Test
    void severalFaultsOfAReportAreOneLine() {
        ReportFault measured = new ReportFault("/measurements", "must be empty");
        ReportFault verified = new ReportFault("/errorRatio", "is missing");
        assertThat(refused("2 values are not accepted", measured, verified).line())
                .isEqualTo("2 values are not accepted: /measurements: must be empty; /errorRatio: is missing");
        assertThat(refused("/errorRatio: is missing", verified).line()).isEqualTo("/errorRatio: is missing");
        assertThat(refused("there is no such lease").line()).isEqualTo("there is no such lease");
    }

    private static RefusedReport refused(String detail, ReportFault... faults) {
        return new RefusedReport(UUID.randomUUID(), "about:blank", "refused", 422, detail, List.of(faults));
    }
}
