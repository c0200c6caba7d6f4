package dev.tilewright.worker.lease;

import dev.tilewright.model.exchange.Heartbeat;
import dev.tilewright.model.exchange.KernelCheck;
import dev.tilewright.model.exchange.LeaseGrant;
import dev.tilewright.model.exchange.LeaseRequest;
import dev.tilewright.model.exchange.ReportBatch;
import dev.tilewright.model.exchange.WorkerRegistration;
import dev.tilewright.model.trial.Checked;
import dev.tilewright.worker.client.ApiClient;
import dev.tilewright.worker.client.ApiRefusedException;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * What a worker says to the API. Registers again when the API no longer knows it. An {@link IOException} was logged
 * already, as rarely as an outage needs it: whoever catches it only tries again.
 */
public final class WorkerSession {

    private static final Logger LOG = System.getLogger(WorkerSession.class.getName());

    private static final int NOT_FOUND = 404;

    private final ApiClient api;
    private final WorkerRegistration registration;
    private final Outage outage;

    public WorkerSession(ApiClient api, WorkerRegistration registration, Clock clock) {
        this.api = api;
        this.registration = registration;
        this.outage = new Outage(clock, line -> LOG.log(Level.WARNING, line));
    }

    /** Says that this worker is there. */
    public void register() throws IOException, ApiRefusedException, InterruptedException {
        watched(() -> {
            api.post("/api/v1/workers", registration);
            return registration;
        });
    }

    LeaseGrant lease(String device, int max) throws IOException, ApiRefusedException, InterruptedException {
        LeaseRequest request = new LeaseRequest(registration.workerId(), device, max);
        return known(() -> api.post("/api/v1/leases", request, LeaseGrant.class));
    }

    Heartbeat.Reply heartbeat(List<UUID> leases) throws IOException, ApiRefusedException, InterruptedException {
        Heartbeat heartbeat = new Heartbeat(registration.workerId(), leases);
        return known(() -> api.post("/api/v1/heartbeats", heartbeat, Heartbeat.Reply.class));
    }

    /** Answers which reports were refused. */
    List<ReportBatch.RefusedReport> report(ReportBatch batch)
            throws IOException, ApiRefusedException, InterruptedException {
        return watched(() -> api.post("/api/v1/reports", batch, ReportBatch.Receipt.class))
                .refused();
    }

    /** What is known of a text to this build of the emulator. */
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

    KernelCheck keep(String ptxHash, Checked checked) throws IOException, ApiRefusedException, InterruptedException {
        KernelCheck.New found = new KernelCheck.New(registration.workerId(), checked);
        return known(() -> api.put("/api/v1/checks/" + ptxHash, found, KernelCheck.class));
    }

    private interface Call<T> {
        T make() throws IOException, ApiRefusedException, InterruptedException;
    }

    private <T> T known(Call<T> call) throws IOException, ApiRefusedException, InterruptedException {
        try {
            return watched(call);
        } catch (ApiRefusedException refused) {
            if (refused.status() != NOT_FOUND) {
                throw refused;
            }
            register();
            return watched(call);
        }
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
