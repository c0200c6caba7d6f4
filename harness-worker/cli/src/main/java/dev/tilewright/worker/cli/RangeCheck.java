package dev.tilewright.worker.cli;

import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.RangedProblem;
import dev.tilewright.model.range.RowSamples;
import dev.tilewright.model.space.Config;
import dev.tilewright.proof.ConfigSample;
import dev.tilewright.proof.emulation.ProofPlan;
import dev.tilewright.space.SearchSpace;
import dev.tilewright.space.SpaceTree;
import dev.tilewright.worker.link.command.CommandFailedException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The check of a range of M: both ends of the range and M drawn between them. The kernel of a config is one text for
 * all of them, since a family builds it of the config alone. It is proved at those M at which it keeps the rules: tiles
 * of 256 rows are no kernel for one row.
 *
 * @param problems one for each M, in their order
 * @param plan of the proofs
 */
record RangeCheck(RangedProblem ranged, List<Problem> problems, ProofPlan plan) {

    private static final int DRAWN = 2;

    static RangeCheck of(RangedProblem ranged, ProofPlan plan) {
        int least = ranged.range().least();
        int most = ranged.range().most();
        int[] ends = {least, most};
        int[] between = RowSamples.drawn(least, most, DRAWN, plan.seed(), ends);
        List<Problem> problems = IntStream.concat(Arrays.stream(ends), Arrays.stream(between))
                .distinct()
                .sorted()
                .mapToObj(ranged::at)
                .toList();
        return new RangeCheck(ranged, problems, plan);
    }

    /** The line that says at which M configs are checked. */
    String said() {
        return ranged.range() + ": the one text of each config at those of M = "
                + problems.stream()
                        .map(problem -> Integer.toString(problem.shape().m()))
                        .collect(Collectors.joining(", "))
                + " at which it keeps the rules";
    }

    /**
     * Each config at each M at which it keeps the rules.
     *
     * @param whole the space of a problem
     * @param wanted the configs that may be drawn for a problem; it may refuse
     * @param trials how many configs, from both ends of the range in turn
     */
    List<ConfigCheck.Candidate> candidates(
            Function<Problem, SearchSpace> whole, Function<Problem, SearchSpace> wanted, int trials) {
        List<String> reasons = new ArrayList<>();
        Iterator<Config> ofLeast = drawn(wanted, problems.getFirst(), trials, reasons);
        Iterator<Config> ofMost = drawn(wanted, problems.getLast(), trials, reasons);
        Set<Config> configs = new LinkedHashSet<>();
        while (configs.size() < trials && (ofLeast.hasNext() || ofMost.hasNext())) {
            Iterator<Config> next =
                    !ofMost.hasNext() || ofLeast.hasNext() && configs.size() % 2 == 0 ? ofLeast : ofMost;
            configs.add(next.next());
        }
        if (configs.isEmpty()) {
            throw CommandFailedException.usage(
                    "no config is left for either end of " + ranged.range() + ": " + String.join("; ", reasons));
        }
        Map<Problem, SearchSpace> spaces = new LinkedHashMap<>();
        problems.forEach(problem -> spaces.put(problem, whole.apply(problem)));
        List<ConfigCheck.Candidate> candidates = new ArrayList<>();
        for (Config config : configs) {
            spaces.forEach((problem, space) -> {
                if (keepsRules(space, config)) {
                    candidates.add(new ConfigCheck.Candidate(problem, config));
                }
            });
        }
        return candidates;
    }

    private Iterator<Config> drawn(
            Function<Problem, SearchSpace> wanted, Problem end, int trials, List<String> reasons) {
        String at = "with M = " + end.shape().m() + ": ";
        try {
            SpaceTree tree = SpaceTree.of(wanted.apply(end));
            tree.emptiedBy().forEach(violation -> reasons.add(at + violation));
            return tree.isEmpty()
                    ? Collections.emptyIterator()
                    : ConfigSample.of(tree, trials, plan.seed()).iterator();
        } catch (CommandFailedException refused) {
            reasons.add(at + refused.getMessage());
            return Collections.emptyIterator();
        }
    }

    private static boolean keepsRules(SearchSpace space, Config config) {
        return space.broken(config).isEmpty();
    }
}
