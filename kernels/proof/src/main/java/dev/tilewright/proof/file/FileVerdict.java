package dev.tilewright.proof.file;

import dev.tilewright.emulator.hazard.Finding;
import dev.tilewright.proof.compare.Compared;
import dev.tilewright.proof.compare.Mismatch;
import dev.tilewright.proof.emulation.AcceptedFinding;
import dev.tilewright.proof.emulation.Effort;
import dev.tilewright.proof.emulation.Rings;
import java.util.List;

/** The verdict of a check on a kernel. */
public sealed interface FileVerdict {

    /** No hazard but what is accepted, everything as expected, every ring gone through often enough. */
    record Proved(Effort effort, Rings rings, Compared compared, List<AcceptedFinding> accepted)
            implements FileVerdict {
        public Proved {
            accepted = List.copyOf(accepted);
        }
    }

    /**
     * As {@link Proved}, but the runs are no proof.
     *
     * @param lacking why: rings were not gone through often enough, or nothing was stored
     */
    record Shallow(Effort effort, Rings rings, Compared compared, List<String> lacking, List<AcceptedFinding> accepted)
            implements FileVerdict {
        public Shallow {
            lacking = List.copyOf(lacking);
            accepted = List.copyOf(accepted);
        }
    }

    /**
     * A run showed hazards that are not accepted.
     *
     * @param findings those, in the order in which they showed; the last one may have ended the run
     */
    record Hazardous(long seed, List<Finding> findings, Effort effort, List<AcceptedFinding> accepted)
            implements FileVerdict {
        public Hazardous {
            findings = List.copyOf(findings);
            accepted = List.copyOf(accepted);
        }
    }

    /** A run ended, and a buffer does not hold what it should. */
    record Wrong(long seed, Mismatch mismatch, Effort effort, List<AcceptedFinding> accepted) implements FileVerdict {
        public Wrong {
            accepted = List.copyOf(accepted);
        }
    }

    /** The kernel uses what is not emulated. */
    record Unsupported(List<String> diagnostics) implements FileVerdict {
        public Unsupported {
            diagnostics = List.copyOf(diagnostics);
        }
    }

    /** The findings that broke a rule and were accepted. */
    default List<AcceptedFinding> accepted() {
        return List.of();
    }

    /** One word. */
    default String word() {
        return switch (this) {
            case Proved _ -> "proved";
            case Shallow _ -> "shallow";
            case Hazardous _ -> "hazard";
            case Wrong _ -> "mismatch";
            case Unsupported _ -> "unsupported";
        };
    }
}
