package dev.tilewright.worker.cli.gate.file;

import java.util.UUID;

/** What a candidate is compared with. */
public sealed interface BaselineEntry {

    /** The same kernel of another commit. */
    sealed interface OfCommit extends BaselineEntry {}

    /** Of the commit in which this branch was left; on the branch itself, of the one before. */
    record Branch(String name) implements OfCommit {}

    record Tag(String name) implements OfCommit {}

    record Commit(String hash) implements OfCommit {}

    /** The candidate of the same case in a stored run. */
    record Run(UUID id) implements BaselineEntry {}

    /** The same of the last run on this branch that passed. */
    record LastPass(String branch) implements BaselineEntry {}

    /** Another kernel of the file. */
    record OtherKernel(KernelEntry kernel) implements BaselineEntry {}
}
