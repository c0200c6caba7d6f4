package dev.tilewright.emulator.async;

import dev.tilewright.emulator.order.Access;
import dev.tilewright.emulator.order.WarpOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The cp.async groups of the threads of a warp. PTX 9.7.9.25.3. */
public final class ThreadCopies {
    private static final class OfThread {
        private List<ThreadCopy> open = new ArrayList<>();
        private final Deque<List<ThreadCopy>> committed = new ArrayDeque<>();
        /** The last copy begun. */
        private @Nullable Access last;
    }

    private final WarpOrder order;
    private final Map<Integer, OfThread> threads = new HashMap<>();

    public ThreadCopies(WarpOrder order) {
        this.order = order;
    }

    private OfThread of(int lane) {
        return threads.computeIfAbsent(lane, unused -> new OfThread());
    }

    /** A copy joins the open group. */
    public void add(int lane, ThreadCopy copy) {
        OfThread thread = of(lane);
        thread.open.add(copy);
        thread.last = copy.access();
    }

    /** Closes the open group, maybe empty. */
    public void commit(int lane) {
        OfThread thread = of(lane);
        thread.committed.addLast(thread.open);
        thread.open = new ArrayList<>();
    }

    /** Waits until at most {@code pending} of the latest groups are unfinished. */
    public void waitFor(int lane, int pending) {
        Deque<List<ThreadCopy>> committed = of(lane).committed;
        while (committed.size() > pending) {
            List<ThreadCopy> group = committed.removeFirst();
            if (!group.isEmpty()) {
                group.forEach(ThreadCopy::await);
                order.copiesDone(lane, group.getLast().access());
            }
        }
    }

    /** The last copy that a thread began, null if there is none. */
    public @Nullable Access last(int lane) {
        return of(lane).last;
    }

    /** All copies of a thread that nobody has waited for yet. */
    public List<ThreadCopy> unobserved(int lane) {
        OfThread thread = of(lane);
        thread.open.removeIf(ThreadCopy::observed);
        List<ThreadCopy> all = new ArrayList<>(thread.open);
        for (List<ThreadCopy> group : thread.committed) {
            group.removeIf(ThreadCopy::observed);
            all.addAll(group);
        }
        return all;
    }
}
