package dev.tilewright.worker.cli;

import dev.tilewright.model.exchange.JobEvent;
import dev.tilewright.worker.cli.board.JobProgress;
import dev.tilewright.worker.link.client.ApiRefusedException;
import dev.tilewright.worker.link.client.EventReader;
import dev.tilewright.worker.link.client.ServerEvent;
import dev.tilewright.worker.link.command.CommandFailedException;
import dev.tilewright.worker.link.json.Json;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/** Listens to the events of a job until its last one; a stream that is lost is resumed behind the last event. */
final class JobWatch {

    /** How often the line of progress is shown anew, whether or not something has happened. */
    private static final Duration TICK = Duration.ofMillis(250);

    /** A stream that has lasted so long is no part of an outage, also if nothing has happened meanwhile. */
    private static final Duration STEADY = Duration.ofSeconds(10);

    private final Connection connection;
    private final String path;
    private final long start = System.nanoTime();
    private JobProgress progress;
    private @Nullable String lastId;

    JobWatch(Connection connection, UUID job, JobProgress progress) {
        this.connection = connection;
        this.path = "/api/v1/jobs/" + job + "/events";
        this.progress = progress;
    }

    /** Is shown how far a job is. */
    interface Shown {
        void show(JobProgress now) throws InterruptedException;
    }

    /**
     * Waits for the end of the job.
     *
     * @param show is given how far it is, after each event and now and then between them
     * @throws CommandFailedException if the service stays away
     */
    JobProgress toItsEnd(Shown show) throws ApiRefusedException, InterruptedException {
        Connection.Outage outage = connection.new Outage();
        while (!progress.isOver()) {
            try (EventReader events = connection.api().listen(path, lastId)) {
                long opened = System.nanoTime();
                while (!progress.isOver()) {
                    Optional<ServerEvent> event = events.next(TICK);
                    if (event.isPresent()) {
                        take(event.get());
                    }
                    if (event.isPresent() || System.nanoTime() - opened > STEADY.toNanos()) {
                        outage.over();
                    }
                    show.show(progress);
                }
            } catch (IOException lost) {
                outage.bridge(lost);
            }
        }
        return progress;
    }

    private void take(ServerEvent event) throws IOException {
        try {
            Optional<Class<? extends JobEvent>> known = JobEvent.named(event.type());
            if (known.isPresent()) {
                JobEvent said = Json.mapper().readValue(event.data(), known.get());
                progress = progress.after(said, Duration.ofNanos(System.nanoTime() - start));
            }
        } catch (JacksonException malformed) {
            throw new IOException("an event is not as expected: " + malformed.getOriginalMessage(), malformed);
        }
        lastId = event.id();
    }
}
