package dev.tilewright.worker.gpu.measure;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * Account of the host's work while the GPU was idle. The host says what it turns to, and when; a wait of the GPU, which
 * ends when the host queues something, is divided among what the host did during it.
 */
final class WaitAccount {

    private final Deque<Mark> marks = new ArrayDeque<>();
    private final Map<String, Long> waitsNs = new HashMap<>();

    private record Mark(String part, long since) {}

    WaitAccount(String part, long now) {
        marks.add(new Mark(part, now));
    }

    /** The host turns to something else; says what it was at. */
    String enter(String part, long now) {
        String before = marks.getLast().part();
        if (!before.equals(part)) {
            marks.addLast(new Mark(part, now));
        }
        return before;
    }

    /** The GPU had nothing to do for so long until a moment on the clock of the host. Waits come in their order. */
    void waited(long until, double nanos) {
        long from = until - Math.round(nanos);
        while (marks.size() > 1 && second().since() <= from) {
            marks.removeFirst();
        }
        long at = from;
        String part = marks.getFirst().part();
        for (Mark mark : marks) {
            long next = Math.clamp(mark.since(), from, until);
            add(part, next - at);
            at = next;
            part = mark.part();
        }
        add(part, until - at);
    }

    private Mark second() {
        var each = marks.iterator();
        each.next();
        return each.next();
    }

    private void add(String part, long nanos) {
        if (nanos > 0) {
            waitsNs.merge(part, nanos, Long::sum);
        }
    }

    /** Waits since the last time, by part, in nanoseconds. */
    Map<String, Long> take() {
        Map<String, Long> taken = Map.copyOf(waitsNs);
        waitsNs.clear();
        return taken;
    }
}
