package dev.tilewright.emulator.schedule;

import dev.tilewright.emulator.machine.Strand;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The strands that can run and those that sleep. */
public final class Scheduler {
    private final Interleaving order;
    private final List<Strand> ready = new ArrayList<>();
    private final Set<Strand> sleeping = new LinkedHashSet<>();

    public Scheduler(Interleaving order) {
        this.order = order;
    }

    /** The strand can run. */
    public void ready(Strand strand) {
        sleeping.remove(strand);
        ready.add(strand);
    }

    /** The strand has gone to sleep; not, if something woke it at once. */
    public void sleeps(Strand strand) {
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
    public @Nullable Strand next() {
        if (ready.isEmpty()) {
            return null;
        }
        int index = order.pick(ready);
        Strand chosen = ready.get(index);
        if (order.keepsOrder()) {
            ready.remove(index);
        } else {
            Strand last = ready.removeLast();
            if (index < ready.size()) {
                ready.set(index, last);
            }
        }
        return chosen;
    }

    /** Strands that wait for something, in the order in which they went to sleep. */
    public Collection<Strand> sleeping() {
        return List.copyOf(sleeping);
    }
}
