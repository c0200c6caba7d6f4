package dev.tilewright.worker.agent.lease;

import dev.tilewright.model.exchange.Heartbeat;
import dev.tilewright.model.exchange.KernelCheck;
import dev.tilewright.model.exchange.LeaseGrant;
import dev.tilewright.model.exchange.LeaseRequest;
import dev.tilewright.model.exchange.Protocol;
import dev.tilewright.model.exchange.ReportBatch;
import dev.tilewright.model.exchange.WorkerRegistration;
import dev.tilewright.model.trial.Checked;
import dev.tilewright.worker.link.client.ApiClient;
import dev.tilewright.worker.link.client.ApiRefusedException;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Messages of a worker to the API. Registers again when the API no longer knows it. An {@link IOException} was logged
 * already, as rarely as an outage needs it: whoever catches it only tries again.
 */
public final class WorkerSession {

    private static final Logger LOG = System.getLogger(WorkerSession.class.getName());

    private static final int NOT_FOUND = 404;

    private final ApiClient api;
    private final Outage outage;
    private volatile Identity identity;

    /** The id under which a worker is known, and the client that shows it. */
    private record Identity(WorkerRegistration registration, ApiClient api) {}

    public WorkerSession(ApiClient client, WorkerRegistration registration, Clock clock) {
        this.api = client.with(Protocol.HEADER, Integer.toString(Protocol.VERSION));
        this.identity = new Identity(registration, api);
        this.outage = new Outage(clock, line -> LOG.log(Level.WARNING, line));
    }

    /** Says that this worker is there. */
    public synchronized void register() throws IOException, ApiRefusedException, InterruptedException {
        WorkerRegistration registration = identity.registration();
        try {
            String token = watched(() -> api.post("/api/v1/workers", registration, WorkerRegistration.Registered.class))
                    .workerToken();
            identity = new Identity(registration, api.with(WorkerRegistration.TOKEN_HEADER, token));
        } catch (IOException away) {
            // Perhaps it was registered and the answer was lost: the id is then of no use to anybody.
            identity = new Identity(registration.as(UUID.randomUUID()), api);
            throw away;
        }
    }

    /** Waits in the service until there is work, or for as long as a request may wait. */
    LeaseGrant lease(String device, int max) throws IOException, ApiRefusedException, InterruptedException {
        return known(worker -> worker.api()
                .post(
                        "/api/v1/leases",
                        new LeaseRequest(worker.registration().workerId(), device, max, LeaseRequest.MAX_WAIT_MS),
                        LeaseGrant.class));
    }

    /** @param raced those of the leases whose race is over */
    Heartbeat.Reply heartbeat(List<UUID> leases, List<UUID> raced)
            throws IOException, ApiRefusedException, InterruptedException {
        return known(worker -> worker.api()
                .post(
                        "/api/v1/heartbeats",
                        new Heartbeat(worker.registration().workerId(), leases, raced),
                        Heartbeat.Reply.class));
    }

    /** Answers which reports were refused. */
    List<ReportBatch.RefusedReport> report(ReportBatch batch)
            throws IOException, ApiRefusedException, InterruptedException {
        return watched(() -> identity.api().post("/api/v1/reports", batch, ReportBatch.Receipt.class))
                .refused();
    }

    /** The stored check of a text by this build of the emulator, if there is one. */
    Optional<Checked> check(String ptxHash, String emulator)
            throws IOException, ApiRefusedException, InterruptedException {
        try {
            KernelCheck.Known known = watched(
                    () -> api.get("/api/v1/checks/" + ptxHash + "?emulator=" + emulator, KernelCheck.Known.class));
            return known.checks().stream().map(KernelCheck::checked).findFirst();
        } catch (ApiRefusedException refused) {
            if (refused.status() != NOT_FOUND) {
                throw refused;
            }
            return Optional.empty();
        }
    }

    /** The zip of a version of a bundle. */
    public byte[] bundle(String version) throws IOException, ApiRefusedException, InterruptedException {
        return watched(() -> api.bytes("/api/v1/bundles/" + version + "/zip"));
    }

    private interface Call<T> {
        T make() throws IOException, ApiRefusedException, InterruptedException;
    }

    private interface OwnCall<T> {
        T make(Identity worker) throws IOException, ApiRefusedException, InterruptedException;
    }

    private <T> T known(OwnCall<T> call) throws IOException, ApiRefusedException, InterruptedException {
        Identity worker = identity;
        try {
            return watched(() -> call.make(worker));
        } catch (ApiRefusedException refused) {
            if (refused.status() != NOT_FOUND) {
                throw refused;
            }
            Identity anew = renewed(worker);
            return watched(() -> call.make(anew));
        }
    }

    /** Registers again, unless another thread has done so since the worker was known as this. */
    private synchronized Identity renewed(Identity forgotten)
            throws IOException, ApiRefusedException, InterruptedException {
        if (identity == forgotten) {
            register();
        }
        return identity;
    }

    private <T> T watched(Call<T> call) throws IOException, ApiRefusedException, InterruptedException {
        try {
            T answer = call.make();
            outage.over();
            return answer;
        } catch (IOException away) {
            outage.lasts(String.valueOf(away.getMessage()));
            throw away;
        }
    }
}
