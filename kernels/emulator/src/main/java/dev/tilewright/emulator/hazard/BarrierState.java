package dev.tilewright.emulator.hazard;

import java.util.List;

/**
 * An mbarrier as it stood.
 *
 * @param name region and index as the entry declares them, or the address
 * @param phase completed phases; the parity of the current one is its lowest bit
 * @param expected arrivals of a phase
 * @param pending arrivals still missing in this phase
 * @param tx bytes announced and not yet there; negative if more came than were announced
 * @param arrived who has arrived in this phase
 * @param missing who arrived in the phase before and has not in this one
 */
public record BarrierState(
        String name,
        int cta,
        int phase,
        int expected,
        int pending,
        long tx,
        List<String> arrived,
        List<String> missing) {
    private static final int MAX_NAMED = 2;

    public BarrierState {
        arrived = List.copyOf(arrived);
        missing = List.copyOf(missing);
    }

    /** The arrivals and bytes that its phase still needs, in words. */
    public String needs() {
        String counts = pending + " of " + expected + " arrivals pending, tx-count " + tx;
        if (pending == 0) {
            return counts;
        }
        return counts
                + (arrived.isEmpty() ? "" : ", arrived in this phase: " + some(arrived))
                + (missing.isEmpty() ? "" : ", arrived in the phase before but not in this one: " + some(missing));
    }

    private static String some(List<String> all) {
        return String.join(", ", all.subList(0, Math.min(MAX_NAMED, all.size())))
                + (all.size() > MAX_NAMED ? " and " + (all.size() - MAX_NAMED) + " more" : "");
    }

    /** Its current phase, in words. */
    public String current() {
        return "phase " + phase + " (parity " + (phase & 1) + ") of " + name + " of CTA " + cta;
    }

    @Override
    public String toString() {
        return name + " of CTA " + cta + " in phase " + phase + " (parity " + (phase & 1) + "), " + needs();
    }
}
