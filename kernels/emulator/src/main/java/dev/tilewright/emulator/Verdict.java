package dev.tilewright.emulator;

import dev.tilewright.emulator.hazard.Finding;
import java.util.Map;

/** How a run ended. */
public sealed interface Verdict {
    Statistics statistics();

    /** All CTAs ran to their end; {@code memory} holds each buffer's bytes by its name. */
    record Completed(Statistics statistics, Map<String, byte[]> memory) implements Verdict {
        public Completed {
            memory = Map.copyOf(memory);
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

    /** The kernel is wrong. */
    record Faulted(Statistics statistics, Finding finding) implements Verdict {}
}
