package dev.tilewright.proof.emulation;

import dev.tilewright.emulator.run.Statistics;

/**
 * The effort of the emulator for a verdict.
 *
 * @param runs launches, those of traced twins included; the last one may have ended at a hazard
 * @param instructions warp instructions executed
 * @param multiplyAdds of the matrix instructions
 * @param copies asynchronous copies that landed
 * @param ctas that ran to their end
 */
public record Effort(int runs, long instructions, long multiplyAdds, long copies, long ctas) {

    public static final Effort NONE = new Effort(0, 0, 0, 0, 0);

    /** With one more run. */
    public Effort plus(Statistics run) {
        return plus(new Effort(1, run.steps(), run.multiplyAdds(), run.copies(), run.ctas()));
    }

    /** Both together. */
    public Effort plus(Effort other) {
        return new Effort(
                runs + other.runs,
                instructions + other.instructions,
                multiplyAdds + other.multiplyAdds,
                copies + other.copies,
                ctas + other.ctas);
    }
}
