package dev.tilewright.worker.cli;

import dev.tilewright.model.exchange.DeviceSelector;
import dev.tilewright.model.exchange.JobDocument;
import dev.tilewright.model.exchange.StudyState;
import dev.tilewright.worker.link.client.ApiRefusedException;
import dev.tilewright.worker.link.command.CommandFailedException;
import java.io.PrintStream;
import java.time.Duration;

/** Ends a job whose device no live worker offers; a worker of this machine that is coming up is waited for. */
final class DeviceCheck {

    private static final Duration PAUSE = Duration.ofMillis(250);

    /** A worker of this machine has so long where the token does not show how it is. */
    private static final Duration GRACE = Duration.ofSeconds(10);

    private final Connection connection;
    private final DeviceSelector device;
    private final boolean remote;
    private final PrintStream notices;
    private final long start = System.nanoTime();

    /** @param remote whether the service has no worker of this machine to be waited for */
    DeviceCheck(Connection connection, DeviceSelector device, boolean remote, PrintStream notices) {
        this.connection = connection;
        this.device = device;
        this.remote = remote;
        this.notices = notices;
    }

    /**
     * Returns once the device of a job is offered, or a worker has taken the job.
     *
     * @throws CommandFailedException after the job was cancelled, if no live worker offers the device
     */
    void require(JobDocument job) throws ApiRefusedException, InterruptedException {
        String path = "/api/v1/jobs/" + job.job().id();
        JobDocument now = job;
        boolean coming = true;
        while (now.job().state() == StudyState.QUEUED && !device.isAmong(now.offered())) {
            if (!coming || remote) {
                connection.onInterrupt(() -> {});
                connection.cancel(path, "job " + job.job().id(), notices);
                throw CommandFailedException.infrastructure("no worker offers " + device + "; "
                        + (now.offered().isEmpty()
                                ? "no worker offers any device"
                                : "offered: " + String.join(", ", now.offered()))
                        + "; start a worker for it, or wait for one with --wait");
            }
            Thread.sleep(PAUSE);
            // Before the job is read: a worker that is up has registered what it offers.
            coming = isComingUp();
            now = connection.send(api -> api.get(path, JobDocument.class));
        }
    }

    private boolean isComingUp() throws ApiRefusedException, InterruptedException {
        WorkerWatch.Health health = connection.send(api -> api.getAnyhow(WorkerWatch.PATH, WorkerWatch.Health.class));
        return health.details() == null
                ? System.nanoTime() - start < GRACE.toNanos()
                : health.details().isComingUp();
    }
}
