package dev.tilewright.proof.file;

import java.util.Map;

/**
 * What came of a check.
 *
 * @param seed of the last run
 * @param memory each buffer's bytes by its name, as the last run left them; empty if there was none
 */
public record Checked(FileVerdict verdict, long seed, Map<String, byte[]> memory) {
    public Checked {
        memory = Map.copyOf(memory);
    }
}
