package dev.tilewright.worker.link.home;

import dev.tilewright.model.exchange.ServiceFile;
import dev.tilewright.worker.link.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import tools.jackson.core.JacksonException;

/** Reads where a service of this machine listens. */
public record ServiceFileReader(Path file) {

    private static final Duration POLL = Duration.ofMillis(20);

    /** Reads the file if it is complete; a service that was killed leaves its file behind. */
    public Optional<ServiceFile> read() throws IOException {
        try {
            return Optional.ofNullable(Json.mapper().readValue(Files.readAllBytes(file), ServiceFile.class))
                    .filter(content -> content.url() != null && content.startedAt() != null);
        } catch (NoSuchFileException | JacksonException none) {
            return Optional.empty();
        }
    }

    /** The process of the service, if it runs. */
    public Optional<ProcessHandle> process() throws IOException {
        return read().flatMap(ServiceFile::process);
    }

    /** Waits without limit until a running service has written the file, and reads it. */
    public ServiceFile await() throws IOException, InterruptedException {
        while (true) {
            Optional<ServiceFile> content = read().filter(said -> said.process().isPresent());
            if (content.isPresent()) {
                return content.get();
            }
            Thread.sleep(POLL);
        }
    }
}
