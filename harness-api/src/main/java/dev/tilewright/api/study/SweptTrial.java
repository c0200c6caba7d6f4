package dev.tilewright.api.study;

import dev.tilewright.model.exchange.TrialResult;
import dev.tilewright.model.trial.GpuTime;
import dev.tilewright.model.trial.TrialOutcome;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;

/**
 * A reported trial as the sweep counts it.
 *
 * @param ran whether it ran on a device: what the check stopped did not
 */
public record SweptTrial(UUID workerId, String device, boolean ran, Map<String, Long> timesNs) {

    private static final Set<TrialOutcome> ON_DEVICE =
            Set.of(TrialOutcome.LAUNCH, TrialOutcome.TIMEOUT, TrialOutcome.CRASH);

    private static final String REQUEST = GpuTime.WAIT + GpuTime.REQUEST;

    public static SweptTrial of(UUID workerId, String device, TrialResult result) {
        return new SweptTrial(
                workerId, device, result.executed() != null || ON_DEVICE.contains(result.outcome()), result.timesNs());
    }

    /**
     * For how long the GPU had nothing to do, by what its runner was at. A runner that is up waits for its first
     * request of a study since long before there was one. What a trial has on its account, from the start of the study
     * to its report, is no longer than that time: the rest is cut from that wait and from no other, because whatever
     * else the runner was at it was at for a trial of the study.
     *
     * @param sinceStartNs from the first lease of the study to this report
     */
    Map<String, Long> waitsNs(long sinceStartNs) {
        Map<String, Long> waits = new TreeMap<>();
        long others = 0;
        for (Map.Entry<String, Long> time : timesNs.entrySet()) {
            boolean wait = time.getKey().startsWith(GpuTime.WAIT);
            if (wait) {
                waits.put(time.getKey().substring(GpuTime.WAIT.length()), time.getValue());
            }
            if (time.getKey().equals(GpuTime.BUSY)
                    || time.getKey().equals(GpuTime.SPIN_FLUSH)
                    || wait && !time.getKey().equals(REQUEST)) {
                others += time.getValue();
            }
        }
        long left = sinceStartNs - others;
        waits.computeIfPresent(GpuTime.REQUEST, (request, ns) -> Math.max(0, Math.min(ns, left)));
        return waits;
    }
}
