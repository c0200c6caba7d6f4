package dev.tilewright.worker.board;

import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.trial.Measurement;
import dev.tilewright.model.trial.Testbed;
import dev.tilewright.model.trial.TestbedKind;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.simulator.sweep.Sweep;
import dev.tilewright.simulator.sweep.SweepFile;
import dev.tilewright.simulator.sweep.SweepRow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Adds the studies of a result to the stored sweeps, a file for each shape. Configs that a file has a time of keep it;
 * so a sweep grows by one study after the other, and giving one twice changes nothing.
 *
 * @param folder of the files
 * @param commit of the source that ran; empty if it is not known
 */
public record SweepExport(Path folder, String commit) {

    /** What one file has after a study was added. */
    public record Added(Path file, int configs, int timed) {

        @Override
        public String toString() {
            return file + ": " + configs + " configs, " + timed + " with a time";
        }
    }

    /**
     * Adds every study that ran on a real GPU; others are left out, for their times are no measurements.
     *
     * @throws IllegalArgumentException if a file is there that is no sweep of the shape
     */
    public List<Added> add(ResultDocument result) throws IOException {
        Files.createDirectories(folder);
        List<Added> added = new ArrayList<>();
        for (ResultDocument.Study study : result.studies()) {
            Optional<Sweep> sweep = sweep(study, result.job());
            if (sweep.isPresent()) {
                added.add(add(sweep.get()));
            }
        }
        return added;
    }

    private Added add(Sweep sweep) throws IOException {
        Path file = folder.resolve(SweepFile.name(sweep.shape(), sweep.dtype()));
        Sweep all = Files.exists(file) ? SweepFile.read(file).with(sweep) : sweep;
        SweepFile.write(all, file);
        return new Added(file, all.rows().size(), all.timed().size());
    }

    private Optional<Sweep> sweep(ResultDocument.Study study, ResultDocument.Job job) {
        Testbed testbed = study.testbed();
        String family = study.family();
        if (testbed == null || family == null || testbed.kind() != TestbedKind.CUDA) {
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
        ResultDocument.Problem problem = study.problem();
        return Optional.of(new Sweep(
                family,
                new ProblemShape(problem.m(), problem.n(), problem.k()),
                problem.dtype(),
                List.of(piece(testbed, job)),
                rows));
    }

    /** Whether a further try would end the same way. */
    private static boolean isOfTheConfig(TrialOutcome outcome) {
        return switch (outcome) {
            case COMPLETED, PRUNED, BUILD, COMPILE, SPILL, LAUNCH, TIMEOUT, CRASH, MISMATCH, HAZARD -> true;
            case UNASSEMBLED, NOISE, QUARANTINED, CANCELLED, INFRASTRUCTURE -> false;
        };
    }

    private static SweepRow.Time time(Measurement screen) {
        return new SweepRow.Time(
                screen.medianNs(), screen.ciLowNs(), screen.ciHighNs(), screen.smClockMhz(), null);
    }

    private String piece(Testbed testbed, ResultDocument.Job job) {
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
