package dev.tilewright.worker.gpu.measure;

import dev.tilewright.model.trial.GpuTime;
import dev.tilewright.worker.gpu.cuda.Gpu;
import dev.tilewright.worker.gpu.cuda.GpuEvent;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Adds up for how long the GPU was busy, on its own clock: by pairs of events around what is put into the stream, and
 * by what the {@link Stopwatch} sees. Spinning behind a plug and flushing L2 are counted apart: they keep the GPU busy,
 * but with nothing that anybody asked for. What lies between two pairs is waiting, by what the host was at meanwhile.
 */
public final class BusyMeter implements AutoCloseable {

    /** Phase of the host until it names another. */
    private static final String START = "start";

    private final LongSupplier nanoTime;
    private final EventPool events;
    private final Deque<Span> spans = new ArrayDeque<>();
    /** Spans already classified while earlier ones are not. */
    private final Set<Span> told = new HashSet<>();

    private final WaitAccount waits;
    private @Nullable GpuEvent last;
    /** Spans that belong to the account after the next one that is taken. */
    private int later;

    private boolean isCut;
    private double busyNs;
    private double spinFlushNs;

    public BusyMeter(Gpu gpu) {
        this(gpu, System::nanoTime);
    }

    /** @param nanoTime wall time of the host, in nanoseconds */
    public BusyMeter(Gpu gpu, LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.events = new EventPool(gpu);
        this.waits = new WaitAccount(START, nanoTime.getAsLong());
    }

    /**
     * Time on the GPU, in nanoseconds.
     *
     * @param busyNs at work: candidates, fills, references and comparisons
     * @param spinFlushNs behind plugs and flushing L2
     * @param waitsNs with nothing to do, by what the host was at
     */
    public record Usage(double busyNs, double spinFlushNs, Map<String, Long> waitsNs) {

        /** Without a wait. */
        public Usage(double busyNs, double spinFlushNs) {
            this(busyNs, spinFlushNs, Map.of());
        }

        /** The same by the names under which a worker reports it. */
        public Map<String, Long> timesNs() {
            Map<String, Long> times = new HashMap<>();
            times.put(GpuTime.BUSY, Math.round(busyNs));
            times.put(GpuTime.SPIN_FLUSH, Math.round(spinFlushNs));
            waitsNs.forEach((part, nanos) -> times.put(GpuTime.WAIT + part, nanos));
            return times;
        }
    }

    /**
     * From one event to another, which pass in the order in which spans are begun.
     *
     * @param queuedAt when the first was put into the stream, on the clock of the host
     * @param isWork whether all of it is work; otherwise somebody else says what it was
     */
    record Span(GpuEvent start, GpuEvent end, long queuedAt, boolean isWork) {}

    /** The host turns to something else; says what it was at. */
    public String enter(String part) {
        return waits.enter(part, nanoTime.getAsLong());
    }

    /** Counts the time from the first to the last of what is put into the stream; none of it may count by itself. */
    public void busy(Runnable queueing) {
        Span span = new Span(events.take(), events.take(), nanoTime.getAsLong(), true);
        try {
            span.start().record();
            queueing.run();
            span.end().record();
        } catch (RuntimeException refused) {
            giveBack(span);
            throw refused;
        }
        add(span);
    }

    private void add(Span span) {
        spans.addLast(span);
        if (isCut) {
            later++;
        }
    }

    /** Work put into the stream from now on belongs to the account after the next one that is taken. */
    public void cut() {
        isCut = true;
    }

    private void giveBack(Span span) {
        events.give(span.start());
        events.give(span.end());
    }

    /** Puts an event into the stream with which something begins that is not all work. */
    Span begin() {
        Span span = new Span(events.take(), events.take(), nanoTime.getAsLong(), false);
        span.start().record();
        return span;
    }

    /** Puts the event into the stream with which it ends. */
    void end(Span span) {
        span.end().record();
        add(span);
    }

    /** The stream has passed the end of a span: what it was. */
    void passed(Span span, double busy) {
        busyNs += busy;
        spinFlushNs += span.end().nanosSince(span.start()) - busy;
        if (!spans.contains(span)) {
            return;
        }
        told.add(span);
        // All before it have passed too; but of what was queued before a run was repeated somebody has still to tell.
        while (!told.isEmpty()
                && spans.size() > later
                && (spans.getFirst().isWork() || told.contains(spans.getFirst()))) {
            settle();
        }
    }

    private void settle() {
        Span span = spans.removeFirst();
        told.remove(span);
        later = Math.min(later, spans.size());
        if (last != null) {
            waits.waited(span.queuedAt(), Math.max(0, span.start().nanosSince(last)));
            events.give(last);
        }
        if (span.isWork()) {
            busyNs += span.end().nanosSince(span.start());
        }
        last = span.end();
        events.give(span.start());
    }

    /**
     * Waits until all that was counted before the cut, if there was one, has passed, says how much there was since the
     * last time, and begins anew.
     */
    public Usage take() {
        while (spans.size() > later) {
            spans.getFirst().end().await();
            settle();
        }
        isCut = false;
        later = 0;
        Usage usage = new Usage(busyNs, spinFlushNs, waits.take());
        busyNs = 0;
        spinFlushNs = 0;
        return usage;
    }

    /** Begins anew. What has not passed yet is not counted, nor what the GPU waited for after it. */
    public void forget() {
        if (!spans.isEmpty()) {
            spans.forEach(this::giveBack);
            spans.clear();
            told.clear();
            last = null;
        }
        isCut = false;
        later = 0;
        waits.take();
        busyNs = 0;
        spinFlushNs = 0;
    }

    @Override
    public void close() {
        events.close();
    }
}
