package dev.tilewright.proof;

import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import dev.tilewright.proof.emulation.ProofPlan;

/**
 * The subject of a proof.
 *
 * @param family kernel family
 * @param asked the problem in question
 * @param run the problem that was run instead: {@code asked} itself, or the smallest one with the same tails that goes
 *     as deep
 * @param ptxHash SHA-256 of the text that was run, which is the one that a GPU would get
 */
public record Subject(String family, Problem asked, Problem run, Config config, ProofPlan plan, String ptxHash) {

    /** Whether another problem was run than the one that was asked. */
    public boolean isMapped() {
        return !run.equals(asked);
    }

    /** Extents of the problem in question, those of all groups. */
    String askedShapes() {
        return asked.shapes();
    }

    /** Extents of the problem that was run. */
    String runShapes() {
        return run.shapes();
    }
}
