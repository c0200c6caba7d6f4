package dev.tilewright.proof.file;

import dev.tilewright.launch.Extents;
import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.proof.emulation.ProofPlan;
import dev.tilewright.ptx.Entry;

/**
 * The kernel and the plan of a check.
 *
 * @param sha256 of the PTX text
 * @param plan machine and seeds
 */
public record FileSubject(
        String ptx, String description, String sha256, Entry entry, LaunchDescription launch, ProofPlan plan) {

    /** The cluster of the launch. */
    public Extents cluster() {
        return EntryRules.cluster(entry, launch);
    }
}
