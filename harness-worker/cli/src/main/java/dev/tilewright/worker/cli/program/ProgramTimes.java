package dev.tilewright.worker.cli.program;

import dev.tilewright.gate.decision.ProgramDecision;
import dev.tilewright.gate.decision.StageDecision;
import java.util.List;
import java.util.Locale;

/**
 * Times of a program beside those of its baseline.
 *
 * @param steps of each in a block
 * @param turns of each in a block
 * @param baselineNs median nanoseconds of a step of the baseline
 * @param candidateNs likewise
 * @param effect above 0 the candidate is slower
 * @param equal the baseline beside itself
 * @param slowed likewise, with more to do
 * @param decision by all three
 */
public record ProgramTimes(
        int steps,
        int turns,
        double baselineNs,
        double candidateNs,
        StageDecision effect,
        StageDecision equal,
        StageDecision slowed,
        ProgramDecision decision) {

    /**
     * The medians.
     *
     * @param baseline in words, such as {@code without the pack}
     * @param candidate likewise
     */
    public String medians(String baseline, String candidate) {
        return String.format(
                Locale.ROOT,
                "%s %.3f ms a step, %s %.3f ms; %d steps of each in a block%s",
                baseline,
                baselineNs / 1e6,
                candidate,
                candidateNs / 1e6,
                steps,
                turns > 1 ? ", in " + turns + " turns, since its times vary" : "");
    }

    /** A line for each sentinel. */
    public List<String> sentinels() {
        return List.of(
                "sentinel equal: " + equal.verdict() + ", " + equal.reason(),
                "sentinel slowed by 2 %: " + slowed.verdict() + ", " + slowed.reason());
    }
}
