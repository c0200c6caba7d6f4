package dev.tilewright.worker.cli;

import dev.tilewright.model.text.Count;
import dev.tilewright.proof.Proof;
import dev.tilewright.proof.TimedProof;

/** Shows proofs as they come, and how many there are while none comes. */
final class ProofsSeen {

    private final int all;
    private final ProofLines lines;
    private final Printer out;
    private final RedrawnLine progress;
    private int proofs;
    private int refuted;

    /**
     * @param all how many there will be
     * @param out their lines
     */
    ProofsSeen(int all, ProofLines lines, Printer out, RedrawnLine progress) {
        this.all = all;
        this.lines = lines;
        this.out = out;
        this.progress = progress;
    }

    /** A config was proved, or was not. */
    void add(TimedProof proof) {
        proofs++;
        refuted += proof.proof() instanceof Proof.Refuted ? 1 : 0;
        progress.clear();
        lines.lines(proof).forEach(out::println);
    }

    /** None has come for a while. */
    void waiting() {
        progress.show(
                (double) proofs / all,
                proofs + " of " + Count.of(all, "proof") + (refuted == 0 ? "" : ", " + refuted + " refuted"));
    }

    /** All have come, or no more will. */
    void end() {
        progress.clear();
    }
}
