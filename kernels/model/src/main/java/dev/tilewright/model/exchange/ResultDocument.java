package dev.tilewright.model.exchange;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.tilewright.model.trial.TestbedKind;
import java.util.List;
import java.util.Optional;

/**
 * The result of a job, as {@code docs/result.schema.json} says. The service writes it trial by trial, from these
 * records.
 *
 * @param ranges problems for any number of rows, with their tables, in the order of the request
 */
public record ResultDocument(
        int schemaVersion, JobDocument.JobLine job, List<RangeDocument> ranges, List<StudyResult> studies) {

    /** Within one version properties are added, never removed or given another meaning. */
    public static final int SCHEMA_VERSION = 1;

    public ResultDocument {
        // Documents of before there were any have none.
        ranges = ranges == null ? List.of() : List.copyOf(ranges);
    }

    /** The studies of problems with one number of rows: those of a range serve its table. */
    public List<StudyResult> single() {
        return studies.stream()
                .filter(study -> study.document().ofRange() == null)
                .toList();
    }

    /** The studies of a range of M, by its index. */
    public List<StudyResult> ofRange(int range) {
        return studies.stream()
                .filter(study -> study.document().ofRange() != null
                        && study.document().ofRange().range() == range)
                .toList();
    }

    /** Whether a GPU was too busy or too noisy to call anything of a study the best. */
    public boolean hasNoise() {
        return studies.stream().anyMatch(study -> study.document().noise() != null);
    }

    /** A study and its trials. */
    public record StudyResult(@JsonUnwrapped StudyDocument document, List<TrialDocument> trials) {

        /** Whether the numbers are predictions of a model. */
        @JsonIgnore
        public boolean isSimulated() {
            return TestbedKind.SIMULATED.isOf(document.testbed());
        }

        /** Whether its trials are proofs on the emulator, without times. */
        @JsonIgnore
        public boolean isEmulated() {
            return TestbedKind.EMULATED.isOf(document.testbed());
        }

        /** The trial that is the best; empty if none may be called so. */
        public Optional<TrialDocument> bestTrial() {
            return Optional.ofNullable(document.best())
                    .flatMap(best -> trials.stream()
                            .filter(trial -> trial.id().equals(best.id()))
                            .findFirst());
        }
    }
}
