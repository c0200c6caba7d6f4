package dev.tilewright.worker.proof;

import dev.tilewright.emulator.Statistics;

/**
 * What the emulator did for a proof.
 *
 * @param runs launches, those of the traced twin included
 * @param instructions warp instructions executed
 * @param multiplyAdds of the matrix instructions
 */
public record Effort(int runs, long instructions, long multiplyAdds) {

    public static final Effort NONE = new Effort(0, 0, 0);

    /** With one more run. */
    Effort plus(Statistics run) {
        return new Effort(runs + 1, instructions + run.steps(), multiplyAdds + run.multiplyAdds());
    }

    /** Both together. */
    public Effort plus(Effort other) {
        return new Effort(runs + other.runs, instructions + other.instructions, multiplyAdds + other.multiplyAdds);
    }
}
