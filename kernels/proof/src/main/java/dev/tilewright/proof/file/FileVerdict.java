package dev.tilewright.proof.file;

import dev.tilewright.emulator.hazard.Finding;
import dev.tilewright.proof.compare.Compared;
import dev.tilewright.proof.compare.Mismatch;
import dev.tilewright.proof.emulation.Effort;
import dev.tilewright.proof.emulation.Rings;
import java.util.List;

/** What a check says about a kernel. */
public sealed interface FileVerdict {

    /** No hazard, everything as expected, every ring gone through often enough. */
    record Proved(Effort effort, Rings rings, Compared compared) implements FileVerdict {}

    /** As {@link Proved}, but rings were not gone through often enough for a proof. */
    record Shallow(Effort effort, Rings rings, Compared compared) implements FileVerdict {}

    /** A run ended in a hazard. */
    record Hazardous(long seed, Finding finding, Effort effort) implements FileVerdict {}

    /** A run ended, and a buffer does not hold what it should. */
    record Wrong(long seed, Mismatch mismatch, Effort effort) implements FileVerdict {}

    /** The kernel uses what is not emulated. */
    record Unsupported(List<String> diagnostics) implements FileVerdict {
        public Unsupported {
            diagnostics = List.copyOf(diagnostics);
        }
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
