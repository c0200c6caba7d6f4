package dev.tilewright.worker.cli;

import dev.tilewright.proof.file.CheckProgress;
import java.util.Locale;

/** Says how the check of a kernel file goes on. */
public record CheckLines(RedrawnLine line) implements CheckProgress {

    private static final double MILLION = 1e6;

    @Override
    public void at(int run, int runs, long seed, long steps) {
        // How long a run is nobody knows before its end: only those that are over count.
        line.show(
                (run - 1) / (double) runs,
                String.format(
                        Locale.ROOT,
                        "run %d of %d, seed %d: %.1f million warp instructions",
                        run,
                        runs,
                        seed,
                        steps / MILLION));
    }

    /** Takes the line off the terminal, before something else is written. */
    public void clear() {
        line.clear();
    }
}
