package dev.tilewright.model.trial;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Why a tile scheduler did as it did, from a traced run.
 *
 * @param tilesPerSm one entry for each SM, in the order of SM ids: output tiles of its CTAs, padding excluded
 * @param firstStartNs for each SM, when its first tile began, counted from the earliest start of all; empty on an
 *     emulated GPU, which gives no times
 * @param lastEndNs for each SM, when its last tile ended, on the same scale; empty likewise
 * @param idleTailFraction share of the time of the SMs that nobody held between an SM's last end and the last end of
 *     all; {@code null} likewise
 * @param tracedSlowdown duration of the traced twin over that of the kernel; {@code null} if not measured
 * @param stealsPerCluster for each cluster that ran, in the order of their numbers, how many tiles it got by asking;
 *     empty where nobody is asked, and where it was not recorded
 * @param failedQueries queries that were answered without a tile; {@code null} where nobody is asked or counts them
 * @param heldSms ids of the SMs that somebody else held for the whole run, ascending: they have no tiles, and do not
 *     count as idle
 * @param tileNs for each SM, start and end of each of its tiles in turn, in the order of their starts, padding
 *     included, on the same scale; {@code null} without times, and of a run with more than {@link TileTimes#MOST} tiles
 */
public record SchedulerEvidence(
        List<Integer> tilesPerSm,
        List<Long> firstStartNs,
        List<Long> lastEndNs,
        @Nullable Double idleTailFraction,
        @Nullable Double tracedSlowdown,
        List<Integer> stealsPerCluster,
        @Nullable Integer failedQueries,
        List<Integer> heldSms,

        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<List<Long>> tileNs) {

    public SchedulerEvidence {
        tilesPerSm = List.copyOf(tilesPerSm);
        firstStartNs = List.copyOf(firstStartNs);
        lastEndNs = List.copyOf(lastEndNs);
        // Stored evidence may be older than these fields.
        stealsPerCluster = List.copyOf(Objects.requireNonNullElse(stealsPerCluster, List.of()));
        heldSms = List.copyOf(Objects.requireNonNullElse(heldSms, List.of()));
        tileNs = tileNs == null ? null : tileNs.stream().map(List::copyOf).toList();
    }

    /** Evidence of a run in which nobody is asked for tiles. */
    public SchedulerEvidence(
            List<Integer> tilesPerSm,
            List<Long> firstStartNs,
            List<Long> lastEndNs,
            @Nullable Double idleTailFraction,
            @Nullable Double tracedSlowdown) {
        this(tilesPerSm, firstStartNs, lastEndNs, idleTailFraction, tracedSlowdown, List.of(), null, List.of(), null);
    }

    /**
     * The same of a run in which clusters asked for tiles.
     *
     * @param steals for each cluster that ran, in the order of their numbers
     * @param failed {@code null} if nobody counted
     */
    public SchedulerEvidence asked(List<Integer> steals, @Nullable Integer failed) {
        return new SchedulerEvidence(
                tilesPerSm, firstStartNs, lastEndNs, idleTailFraction, tracedSlowdown, steals, failed, heldSms, tileNs);
    }

    /**
     * The same of a run beside which somebody held SMs.
     *
     * @param held their ids, ascending
     */
    public SchedulerEvidence holding(List<Integer> held) {
        return new SchedulerEvidence(
                tilesPerSm,
                firstStartNs,
                lastEndNs,
                idleTailFraction,
                tracedSlowdown,
                stealsPerCluster,
                failedQueries,
                held,
                tileNs);
    }

    /**
     * The same with the slowdown by the tracing itself.
     *
     * @param slowdown duration of a traced launch over that of the kernel; {@code null} if not measured
     */
    public SchedulerEvidence slowed(@Nullable Double slowdown) {
        return new SchedulerEvidence(
                tilesPerSm,
                firstStartNs,
                lastEndNs,
                idleTailFraction,
                slowdown,
                stealsPerCluster,
                failedQueries,
                heldSms,
                tileNs);
    }

    /** The same without its times, which mean nothing on an emulated GPU. */
    public SchedulerEvidence withoutTimes() {
        return new SchedulerEvidence(
                tilesPerSm, List.of(), List.of(), null, null, stealsPerCluster, failedQueries, heldSms, null);
    }
}
