package dev.tilewright.worker.cli.board;

import dev.tilewright.model.space.Config;
import org.jspecify.annotations.Nullable;

/**
 * A config, which only its family can read.
 *
 * @param family {@code null} if the document does not say it
 */
public record FamilyConfig(@Nullable String family, Config config) {}
