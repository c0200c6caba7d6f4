package dev.tilewright.worker.gpu.runner;

import dev.tilewright.worker.link.runner.RunnerReply;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The phase of a request, and the time in each. */
final class Phases {

    static final String LOAD = "load";
    static final String REFERENCE = "reference";
    static final String VERIFY = "verify";
    static final String MEASURE = "measure";
    static final String TRACE = RunnerReply.Phase.TRACE;
    static final String ANCHOR = "anchor";
    static final String PEERS = "peers";
    static final String CONTEND = "contend";
    static final String CALIBRATE = "calibrate";
    static final String FINAL = RunnerReply.Phase.FINAL;
    static final String AHEAD = RunnerReply.Phase.AHEAD;

    private final LongSupplier nanoTime;
    private final Consumer<String> announce;
    private final Map<String, Long> timesNs = new LinkedHashMap<>();
    private @Nullable String current;
    private long since;

    Phases(LongSupplier nanoTime, Consumer<String> announce) {
        this.nanoTime = nanoTime;
        this.announce = announce;
    }

    /** Leaves the phase at hand and enters another, which may have been entered before. */
    void enter(String phase) {
        leave();
        announce.accept(phase);
        current = phase;
        since = nanoTime.getAsLong();
    }

    /** Does something in another phase and comes back to the one at hand. */
    void within(String phase, Runnable work) {
        String outer = current;
        enter(phase);
        work.run();
        if (outer == null) {
            leave();
        } else {
            enter(outer);
        }
    }

    /** Leaves the phase at hand. */
    void leave() {
        if (current != null) {
            timesNs.merge(current, nanoTime.getAsLong() - since, Long::sum);
            current = null;
        }
    }

    /** The clock by which phases are timed, in nanoseconds. */
    long nanoTime() {
        return nanoTime.getAsLong();
    }

    /** Whether the request is at this phase. */
    boolean isAt(String phase) {
        return phase.equals(current);
    }

    /** Wall time of each phase so far, in nanoseconds. */
    Map<String, Long> timesNs() {
        return Map.copyOf(timesNs);
    }
}
