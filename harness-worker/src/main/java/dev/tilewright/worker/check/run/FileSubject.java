package dev.tilewright.worker.check.run;

import dev.tilewright.emulator.Dim3;
import dev.tilewright.ptx.Entry;
import dev.tilewright.worker.check.launch.LaunchDescription;
import dev.tilewright.worker.emulation.ProofPlan;

/**
 * What is checked, and how.
 *
 * @param sha256 of the PTX text
 * @param plan machine and seeds
 */
public record FileSubject(
        String ptx, String description, String sha256, Entry entry, LaunchDescription launch, ProofPlan plan) {

    /** The cluster of the launch. */
    public Dim3 cluster() {
        return EntryRules.cluster(entry, launch);
    }
}
