package dev.tilewright.worker.check.run;

import dev.tilewright.emulator.Statistics;

/**
 * What the runs of a check did.
 *
 * @param runs that ended, the last one possibly at a hazard
 * @param instructions of warps
 * @param multiplyAdds of matrix instructions
 * @param copies that landed
 * @param ctas that ran to their end
 */
public record Effort(int runs, long instructions, long multiplyAdds, long copies, long ctas) {
    static final Effort NONE = new Effort(0, 0, 0, 0, 0);

    Effort plus(Statistics run) {
        return new Effort(
                runs + 1,
                instructions + run.steps(),
                multiplyAdds + run.multiplyAdds(),
                copies + run.copies(),
                ctas + run.ctas());
    }
}
