package dev.tilewright.proof;

import dev.tilewright.proof.emulation.Effort;
import java.util.List;

/** How many proofs ended how, and what they cost together. */
public record ProofTally(int proved, int refuted, int shallow, int unsupported, Effort effort) {

    public static ProofTally of(List<Proof> proofs) {
        int proved = 0;
        int refuted = 0;
        int shallow = 0;
        int unsupported = 0;
        Effort effort = Effort.NONE;
        for (Proof proof : proofs) {
            switch (proof) {
                case Proof.Proved _ -> proved++;
                case Proof.Refuted _ -> refuted++;
                case Proof.Shallow _ -> shallow++;
                case Proof.Unsupported _ -> unsupported++;
            }
            effort = effort.plus(proof.effort());
        }
        return new ProofTally(proved, refuted, shallow, unsupported, effort);
    }

    public int all() {
        return proved + refuted + shallow + unsupported;
    }
}
