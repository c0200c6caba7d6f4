package dev.tilewright.gate.document;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A run of a gate in a list: what the whole {@link GateRun} says in short.
 *
 * @param cases how many it has, without sentinels
 * @param measured how many of them were measured so far
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record GateRunLine(
        UUID id,
        String gate,
        GateRun.State state,
        @Nullable String commit,
        @Nullable String branch,
        String device,
        @Nullable GateVerdict verdict,
        @Nullable String reason,
        int cases,
        int measured,
        @Nullable String submittedBy,
        @Nullable String error,
        Instant createdAt,
        @Nullable Instant finishedAt) {}
