package dev.tilewright.model.trial;

import dev.tilewright.model.problem.ProblemShape;
import org.jspecify.annotations.Nullable;

/**
 * The result of the emulator for the text of a kernel, and the runs behind it.
 *
 * @param verdict what the emulator says of the text
 * @param outcome {@code completed} if proved; {@code hazard} or {@code mismatch} if refuted; {@code pruned} if shallow;
 *     {@code unassembled} if unsupported
 * @param shape that was asked for
 * @param runShape that was run in its place, with the same tails: itself, or the smallest that exercises the kernel
 *     enough; {@code null} if nothing was
 * @param sms of the emulated GPU
 * @param seed of the first run
 * @param seeds number of runs, each with another order of events
 * @param steps instructions executed by all warps of all runs
 * @param errorRatio largest error over its bound; {@code null} if no result was compared
 * @param emulator id of the build of the emulator
 * @param cached whether it was known before, so that nothing was run for this trial
 * @param finding what was found, for people
 */
public record Checked(
        Verdict verdict,
        TrialOutcome outcome,
        ProblemShape shape,
        @Nullable ProblemShape runShape,
        int sms,
        long seed,
        int seeds,
        long steps,
        @Nullable Double errorRatio,
        String emulator,
        boolean cached,
        String finding) {

    /** The same, for another shape that was asked for: the text is one for all. */
    public Checked asked(ProblemShape other) {
        return new Checked(
                verdict, outcome, other, runShape, sms, seed, seeds, steps, errorRatio, emulator, cached, finding);
    }

    /** The same, known from before. */
    public Checked fromCache() {
        return new Checked(
                verdict, outcome, shape, runShape, sms, seed, seeds, steps, errorRatio, emulator, true, finding);
    }
}
