package dev.tilewright.worker.agent.check;

import dev.tilewright.model.trial.Checked;
import dev.tilewright.model.trial.TrialOutcome;
import org.jspecify.annotations.Nullable;

/** Whether a kernel may run. */
public sealed interface Ruling {

    /** It was proved. */
    record Passed(Checked checked) implements Ruling {}

    /**
     * It may not.
     *
     * @param outcome of its trial
     * @param checked {@code null} if there is no verdict, such as after a time limit
     */
    record Stopped(TrialOutcome outcome, @Nullable Checked checked, String log) implements Ruling {}

    /** Whether a kernel may run, by the verdict of its check. */
    static Ruling of(Checked checked) {
        return switch (checked.verdict()) {
            case PROVED -> new Passed(checked);
            case REFUTED, SHALLOW, UNSUPPORTED ->
                new Stopped(
                        checked.outcome(),
                        checked,
                        "not run, the check says" + (checked.cached() ? " from an earlier run" : "") + ": "
                                + checked.verdict() + "\n" + checked.finding());
        };
    }
}
