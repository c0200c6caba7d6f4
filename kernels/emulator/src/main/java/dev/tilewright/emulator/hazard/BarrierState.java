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
 * @param missing who arrived in the phase before and has not in this one
 */
public record BarrierState(String name, int cta, int phase, int expected, int pending, long tx, List<String> missing) {
    private static final int MOST_NAMED = 2;

    public BarrierState {
        missing = List.copyOf(missing);
    }

    @Override
    public String toString() {
        return name + " of CTA " + cta + " in phase " + phase + " (parity " + (phase & 1) + "), " + pending + " of "
                + expected + " arrivals pending, tx-count " + tx
                + (pending == 0 || missing.isEmpty()
                        ? ""
                        : ", missing of the phase before: "
                                + String.join(", ", missing.subList(0, Math.min(MOST_NAMED, missing.size())))
                                + (missing.size() > MOST_NAMED
                                        ? " and " + (missing.size() - MOST_NAMED) + " more"
                                        : ""));
    }
}
