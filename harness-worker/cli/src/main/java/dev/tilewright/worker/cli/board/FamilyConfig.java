package dev.tilewright.worker.cli.board;

import dev.tilewright.model.exchange.ResultDocument.StudyResult;
import dev.tilewright.model.exchange.TrialDocument;
import dev.tilewright.model.space.Config;
import org.jspecify.annotations.Nullable;

/**
 * A config, which only its family can read.
 *
 * @param family {@code null} if the document does not say it
 */
public record FamilyConfig(@Nullable String family, Config config) {

    /** The config of a trial, with the family of its study. */
    static FamilyConfig of(StudyResult study, TrialDocument trial) {
        return new FamilyConfig(study.document().family(), trial.config());
    }
}
