package dev.tilewright.space;

import java.util.List;

/**
 * In which order the parameters of a space become the levels of its diagram. A node stands for the values above it that
 * a rule still looks at, so a good order decides rules early and keeps few parameters waiting. The order is a function
 * of the numbers of values and of what the rules look at: parameters with one value first, then those that a greedy
 * choice takes, improved by moving one parameter at a time for as long as the estimated number of edges falls.
 */
final class ParameterOrder {

    /** Sets of parameters are bits of a long. */
    private static final int MAX_PARAMETERS = Long.SIZE;

    private static final int MAX_PASSES = 20;

    private final int[] counts;
    /** For each rule, the parameters with several values that it looks at. */
    private final long[] scopes;

    private ParameterOrder(int[] counts, long[] scopes) {
        this.counts = counts;
        this.scopes = scopes;
    }

    /** The indices of the parameters in the list of the space, in the order of the levels. */
    static int[] of(SearchSpace space) {
        List<Parameter> parameters = space.parameters();
        int[] free = new int[parameters.size()];
        int single = 0;
        int several = 0;
        int[] order = new int[parameters.size()];
        for (int i = 0; i < free.length; i++) {
            if (parameters.get(i).values().size() == 1) {
                order[single++] = i;
            } else {
                free[several++] = i;
            }
        }
        if (several > MAX_PARAMETERS) {
            throw new IllegalArgumentException("family " + space.family() + " has " + several
                    + " parameters with several values, more than " + MAX_PARAMETERS);
        }
        int[] counts = new int[several];
        for (int i = 0; i < several; i++) {
            counts[i] = parameters.get(free[i]).values().size();
        }
        long[] scopes = new long[space.constraints().size()];
        for (int rule = 0; rule < scopes.length; rule++) {
            for (int i = 0; i < several; i++) {
                if (space.constraints()
                        .get(rule)
                        .parameters()
                        .contains(parameters.get(free[i]).name())) {
                    scopes[rule] |= 1L << i;
                }
            }
        }
        int[] found = new ParameterOrder(counts, scopes).improved();
        for (int index : found) {
            order[single++] = free[index];
        }
        return order;
    }

    private int[] improved() {
        int[] best = greedy();
        double least = cost(best);
        for (int pass = 0; pass < MAX_PASSES; pass++) {
            double before = least;
            for (int from = 0; from < best.length; from++) {
                for (int to = 0; to < best.length; to++) {
                    int[] moved = moved(best, from, to);
                    double cost = cost(moved);
                    if (cost < least * (1 - 1e-9)) {
                        best = moved;
                        least = cost;
                    }
                }
            }
            if (least == before) {
                break;
            }
        }
        return best;
    }

    private int[] greedy() {
        int[] order = new int[counts.length];
        long assigned = 0;
        for (int level = 0; level < order.length; level++) {
            int next = -1;
            double least = Double.POSITIVE_INFINITY;
            for (int i = 0; i < counts.length; i++) {
                long with = assigned | 1L << i;
                if (with != assigned) {
                    double nodes = combinations(with & waiting(with));
                    if (nodes < least) {
                        least = nodes;
                        next = i;
                    }
                }
            }
            order[level] = next;
            assigned |= 1L << next;
        }
        return order;
    }

    private static int[] moved(int[] order, int from, int to) {
        int[] moved = new int[order.length];
        int source = 0;
        for (int i = 0; i < moved.length; i++) {
            if (i == to) {
                moved[i] = order[from];
            } else {
                if (source == from) {
                    source++;
                }
                moved[i] = order[source++];
            }
        }
        return moved;
    }

    /** Edges of a diagram whose nodes are all combinations of what is waited for. */
    private double cost(int[] order) {
        double edges = 0;
        long assigned = 0;
        for (int next : order) {
            edges += combinations(assigned & waiting(assigned)) * counts[next];
            assigned |= 1L << next;
        }
        return edges;
    }

    /** The parameters of the rules that are not decided yet. */
    private long waiting(long assigned) {
        long waiting = 0;
        for (long scope : scopes) {
            if ((scope & ~assigned) != 0) {
                waiting |= scope;
            }
        }
        return waiting;
    }

    private double combinations(long parameters) {
        double product = 1;
        for (long rest = parameters; rest != 0; rest &= rest - 1) {
            product *= counts[Long.numberOfTrailingZeros(rest)];
        }
        return product;
    }
}
