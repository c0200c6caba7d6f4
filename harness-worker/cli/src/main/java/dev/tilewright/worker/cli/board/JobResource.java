package dev.tilewright.worker.cli.board;

import dev.tilewright.model.exchange.ProblemDocument;
import java.util.List;
import java.util.UUID;

/** A job when it was submitted, as {@code POST /api/v1/jobs} answers; only what is used. */
public record JobResource(UUID id, List<Study> studies) {

    /** One study of it. */
    public record Study(UUID id, ProblemDocument problem) {}
}
