package dev.tilewright.proof.file;

import dev.tilewright.emulator.run.Statistics.Taken;
import java.util.List;
import java.util.Map;

/**
 * The result of a check.
 *
 * @param seed of the last run
 * @param taken what CTAs took in the last run by asking a counter or cluster launch control
 * @param memory each buffer's bytes by its name, as the last run left them; empty if there was none
 */
public record FileCheckResult(FileVerdict verdict, long seed, List<Taken> taken, Map<String, byte[]> memory) {
    public FileCheckResult {
        taken = List.copyOf(taken);
        memory = Map.copyOf(memory);
    }
}
