package dev.tilewright.model.exchange;

import dev.tilewright.model.trial.Discard;
import dev.tilewright.model.trial.GpuTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The result of a final.
 *
 * @param arms every kernel that took part; one that left in the race has a measurement of stage {@code contend} and
 *     none of stage {@code final}
 * @param ratios of each finalist to each peer
 * @param blocks the raw durations
 * @param discards blocks that do not count, with their reasons
 * @param timesNs wall time of its parts on the device, {@code reference, load, peers, anchor, verify, contend, final},
 *     and time on the GPU by the names of {@link GpuTime}; in nanoseconds
 * @param log what a person needs to understand the outcome
 * @param neighbours other processes on the GPU, or why they cannot be observed; a line for each
 * @param searches through the kernels of peers
 */
public record FinalResult(
        List<Report.Arm> arms,
        List<Report.ArmRatio> ratios,
        List<Report.Block> blocks,
        List<Discard> discards,
        Map<String, Long> timesNs,
        String log,
        List<String> neighbours,
        List<PeerSearch> searches) {

    public FinalResult {
        timesNs = Map.copyOf(timesNs);
        neighbours = List.copyOf(neighbours);
        searches = List.copyOf(searches);
    }

    /** Without other processes on the GPU, and without a search through the kernels of peers. */
    public FinalResult(
            List<Report.Arm> arms,
            List<Report.ArmRatio> ratios,
            List<Report.Block> blocks,
            List<Discard> discards,
            Map<String, Long> timesNs,
            String log) {
        this(arms, ratios, blocks, discards, timesNs, log, List.of(), List.of());
    }

    /** Of which no time is known. */
    public FinalResult(
            List<Report.Arm> arms,
            List<Report.ArmRatio> ratios,
            List<Report.Block> blocks,
            List<Discard> discards,
            String log) {
        this(arms, ratios, blocks, discards, Map.of(), log);
    }

    /** Of which nothing can be said but how its arms ended. */
    public static FinalResult failed(List<Report.Arm> arms, String log) {
        return new FinalResult(arms, List.of(), List.of(), List.of(), log);
    }

    /** The same with other arms. */
    public FinalResult withArms(List<Report.Arm> other) {
        return new FinalResult(other, ratios, blocks, discards, timesNs, log, neighbours, searches);
    }

    /** The same with another log. */
    public FinalResult withLog(String other) {
        return new FinalResult(arms, ratios, blocks, discards, timesNs, other, neighbours, searches);
    }

    /** The same with other processes on the GPU. */
    public FinalResult beside(List<String> others) {
        return new FinalResult(arms, ratios, blocks, discards, timesNs, log, others, searches);
    }

    /** The same with searches through the kernels of peers. */
    public FinalResult searched(List<PeerSearch> done) {
        return new FinalResult(arms, ratios, blocks, discards, timesNs, log, neighbours, done);
    }

    /** The same with more times. */
    public FinalResult with(Map<String, Long> more) {
        Map<String, Long> all = new HashMap<>(timesNs);
        all.putAll(more);
        return new FinalResult(arms, ratios, blocks, discards, all, log, neighbours, searches);
    }
}
