package dev.tilewright.worker.gpu.runner;

import java.util.List;
import java.util.stream.Stream;

/**
 * The arms that reach a final.
 *
 * @param ours that may be our best, the fastest of the race first
 * @param peers those that are not surely slower than the best of them
 * @param guests the best of each peer, and what it takes by default: they run for their ratio, also where others are
 *     faster
 */
record Finalists(List<Competitor> ours, List<Competitor> peers, List<Competitor> guests) {

    Finalists {
        ours = List.copyOf(ours);
        peers = List.copyOf(peers);
        guests = List.copyOf(guests);
    }

    List<Competitor> all() {
        return Stream.of(ours, peers, guests).flatMap(List::stream).distinct().toList();
    }

    boolean has(Competitor contender) {
        return all().contains(contender);
    }
}
