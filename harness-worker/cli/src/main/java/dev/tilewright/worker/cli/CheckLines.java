package dev.tilewright.worker.cli;

import dev.tilewright.proof.file.CheckProgress;
import java.util.Locale;

/** Says how the check of a kernel file goes on. */
public record CheckLines(RedrawnLine line) implements CheckProgress {

    private static final double MILLION = 1e6;

    @Override
    public void at(int run, int runs, long seed, long steps) {
        show(0, 1, "", run, runs, seed, steps);
    }

    /**
     * Progress of a check that is one of several.
     *
     * @param before share of all that is done before it begins, from 0 to 1
     * @param part share of all that it is
     * @param where which one it is, for people
     */
    public CheckProgress within(double before, double part, String where) {
        return (run, runs, seed, steps) -> show(before, part, where + ", ", run, runs, seed, steps);
    }

    private void show(double before, double part, String where, int run, int runs, long seed, long steps) {
        // How long a run is nobody knows before its end: only those that are over count.
        line.show(
                before + part * (run - 1) / runs,
                String.format(
                        Locale.ROOT,
                        "%srun %d of %d, seed %d: %.1f million warp instructions",
                        where,
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
