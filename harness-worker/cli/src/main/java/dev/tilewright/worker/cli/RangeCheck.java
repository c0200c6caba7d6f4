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
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The check of a range of M: each config at both ends of the range and at M drawn between them. The kernel is one text
 * for all of them, since a family builds it of the config alone.
 *
 * @param problems one for each M, in their order
 * @param plan of the proofs
 */
record RangeCheck(RangedProblem ranged, List<Problem> problems, ProofPlan plan) {

    private static final int DRAWN = 2;

    /** Of so many drawn configs that keep the rules at one end, one keeps those at all M, or none is looked for. */
    private static final int DRAWS_A_TRIAL = 64;

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

    /** Where each config is checked. */
    String said() {
        return ranged.range() + ": each config at M = "
                + problems.stream()
                        .map(problem -> Integer.toString(problem.shape().m()))
                        .collect(Collectors.joining(", "))
                + ", one text for all of them";
    }

    /**
     * Each config at each M.
     *
     * @param space of the configs that may be drawn for a problem
     * @param trials how many configs
     */
    List<ConfigCheck.Candidate> candidates(Function<Problem, SearchSpace> space, int trials) {
        List<SearchSpace> spaces = problems.stream().map(space).toList();
        List<Config> configs = Stream.of(spaces.getFirst(), spaces.getLast())
                .flatMap(end -> drawn(end, trials))
                .filter(config -> spaces.stream().allMatch(each -> keepsRules(each, config)))
                .distinct()
                .limit(trials)
                .toList();
        if (configs.isEmpty()) {
            throw CommandFailedException.usage("no config was drawn that keeps every rule at each M of "
                    + ranged.range() + "; name values with --set, or take a shorter range");
        }
        List<ConfigCheck.Candidate> candidates = new ArrayList<>();
        for (Config config : configs) {
            problems.forEach(problem -> candidates.add(new ConfigCheck.Candidate(problem, config)));
        }
        return candidates;
    }

    private Stream<Config> drawn(SearchSpace end, int trials) {
        SpaceTree tree = SpaceTree.of(end);
        return tree.isEmpty() ? Stream.empty() : ConfigSample.of(tree, DRAWS_A_TRIAL * trials, plan.seed()).stream();
    }

    private static boolean keepsRules(SearchSpace space, Config config) {
        return space.constraints().stream()
                .allMatch(constraint -> constraint.violation(config).isEmpty());
    }
}
