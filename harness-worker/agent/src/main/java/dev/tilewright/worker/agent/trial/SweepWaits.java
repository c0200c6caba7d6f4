package dev.tilewright.worker.agent.trial;

import dev.tilewright.model.exchange.TrialResult;
import dev.tilewright.model.trial.GpuTime;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Divides what a GPU waited before a trial. The runner calls all of it {@code request}; the worker knows which part of
 * it lies before the study, and in which part a kernel was in the making.
 */
final class SweepWaits {

    /** When the first lease of a study came, by {@link System#nanoTime}. */
    private record Arrival(UUID study, long at) {}

    private volatile @Nullable Arrival arrival;
    private volatile long keptNs;

    /** A lease of a study came. */
    void arrived(UUID study, long at) {
        Arrival last = arrival;
        if (last == null || !last.study().equals(study)) {
            arrival = new Arrival(study, at);
        }
    }

    /** The next trial waited so long until other processes had left the GPU. */
    void kept(long ns) {
        keptNs = ns;
    }

    /**
     * Of what the GPU waited for a request, the time of other processes is not the study's, nor is what lies before the
     * first lease of the study, and what passed while the kernel was made is the assembler's.
     *
     * @param ranAt when the device was asked to run the trial
     */
    TrialResult accounted(TrialResult result, Begun begun, long ranAt) {
        Long whole = result.timesNs().get(GpuTime.WAIT + GpuTime.REQUEST);
        if (whole == null) {
            return result;
        }
        long others = result.timesNs().entrySet().stream()
                .filter(part -> GpuTime.isOfGpu(part.getKey()) && !part.getKey().equals(GpuTime.WAIT + GpuTime.REQUEST))
                .mapToLong(Map.Entry::getValue)
                .sum();
        long request = Math.clamp(
                since(Objects.requireNonNull(begun.lease().studyId(), "a trial is of a study")) - others,
                0,
                Math.max(0, whole - keptNs));
        long assembler = Math.min(request, begun.making().within(ranAt - request, ranAt));
        Map<String, Long> times = new HashMap<>(result.timesNs());
        times.put(GpuTime.WAIT + GpuTime.ASSEMBLER, assembler);
        times.put(GpuTime.WAIT + GpuTime.REQUEST, request - assembler);
        return result.withTimes(times);
    }

    /** How long this worker has had work of a study. */
    private long since(UUID study) {
        Arrival first = arrival;
        return first != null && first.study().equals(study) ? System.nanoTime() - first.at() : Long.MAX_VALUE;
    }
}
