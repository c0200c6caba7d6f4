package dev.tilewright.gate.decision;

import dev.tilewright.model.exchange.Report;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One run of each of two kernels, one after the other.
 *
 * @param candidateFirst whether the candidate ran first
 * @param candidateNs duration of a launch
 * @param baselineNs likewise
 * @param candidateMhz SM clock while it ran; {@code null} if it could not be read
 * @param baselineMhz likewise
 */
public record PairedBlock(
        int index,
        boolean candidateFirst,
        double candidateNs,
        double baselineNs,
        @Nullable Double candidateMhz,
        @Nullable Double baselineMhz) {

    public PairedBlock {
        if (!(candidateNs > 0 && baselineNs > 0 && Double.isFinite(candidateNs) && Double.isFinite(baselineNs))) {
            throw new IllegalArgumentException(
                    "block " + index + ": durations are positive, got " + candidateNs + " and " + baselineNs + " ns");
        }
    }

    /** Without clocks. */
    public PairedBlock(int index, boolean candidateFirst, double candidateNs, double baselineNs) {
        this(index, candidateFirst, candidateNs, baselineNs, null, null);
    }

    /** Logarithm of the candidate's time over the baseline's: above 0 the candidate is slower. */
    public double logRatio() {
        return Math.log(candidateNs / baselineNs);
    }

    /** The same of cycles; NaN where a clock is not known. */
    double logRatioOfCycles() {
        return candidateMhz == null || baselineMhz == null
                ? Double.NaN
                : Math.log(candidateNs / baselineNs * (candidateMhz / baselineMhz));
    }

    /**
     * The blocks in which both arms ran, in their order. Others are left out.
     *
     * @param candidate name of the candidate's arm
     * @param baseline name of the other
     */
    public static List<PairedBlock> of(List<Report.Block> runs, String candidate, String baseline) {
        Map<Integer, Report.Block> baselines = new TreeMap<>();
        runs.stream().filter(run -> run.arm().equals(baseline)).forEach(run -> baselines.put(run.index(), run));
        Map<Integer, PairedBlock> pairs = new TreeMap<>();
        for (Report.Block run : runs) {
            Report.Block other = baselines.get(run.index());
            if (run.arm().equals(candidate) && other != null) {
                pairs.put(run.index(), of(run, other));
            }
        }
        return new ArrayList<>(pairs.values());
    }

    private static PairedBlock of(Report.Block candidate, Report.Block baseline) {
        return new PairedBlock(
                candidate.index(),
                candidate.position() < baseline.position(),
                candidate.launchNs(),
                baseline.launchNs(),
                candidate.smClockMhz(),
                baseline.smClockMhz());
    }
}
