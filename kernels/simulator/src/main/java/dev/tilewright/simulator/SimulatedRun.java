package dev.tilewright.simulator;

import dev.tilewright.model.trial.Executed;
import dev.tilewright.model.trial.SchedulerEvidence;
import java.util.List;

/**
 * The prediction of the model for one launch in a long row of equal launches. No field of it was measured.
 *
 * @param timeNs duration of a launch, queued back to back, in nanoseconds
 * @param tflops rate of that duration, 10^12 operations a second
 * @param clockMhz SM clock that the power limit leaves
 * @param watt power drawn at that clock
 * @param l2Bytes read from L2 by the TMA loads
 * @param dramBytes read from and written to DRAM
 * @param firstStartNs from the start of the first cluster to the first mainloop, where the times of evidence and spans
 *     begin
 * @param executed grid, cluster and threads
 * @param evidence tiles for each SM, first start, last end, idle tail
 * @param dynamic steals, failed queries, SMs given up
 * @param spans one for each CTA tile, or each piece of one that is split, padding included, in the order in which they
 *     started
 */
public record SimulatedRun(
        double timeNs,
        double tflops,
        double clockMhz,
        double watt,
        double l2Bytes,
        double dramBytes,
        double firstStartNs,
        Executed executed,
        SchedulerEvidence evidence,
        DynamicLog dynamic,
        List<TileSpan> spans) {

    public SimulatedRun {
        spans = List.copyOf(spans);
    }
}
