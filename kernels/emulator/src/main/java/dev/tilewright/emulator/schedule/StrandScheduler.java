package dev.tilewright.emulator.schedule;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The strands that can run and those that sleep.
 *
 * @param <S> what a strand is
 */
public final class StrandScheduler<S extends Schedulable> {
    private final Interleaving order;
    private final List<S> ready = new ArrayList<>();
    private final Set<S> sleeping = new LinkedHashSet<>();

    public StrandScheduler(Interleaving order) {
        this.order = order;
    }

    /** The strand can run. */
    public void ready(S strand) {
        sleeping.remove(strand);
        ready.add(strand);
    }

    /** The strand has gone to sleep; not, if something woke it at once. */
    public void sleeps(S strand) {
        if (strand.asleep()) {
            sleeping.add(strand);
        }
    }

    /** Whether asynchronous work goes on before a strand does. */
    public boolean copyNext() {
        return order.copyNext(ready);
    }

    /** Whether waits reach their time limit before a strand that is starved runs. */
    public boolean timesOut() {
        return order.timesOut(ready);
    }

    /** Takes the strand that runs next; null if none can. */
    public @Nullable S next() {
        if (ready.isEmpty()) {
            return null;
        }
        int index = order.pick(ready);
        S chosen = ready.get(index);
        if (order.keepsOrder()) {
            ready.remove(index);
        } else {
            S last = ready.removeLast();
            if (index < ready.size()) {
                ready.set(index, last);
            }
        }
        return chosen;
    }

    /** Strands that can run. */
    public Collection<S> running() {
        return List.copyOf(ready);
    }

    /** Strands that wait for something, in the order in which they went to sleep. */
    public Collection<S> sleeping() {
        return List.copyOf(sleeping);
    }
}
