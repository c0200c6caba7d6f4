package dev.tilewright.proof.emulation;

import dev.tilewright.emulator.hazard.Finding;
import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.hazard.Rule;
import dev.tilewright.emulator.hazard.Site;
import dev.tilewright.emulator.hazard.Waiter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A hazard as people and documents name it, the same for a config and for a file.
 *
 * @param rule that is broken
 * @param kind of hazard, in lower case and words: {@code "missing proxy fence"}
 * @param message what is wrong, in a sentence
 * @param site where to look first: of a deadlock, at the first of the waiters
 * @param waiters the warps that wait in a deadlock, or go on without end; empty if there is none
 */
public record HazardWords(Rule rule, String kind, String message, Site site, List<Waiter> waiters) {

    public HazardWords {
        waiters = List.copyOf(waiters);
    }

    /** The words for a finding. */
    public static HazardWords of(Finding finding) {
        Hazard hazard = finding.hazard();
        String kind = kind(hazard.getClass());
        if (hazard instanceof Hazard.Deadlock(List<Waiter> named, int others) && !named.isEmpty()) {
            DeadlockWaiters waiters = new DeadlockWaiters(named);
            String more = others == 0 ? "" : "; " + others + " more wait at the same instructions";
            return new HazardWords(
                    finding.rule(), kind, "deadlock: nobody can go on" + more, waiters.first(), waiters.all());
        }
        if (hazard instanceof Hazard.NoProgress endless && !endless.waiters().isEmpty()) {
            String more = endless.others() == 0 ? "" : "; " + endless.others() + " more are at the same instructions";
            return new HazardWords(finding.rule(), kind, endless.summary() + more, finding.site(), endless.waiters());
        }
        return new HazardWords(finding.rule(), kind, hazard.message(), finding.site(), List.of());
    }

    static String kind(Class<?> hazard) {
        return hazard.getSimpleName().replaceAll("(?<=[a-z])(?=[A-Z])", " ").toLowerCase(Locale.ROOT);
    }

    /** A line that says what is wrong; under it, of a deadlock, one waiter of each instruction. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add("hazard: " + message);
        new DeadlockWaiters(waiters).lines().forEach(waiter -> lines.add("waiter: " + waiter));
        return List.copyOf(lines);
    }
}
