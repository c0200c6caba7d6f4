package dev.tilewright.worker.cli;

import dev.tilewright.model.exchange.JobEvent.TrialFinished;
import dev.tilewright.model.exchange.TrialDocument;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.worker.cli.board.JobProgress;
import dev.tilewright.worker.link.client.ApiRefusedException;
import dev.tilewright.worker.link.text.PlainText;
import java.io.IOException;
import java.io.PrintStream;
import java.util.Objects;

/** Says at once, and once, that kernels cannot be timed, and why: somebody else computes on the GPU. */
final class NoiseNotice {

    private final Connection connection;
    private final PrintStream notices;
    private boolean said;

    NoiseNotice(Connection connection, PrintStream notices) {
        this.connection = connection;
        this.notices = notices;
    }

    /** Looks at the last trials that ended. */
    void look(JobProgress job) throws InterruptedException {
        if (said) {
            return;
        }
        for (JobProgress.Study study : job.studies()) {
            TrialFinished last = study.last();
            if (last != null && last.outcome() == TrialOutcome.NOISE) {
                said = true;
                notices.println();
                notices.println("noise: a kernel could not be timed: " + why(last));
                return;
            }
        }
    }

    /** The end of the job says it again: where it cannot be read now, this says less. */
    private String why(TrialFinished trial) throws InterruptedException {
        String page = "trial " + trial.trialId();
        try {
            TrialDocument document = connection.api().get("/api/v1/trials/" + trial.trialId(), TrialDocument.class);
            return Objects.requireNonNullElse(document.log(), page)
                    .lines()
                    .findFirst()
                    .map(line -> PlainText.line(line.replaceFirst("^discarded: ", "")))
                    .orElse(page);
        } catch (IOException | ApiRefusedException away) {
            return page;
        }
    }
}
