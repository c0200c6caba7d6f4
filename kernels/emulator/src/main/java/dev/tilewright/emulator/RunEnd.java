package dev.tilewright.emulator;

import dev.tilewright.emulator.hazard.Finding;
import dev.tilewright.emulator.run.Statistics;
import java.util.List;
import java.util.Map;

/** How a run ended. */
public sealed interface RunEnd {
    Statistics statistics();

    /** Each buffer's bytes by its name, as the run left them. */
    Map<String, byte[]> memory();

    /**
     * All CTAs ran to their end, and nothing was found but what is accepted or warns.
     *
     * @param memory each buffer's bytes by its name
     * @param accepted findings, and warnings, each rule and instruction once
     */
    record Completed(Statistics statistics, Map<String, byte[]> memory, List<Finding> accepted) implements RunEnd {
        public Completed {
            memory = Map.copyOf(memory);
            accepted = List.copyOf(accepted);
        }

        /** The bytes of a buffer. */
        public byte[] buffer(String name) {
            byte[] bytes = memory.get(name);
            if (bytes == null) {
                throw new IllegalArgumentException("no buffer named " + name + ", there are " + memory.keySet());
            }
            return bytes;
        }
    }

    /**
     * The kernel is wrong.
     *
     * @param memory each buffer's bytes by its name, as the run left them
     * @param findings in the order in which they showed, each rule and instruction once; the last one may have ended
     *     the run
     */
    record Faulted(Statistics statistics, Map<String, byte[]> memory, List<Finding> findings) implements RunEnd {
        public Faulted {
            memory = Map.copyOf(memory);
            findings = List.copyOf(findings);
        }

        /** The first. */
        public Finding finding() {
            return findings.getFirst();
        }
    }
}
