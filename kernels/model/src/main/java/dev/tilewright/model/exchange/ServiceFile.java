package dev.tilewright.model.exchange;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The facts that a running service writes into {@code service.json}.
 *
 * @param certificate file of the certificate that it shows; {@code null} if it speaks plain HTTP
 * @param startedBy {@code tune} if a tune started it, so that the last tune ends it
 * @param userToken file of the token that clients of the same home show; {@code null} if the service asks for none, or
 *     its users know theirs
 */
public record ServiceFile(
        String url,
        @Nullable String certificate,
        long pid,
        Instant startedAt,
        @Nullable String startedBy,
        @Nullable String userToken) {

    private static final String TUNE = "tune";

    /** A process knows when it began by another clock than the service. */
    private static final Duration CLOCKS_AGREE = Duration.ofSeconds(10);

    /** The process of the service, if it runs; not one that has got the number of a service that was killed. */
    public Optional<ProcessHandle> process() {
        return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).filter(this::beganBefore);
    }

    /** A service writes its file when it is up. */
    private boolean beganBefore(ProcessHandle process) {
        Optional<Instant> began = process.info().startInstant();
        return began.isEmpty() || began.get().isBefore(startedAt.plus(CLOCKS_AGREE));
    }

    @JsonIgnore
    public boolean isStartedByTune() {
        return TUNE.equals(startedBy);
    }
}
