package dev.tilewright.model.trial;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Why a tile scheduler did as it did, from a traced run.
 *
 * @param tilesPerSm one entry for each SM, in the order of SM ids: output tiles of its CTAs, padding excluded
 * @param firstStartNs for each SM, when its first tile began, counted from the earliest start of all
 * @param lastEndNs for each SM, when its last tile ended, on the same scale
 * @param idleTailFraction share of SM time between an SM's last end and the last end of all
 * @param tracedSlowdown duration of the traced twin over that of the kernel; {@code null} if not measured
 */
public record SchedulerEvidence(
        List<Integer> tilesPerSm,
        List<Long> firstStartNs,
        List<Long> lastEndNs,
        double idleTailFraction,
        @Nullable Double tracedSlowdown) {

    public SchedulerEvidence {
        tilesPerSm = List.copyOf(tilesPerSm);
        firstStartNs = List.copyOf(firstStartNs);
        lastEndNs = List.copyOf(lastEndNs);
    }
}
