package dev.tilewright.space;

import dev.tilewright.model.space.Config;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The cheapest way through a tree for each combination of values of some parameters. Values of the others have a cost;
 * the cheapest way to a node is kept for each combination so far, level by level (Viterbi).
 */
final class CheapestWays {

    /** The cost of a value of a parameter, by its index. */
    interface Cost {
        int of(Parameter parameter, int value);
    }

    /** The cheapest way to each state of a level: how it got there from the level above. */
    private static final class Ways {
        private final LongIndex states = new LongIndex();
        private int[] costs = new int[16];
        private int[] from = new int[16];
        private int[] values = new int[16];

        void offer(long state, int cost, int above, int value) {
            int known = states.size();
            int index = states.add(state);
            if (index == costs.length) {
                costs = Arrays.copyOf(costs, 2 * index);
                from = Arrays.copyOf(from, 2 * index);
                values = Arrays.copyOf(values, 2 * index);
            }
            if (index == known || cost < costs[index]) {
                costs[index] = cost;
                from[index] = above;
                values[index] = value;
            }
        }
    }

    private final SpaceTree tree;
    private final List<Ways> ways = new ArrayList<>();

    CheapestWays(SpaceTree tree, List<String> parameters, Cost cost) {
        this.tree = tree;
        Ways above = new Ways();
        above.offer(0, 0, 0, 0);
        int nodes = 1;
        for (int at = 0; at < tree.levels().size(); at++) {
            TreeLevel level = tree.levels().get(at);
            boolean named = parameters.contains(level.parameter().name());
            int below = at + 1 == tree.levels().size()
                    ? 1
                    : tree.levels().get(at + 1).nodes();
            above = next(above, nodes, level, named, below, cost);
            ways.add(above);
            nodes = below;
        }
    }

    /** A state is a combination of the named values so far, and a node. */
    private static Ways next(Ways above, int nodes, TreeLevel level, boolean named, int below, Cost cost) {
        Ways next = new Ways();
        for (int index = 0; index < above.states.size(); index++) {
            long combination = above.states.key(index) / nodes;
            int node = (int) (above.states.key(index) % nodes);
            for (int value = 0; value < level.values(); value++) {
                int child = level.child(node, value);
                if (child != TreeLevel.NONE) {
                    long longer = named
                            ? Math.addExact(Math.multiplyExact(combination, (long) level.values()), value)
                            : combination;
                    next.offer(
                            Math.addExact(Math.multiplyExact(longer, (long) below), child),
                            above.costs[index] + (named ? 0 : cost.of(level.parameter(), value)),
                            index,
                            value);
                }
            }
        }
        return next;
    }

    List<Config> configs() {
        if (ways.isEmpty()) { // no parameter, so there is one config
            return List.of(tree.config(new int[0]));
        }
        List<Config> configs = new ArrayList<>();
        for (int index = 0; index < ways.getLast().states.size(); index++) {
            int[] path = new int[ways.size()];
            int state = index;
            for (int at = path.length - 1; at >= 0; at--) {
                path[at] = ways.get(at).values[state];
                state = ways.get(at).from[state];
            }
            configs.add(tree.config(path));
        }
        return configs;
    }
}
