package dev.tilewright.worker.cli.gate.file;

import dev.tilewright.gate.document.Margins;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A program of the file, beside itself at another commit.
 *
 * @param run its words; it runs in the folder of {@code tilewright.yaml}
 * @param pack folder that {@code tilewright apply} wrote, from there; empty where the program has none, or its own
 * @param step {@code MODULE:FUNCTION} that is a step; empty for what {@code gate program} takes
 * @param warmUp steps at first that do not count
 * @param time of all steps behind them
 * @param weight of its effect in the mean
 * @param line of its name
 */
public record ProgramEntry(
        String name,
        List<String> run,
        Optional<String> pack,
        String step,
        int warmUp,
        Duration time,
        BaselineEntry.OfCommit baseline,
        Margins margins,
        double weight,
        int line) {

    public ProgramEntry {
        run = List.copyOf(run);
    }
}
