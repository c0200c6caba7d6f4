package dev.tilewright.worker.cli.board;

import dev.tilewright.model.exchange.JobDocument.JobLine;
import dev.tilewright.model.exchange.ResultDocument;
import dev.tilewright.model.exchange.ResultDocument.StudyResult;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.trial.Measurement;
import dev.tilewright.model.trial.Testbed;
import dev.tilewright.model.trial.TestbedKind;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.simulator.sweep.StoredSweep;
import dev.tilewright.simulator.sweep.SweepRow;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The studies of a result as stored sweeps.
 *
 * @param commit of the source that ran; empty if it is not known
 */
public record SweepExport(String commit) {

    /** A sweep for every study that ran on a real GPU; times of others are no measurements. */
    public List<StoredSweep> sweeps(ResultDocument result) {
        return result.studies().stream()
                .flatMap(study -> sweep(study, result.job()).stream())
                .toList();
    }

    private Optional<StoredSweep> sweep(StudyResult study, JobLine job) {
        Testbed testbed = study.document().testbed();
        String family = study.document().family();
        Problem problem = study.document().problem().problem();
        // A sweep is of one GEMM, of one type and the default layouts, on a GPU that nobody shares.
        if (testbed == null || family == null || testbed.kind() != TestbedKind.CUDA || !problem.isPlain()) {
            return Optional.empty();
        }
        List<SweepRow> rows = study.trials().stream()
                .filter(trial -> trial.outcome() != null && isOfTheConfig(trial.outcome()))
                .map(trial -> new SweepRow(
                        trial.config(),
                        1,
                        trial.outcome(),
                        trial.screened().map(SweepExport::time).orElse(null),
                        trial.registers()))
                .toList();
        return Optional.of(
                new StoredSweep(family, problem.shape(), problem.types().a(), List.of(piece(testbed, job)), rows));
    }

    /** Whether a further try would end the same way. */
    private static boolean isOfTheConfig(TrialOutcome outcome) {
        return switch (outcome) {
            case COMPLETED, PRUNED, BUILD, COMPILE, SPILL, LAUNCH, TIMEOUT, CRASH, MISMATCH, HAZARD -> true;
            case UNASSEMBLED, NOISE, IMPLAUSIBLE, QUARANTINED, CANCELLED, INFRASTRUCTURE -> false;
        };
    }

    private static SweepRow.Time time(Measurement screen) {
        return new SweepRow.Time(
                screen.medianNs(), screen.ciLowNs(), screen.ciHighNs(), screen.smClockMhz(), ratio(screen));
    }

    private static @Nullable Double ratio(Measurement screen) {
        return screen.ratioToAnchor() == null ? null : screen.ratioToAnchor().value();
    }

    private String piece(Testbed testbed, JobLine job) {
        return String.format(
                Locale.ROOT,
                "%s, driver %s, %s, %d SMs, clocks %s, commit %s, job %s of %s",
                testbed.device(),
                testbed.driver(),
                testbed.assembler(),
                testbed.smCount(),
                testbed.clockPolicy(),
                commit.isEmpty() ? "unknown" : commit,
                job.id(),
                job.finishedAt());
    }
}
