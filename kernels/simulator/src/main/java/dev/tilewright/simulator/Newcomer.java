package dev.tilewright.simulator;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A kernel of higher priority and the SMs that it has got. While it waits, the GPU gives it every SM that becomes free,
 * launches no cluster of the other grid there and answers no query with one: each cluster that asks meanwhile leaves,
 * also those whose SMs it then does not need.
 */
final class Newcomer {

    private final Conditions.@Nullable Arrival arrival;
    /** For each SM that it got, when. */
    private final List<Double> grantedNs = new ArrayList<>();
    /** For each SM that is left without work, since when. */
    private final List<Double> idleNs = new ArrayList<>();

    Newcomer(Conditions.@Nullable Arrival arrival) {
        this.arrival = arrival;
    }

    /** Whether it has come and lacks SMs. */
    boolean waits(double nowNs) {
        return arrival != null
                && nowNs >= arrival.atNs()
                && grantedNs.stream().filter(granted -> granted <= nowNs).count() < arrival.sms();
    }

    /**
     * Offers the SMs of a slot. It takes all of them or none, and none before it has come.
     *
     * @return when the slot is free for the other grid: {@code freeNs} itself if it does not take it
     */
    double offer(int sms, double freeNs) {
        if (arrival == null || freeNs < arrival.atNs() || grantedNs.size() >= arrival.sms()) {
            return freeNs;
        }
        grantedNs.addAll(Collections.nCopies(sms, freeNs));
        return freeNs + arrival.heldNs();
    }

    /** SMs that have no work left from this time on. */
    void leave(int sms, double idleSinceNs) {
        idleNs.addAll(Collections.nCopies(sms, idleSinceNs));
    }

    /** When it had each of its SMs, in order of time, at most as many as it wanted; empty if it never came. */
    List<Double> granted() {
        if (arrival == null) {
            return List.of();
        }
        List<Double> all = new ArrayList<>(grantedNs);
        idleNs.forEach(idle -> all.add(Math.max(idle, arrival.atNs())));
        return all.stream().sorted().limit(arrival.sms()).toList();
    }
}
