package dev.tilewright.model.trial;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Why a tile scheduler did as it did, from a traced run.
 *
 * @param tilesPerSm one entry for each SM, in the order of SM ids: output tiles of its CTAs, padding excluded
 * @param firstStartNs for each SM, when its first tile began, counted from the earliest start of all; empty on an
 *     emulated GPU, which gives no times
 * @param lastEndNs for each SM, when its last tile ended, on the same scale; empty likewise
 * @param idleTailFraction share of SM time between an SM's last end and the last end of all; {@code null} likewise
 * @param tracedSlowdown duration of the traced twin over that of the kernel; {@code null} if not measured
 */
public record SchedulerEvidence(
        List<Integer> tilesPerSm,
        List<Long> firstStartNs,
        List<Long> lastEndNs,
        @Nullable Double idleTailFraction,
        @Nullable Double tracedSlowdown) {

    public SchedulerEvidence {
        tilesPerSm = List.copyOf(tilesPerSm);
        firstStartNs = List.copyOf(firstStartNs);
        lastEndNs = List.copyOf(lastEndNs);
    }

    /** What a run without times shows. */
    public static SchedulerEvidence untimed(List<Integer> tilesPerSm) {
        return new SchedulerEvidence(tilesPerSm, List.of(), List.of(), null, null);
    }
}
