package dev.tilewright.worker.cli;

import dev.tilewright.model.exchange.DeviceSelector;
import dev.tilewright.model.exchange.JobDocument;
import dev.tilewright.model.exchange.JobRequest;
import dev.tilewright.model.exchange.ResultDocument;
import dev.tilewright.worker.cli.board.JobProgress;
import dev.tilewright.worker.cli.board.ListedShape;
import dev.tilewright.worker.link.client.ApiRefusedException;
import dev.tilewright.worker.link.home.Home;
import dev.tilewright.worker.link.json.Json;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Submits a job, shows how it goes, and reads its result when it is over.
 *
 * @param waits whether it waits for a worker that offers the device, where none does
 * @param jsonFile where the result document goes, too; {@code null} for nowhere
 */
record SubmittedJob(
        ServiceOptions service,
        Map<String, String> environment,
        PrintStream err,
        boolean waits,
        @Nullable Path jsonFile) {

    /** The result of the job of this id. */
    record Result(UUID id, ResultDocument document) {}

    /** A further job, whose result document the user did not ask for. */
    SubmittedJob withoutFile() {
        return new SubmittedJob(service, environment, err, waits, null);
    }

    /** @param listed what the user calls the problems */
    Result toItsEnd(Connection connection, DeviceSelector selector, JobRequest request, List<ListedShape> listed)
            throws ApiRefusedException, InterruptedException, IOException {
        // With a key, a submission that is repeated because its answer was lost stays one job.
        UUID key = UUID.randomUUID();
        JobDocument job = connection.send(api -> api.post("/api/v1/jobs", request, key, JobDocument.class));
        UUID id = job.job().id();
        connection.onInterrupt(() -> {
            err.println();
            connection.cancel("/api/v1/jobs/" + id, "job " + id, err);
            err.println("its finished trials are kept");
        });
        if (!waits) {
            new DeviceCheck(connection, selector, service.isRemote(), err).require(job);
        }
        Progress progress = new Progress(err, Terminal.of(environment), Clock.systemUTC());
        Waiting waiting = waiting("job", String.valueOf(request.device()));
        NoiseNotice noise = new NoiseNotice(connection, err);
        JobProgress end;
        try (WorkerWatch watch = new WorkerWatch(connection::api, err)) {
            if (!service.isRemote()) {
                watch.begin();
            }
            end = new JobWatch(connection, id, JobProgress.of(job, listed)).toItsEnd(now -> {
                progress.show(now);
                noise.look(now);
                waiting.look(now.isWaiting());
            });
        }
        connection.onInterrupt(() -> {});
        progress.end(end);
        JsonNode document = connection.send(api -> api.get("/api/v1/jobs/" + id + "/result", JsonNode.class));
        if (jsonFile != null) {
            Json.writeAtomically(jsonFile, Json.pretty().writeValueAsBytes(document));
        }
        return new Result(id, Json.mapper().treeToValue(document, ResultDocument.class));
    }

    /** Says when no worker takes something. */
    Waiting waiting(String what, String device) {
        return new Waiting(what, device, service.localLog(environment), err);
    }

    /** The job, and the home or the service that keeps its numbers, for the end of a report. */
    String data(UUID id) {
        return "data: job " + id + " "
                + (service.isRemote()
                        ? "at the service"
                        : "in " + Home.of(environment).root())
                + (jsonFile == null ? "" : ", result in " + jsonFile);
    }
}
