package dev.tilewright.api.trial;

import dev.tilewright.model.exchange.TrialDocument;
import java.util.UUID;

/** A trial as Postgres has it: its document, and the study that it is of. */
public record TrialRow(UUID studyId, TrialDocument trial) {}
