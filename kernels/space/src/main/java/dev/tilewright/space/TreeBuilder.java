package dev.tilewright.space;

import dev.tilewright.model.space.Violation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Builds the levels of a tree, from the first parameter to the last. A node stands for those values above it that a
 * rule still looks at: all prefixes that agree in them have one node, so that a rule is asked once for each combination
 * that can come about, however many configs share it.
 */
final class TreeBuilder {

    private final List<Parameter> order;
    private final List<AskedRule> rules;
    private final int[] path;
    /** Children of the nodes of each level that is done. */
    private final List<int[]> children = new ArrayList<>();

    private List<Violation> emptiedBy = List.of();

    private TreeBuilder(SearchSpace space) {
        order = Arrays.stream(ParameterOrder.of(space))
                .mapToObj(space.parameters()::get)
                .toList();
        rules = space.constraints().stream()
                .map(constraint -> new AskedRule(constraint, order))
                .filter(AskedRule::mayCut)
                .toList();
        path = new int[order.size()];
    }

    static SpaceTree build(SearchSpace space) {
        TreeBuilder builder = new TreeBuilder(space);
        builder.children();
        return new SpaceTree(space, builder.levels(), builder.emptiedBy);
    }

    private void children() {
        int[] waiting = {};
        LongIndex nodes = new LongIndex();
        nodes.add(0);
        for (int level = 0; level < order.size(); level++) {
            int[] next = waitingBehind(level);
            LongIndex below = new LongIndex();
            children.add(children(level, nodes, waiting, below, next));
            if (below.size() == 0 && nodes.size() > 0) {
                emptiedBy = brokenAt(level, nodes, waiting);
            }
            nodes = below;
            waiting = next;
        }
    }

    private int[] children(int level, LongIndex nodes, int[] waiting, LongIndex below, int[] next) {
        AskedRule[] asked = decidedAt(level);
        int values = count(level);
        int[] found = new int[nodes.size() * values];
        for (int node = 0; node < nodes.size(); node++) {
            read(nodes.key(node), waiting);
            for (int value = 0; value < values; value++) {
                path[level] = value;
                found[node * values + value] = firstBroken(asked).isPresent() ? TreeLevel.NONE : below.add(key(next));
            }
        }
        return found;
    }

    private Optional<AskedRule> firstBroken(AskedRule[] asked) {
        for (AskedRule rule : asked) {
            if (rule.isBroken(path)) {
                return Optional.of(rule);
            }
        }
        return Optional.empty();
    }

    /** Of each rule that cuts here the first violation. */
    private List<Violation> brokenAt(int level, LongIndex nodes, int[] waiting) {
        AskedRule[] asked = decidedAt(level);
        List<AskedRule> named = new ArrayList<>();
        List<Violation> violations = new ArrayList<>();
        for (int node = 0; node < nodes.size(); node++) {
            read(nodes.key(node), waiting);
            for (int value = 0; value < count(level); value++) {
                path[level] = value;
                AskedRule broken = firstBroken(asked).orElseThrow();
                if (!named.contains(broken)) {
                    named.add(broken);
                    violations.add(broken.violation(path));
                }
            }
        }
        return List.copyOf(violations);
    }

    private AskedRule[] decidedAt(int level) {
        return rules.stream().filter(rule -> rule.decidedAt() == level).toArray(AskedRule[]::new);
    }

    /** Levels down to this one that a rule below looks at. */
    private int[] waitingBehind(int level) {
        return IntStream.rangeClosed(0, level)
                .filter(above -> rules.stream()
                        .anyMatch(rule -> rule.decidedAt() > level
                                && Arrays.stream(rule.levels()).anyMatch(each -> each == above)))
                .toArray();
    }

    private int count(int level) {
        return order.get(level).values().size();
    }

    private long key(int[] waiting) {
        long key = 0;
        for (int level : waiting) {
            key = Math.addExact(Math.multiplyExact(key, (long) count(level)), path[level]);
        }
        return key;
    }

    private void read(long key, int[] waiting) {
        long rest = key;
        for (int i = waiting.length - 1; i >= 0; i--) {
            path[waiting[i]] = (int) (rest % count(waiting[i]));
            rest /= count(waiting[i]);
        }
    }

    /** From the last to the first: what lies below is known then. */
    private List<TreeLevel> levels() {
        return sized(order, children);
    }

    static List<TreeLevel> sized(List<Parameter> order, List<int[]> children) {
        TreeLevel[] levels = new TreeLevel[order.size()];
        long[] below = {1};
        for (int level = levels.length - 1; level >= 0; level--) {
            levels[level] = TreeLevel.of(order.get(level), children.get(level), below);
            below = levels[level].sizes();
        }
        return Stream.of(levels).toList();
    }
}
