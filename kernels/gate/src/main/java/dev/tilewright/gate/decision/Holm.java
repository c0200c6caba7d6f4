package dev.tilewright.gate.decision;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** Holm's step-down procedure: of several true hypotheses it rejects one with no more than the given error. */
public final class Holm {

    private Holm() {}

    /**
     * The rejected hypotheses.
     *
     * @param p of each hypothesis
     * @param error of all of them together
     */
    public static List<Boolean> rejected(List<Double> p, double error) {
        List<Integer> order = IntStream.range(0, p.size())
                .boxed()
                .sorted(Comparator.comparing(p::get))
                .toList();
        List<Boolean> rejected = new ArrayList<>(Collections.nCopies(p.size(), false));
        for (int i = 0; i < order.size() && p.get(order.get(i)) <= error / (p.size() - i); i++) {
            rejected.set(order.get(i), true);
        }
        return List.copyOf(rejected);
    }
}
