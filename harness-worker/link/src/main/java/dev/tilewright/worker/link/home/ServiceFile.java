package dev.tilewright.worker.link.home;

import dev.tilewright.worker.link.client.Trust;
import dev.tilewright.worker.link.json.Json;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/**
 * What a running service says of itself in {@code service.json}.
 *
 * @param certificate file of the certificate that it shows, if it speaks TLS
 * @param startedBy {@code tune} if a tune started it, so that the last tune ends it
 */
public record ServiceFile(
        URI url,
        @Nullable Path certificate,
        long pid,
        @Nullable Instant startedAt,
        @Nullable String startedBy) {

    private static final String TUNE = "tune";

    private static final Duration POLL = Duration.ofMillis(20);

    /** A process knows when it began by another clock than the service. */
    private static final Duration CLOCKS_AGREE = Duration.ofSeconds(10);

    /** The file, if there is a whole one; a service that was killed leaves its file behind. */
    public static Optional<ServiceFile> read(Path file) throws IOException {
        try {
            ServiceFile content = Json.mapper().readValue(Files.readAllBytes(file), ServiceFile.class);
            return content == null || content.url() == null ? Optional.empty() : Optional.of(content);
        } catch (NoSuchFileException | JacksonException none) {
            return Optional.empty();
        }
    }

    /** The file, once a service that runs has written it; waits for ever. */
    public static ServiceFile await(Path file) throws IOException, InterruptedException {
        while (true) {
            Optional<ServiceFile> content =
                    read(file).filter(said -> said.process().isPresent());
            if (content.isPresent()) {
                return content.get();
            }
            Thread.sleep(POLL);
        }
    }

    /** What is believed of a service of this machine: its own certificate, for it is asked for by an address. */
    public Trust trust() {
        return certificate == null ? Trust.ofJava() : Trust.inExactly(certificate);
    }

    /** The process of the service, if it runs; not one that has got the number of a service that was killed. */
    public Optional<ProcessHandle> process() {
        return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).filter(this::beganBefore);
    }

    /** A service writes its file when it is up. */
    private boolean beganBefore(ProcessHandle process) {
        Optional<Instant> began = process.info().startInstant();
        return startedAt == null || began.isEmpty() || began.get().isBefore(startedAt.plus(CLOCKS_AGREE));
    }

    public boolean isStartedByTune() {
        return TUNE.equals(startedBy);
    }
}
