package dev.tilewright.worker.check.run;

import dev.tilewright.emulator.hazard.Site;
import dev.tilewright.emulator.hazard.Waiter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Who waits in a deadlock: those at an mbarrier before those that wait for all threads, warps of one CTA together. */
final class DeadlockText {
    /** Warps of one CTA that wait at one place for one thing. */
    private record Place(int cta, int rank, int line, String instruction, String reason) {}

    private final List<Waiter> waiters;

    DeadlockText(List<Waiter> waiters) {
        this.waiters = waiters.stream()
                .sorted(Comparator.<Waiter, Boolean>comparing(
                                waiter -> !waiter.site().instruction().contains("mbarrier"))
                        .thenComparing(waiter -> waiter.site().cta())
                        .thenComparing(waiter -> waiter.site().warp())
                        .thenComparing(waiter -> waiter.site().lane()))
                .toList();
    }

    /** Whom to look at first. */
    Site first() {
        return waiters.getFirst().site();
    }

    List<String> lines() {
        Map<Place, List<String>> places = new LinkedHashMap<>();
        for (Waiter waiter : waiters) {
            Site site = waiter.site();
            Place place = new Place(site.cta(), site.rank(), site.line(), site.instruction(), waiter.reason());
            places.computeIfAbsent(place, _ -> new ArrayList<>()).add(site.warp() + "." + site.lane());
        }
        return places.entrySet().stream()
                .map(entry -> {
                    Place place = entry.getKey();
                    return "CTA " + place.cta() + " rank " + place.rank() + ", warp.lane "
                            + String.join(" ", entry.getValue()) + ", line " + place.line() + " '"
                            + place.instruction() + "' waits for " + place.reason();
                })
                .toList();
    }
}
