package dev.tilewright.worker.cli.gate.file;

import java.util.UUID;
import java.util.regex.Pattern;

/** The baseline of a case in the gate file. */
public sealed interface BaselineEntry {

    /** Names that git reads as a reference and never as an option. */
    Pattern REFERENCE = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_./-]{0,199}");

    /** The same kernel of another commit. */
    sealed interface OfCommit extends BaselineEntry {}

    /** Of the commit in which this branch was left; on the branch itself, of the one before. */
    record Branch(String name) implements OfCommit {
        public Branch {
            requireReference(name);
        }
    }

    record Tag(String name) implements OfCommit {
        public Tag {
            requireReference(name);
        }
    }

    record Commit(String hash) implements OfCommit {}

    /** The candidate of the same case in a stored run. */
    record Run(UUID id) implements BaselineEntry {}

    /** The same of the last run on this branch that passed. */
    record LastPass(String branch) implements BaselineEntry {
        public LastPass {
            requireReference(branch);
        }
    }

    /** Another kernel of the file. */
    record OtherKernel(KernelEntry kernel) implements BaselineEntry {}

    private static void requireReference(String text) {
        if (!REFERENCE.matcher(text).matches()) {
            throw new IllegalArgumentException(
                    "a branch or a tag is 1 to 200 letters, digits and _./- and begins with a letter, a digit or _, got '"
                            + text + "'");
        }
    }
}
