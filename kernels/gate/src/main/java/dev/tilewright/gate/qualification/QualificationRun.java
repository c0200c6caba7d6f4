package dev.tilewright.gate.qualification;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.tilewright.gate.decision.GateRule;
import dev.tilewright.gate.decision.PairedBlock;
import dev.tilewright.gate.decision.StageDecision;
import dev.tilewright.gate.document.Margins;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One case whose truth is known, with its raw blocks: a kernel beside itself, or its slowed twin beside it.
 *
 * @param problem the class of the case, as its problem is written
 * @param kernel in words
 * @param purpose what it is for
 * @param slowedPercent what the candidate was slowed by; 0 if both are the same
 * @param waitSteps that slowed it; {@code null} if nothing did
 * @param gpu id of the GPU; {@code null} if nothing was timed
 * @param gpuSeconds that the process of the GPU took: loading, verification, settling, blocks
 * @param orders of the blocks: C if the candidate ran first, B if the baseline did
 * @param candidateNs duration of a launch in each block
 * @param candidateMhz clock in each block; {@code null} if it could not be read
 * @param discards why blocks were discarded
 * @param doubts why the blocks are not to be trusted
 * @param error why there are none; {@code null} if there are
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record QualificationRun(
        String problem,
        String kernel,
        Purpose purpose,
        double slowedPercent,
        @Nullable Long waitSteps,
        @Nullable String gpu,
        String device,
        String driver,
        String commit,
        Instant at,
        long seed,
        double gpuSeconds,
        String orders,
        double[] candidateNs,
        double[] baselineNs,
        double @Nullable [] candidateMhz,
        double @Nullable [] baselineMhz,
        List<String> discards,
        List<String> doubts,
        @Nullable String error) {

    /** The purpose of a run. */
    public enum Purpose {
        /** A case as a gate has it. */
        CASE,
        /** Many blocks, which say what the truth is. */
        TRUTH
    }

    /** Its blocks, in their order. */
    @JsonIgnore
    public List<PairedBlock> blocks() {
        List<PairedBlock> blocks = new ArrayList<>();
        for (int i = 0; i < candidateNs.length; i++) {
            blocks.add(new PairedBlock(
                    i,
                    orders.charAt(i) == 'C',
                    candidateNs[i],
                    baselineNs[i],
                    candidateMhz == null ? null : candidateMhz[i],
                    baselineMhz == null ? null : baselineMhz[i]));
        }
        return blocks;
    }

    /** Without blocks the reason is a doubt. */
    StageDecision decision(GateRule rule, Margins margins) {
        return StageDecision.of(rule, margins, blocks(), error == null ? doubts : List.of(error));
    }

    /** The mean of ln(time of the candidate / time of the baseline) over all blocks; NaN without one. */
    double meanLogRatio() {
        return blocks().stream().mapToDouble(PairedBlock::logRatio).average().orElse(Double.NaN);
    }
}
