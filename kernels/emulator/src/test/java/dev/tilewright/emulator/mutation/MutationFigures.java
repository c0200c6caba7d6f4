package dev.tilewright.emulator.mutation;

import dev.tilewright.emulator.figures.Figures;
import dev.tilewright.emulator.mutation.MutationSample.Candidate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/** The figures of a mutation run. */
final class MutationFigures {
    /** A mutant, what became of it, and the argument if it is listed as changing nothing. */
    record Result(Candidate candidate, Outcome outcome, String listed) {
        boolean isListed() {
            return !listed.isEmpty();
        }
    }

    /** Sums over some mutants; {@code survived} without the listed. */
    record Tally(int mutants, int hazard, Map<String, Integer> hazards, int wrongResult, int survived, int listed) {}

    /** A mutant by name. */
    record Named(String mutant, String note) {}

    /** All of it. */
    record Score(
            int made,
            long sampleSeed,
            int perKernel,
            int seeds,
            double score,
            Tally all,
            Map<String, Tally> byRule,
            Map<String, Tally> byKernel,
            List<Named> survived,
            List<Named> listed,
            List<Named> listedButReported) {}

    private MutationFigures() {}

    /** The score of a run over a sample of the {@code made} mutants. */
    static Score score(MutationSuite suite, int made, List<Result> results) {
        Tally all = tally(results);
        return new Score(
                made,
                suite.sampleSeed(),
                suite.perKernel(),
                MutationRun.SEEDS,
                (all.hazard() + all.wrongResult()) / (double) (all.mutants() - all.listed()),
                all,
                by(
                        results,
                        result -> String.format(
                                "%02d %s",
                                result.candidate().mutant().rule().ordinal() + 1,
                                result.candidate().mutant().rule().text())),
                by(results, result -> result.candidate().kernel()),
                results.stream()
                        .filter(result -> !result.isListed() && result.outcome() instanceof Outcome.Survived)
                        .map(result -> new Named(result.candidate().key(), ""))
                        .toList(),
                results.stream()
                        .filter(Result::isListed)
                        .map(result -> new Named(result.candidate().key(), result.listed()))
                        .toList(),
                results.stream()
                        .filter(result -> result.isListed() && !(result.outcome() instanceof Outcome.Survived))
                        .map(result -> new Named(
                                result.candidate().key(), result.outcome().toString()))
                        .toList());
    }

    private static Map<String, Tally> by(List<Result> results, Function<Result, String> key) {
        Map<String, List<Result>> groups = new TreeMap<>();
        results.forEach(result -> groups.computeIfAbsent(key.apply(result), _ -> new ArrayList<>())
                .add(result));
        Map<String, Tally> tallies = new TreeMap<>();
        groups.forEach((name, group) -> tallies.put(name, tally(group)));
        return tallies;
    }

    private static Tally tally(List<Result> results) {
        Map<String, Integer> kinds = new TreeMap<>();
        int hazard = 0;
        int wrong = 0;
        int survived = 0;
        int listed = 0;
        for (Result result : results) {
            if (result.isListed()) {
                listed++;
                continue;
            }
            switch (result.outcome()) {
                case Outcome.Hazard h -> {
                    hazard++;
                    kinds.merge(h.kind(), 1, Integer::sum);
                }
                case Outcome.WrongResult _ -> wrong++;
                case Outcome.Survived _ -> survived++;
            }
        }
        return new Tally(results.size(), hazard, kinds, wrong, survived, listed);
    }

    /** As Markdown. */
    static List<String> markdown(MutationSuite suite, Score score) {
        List<String> lines = new ArrayList<>(List.of(
                "%d mutants drawn of %d (%d of each kernel, sample seed %d), each under seeds 1 to %d until one reports it."
                        .formatted(
                                score.all().mutants(),
                                score.made(),
                                score.perKernel(),
                                score.sampleSeed(),
                                score.seeds()),
                "The rules are in `docs/emulator/%s.md`, the listed mutants with their arguments in `%s`."
                        .formatted(suite.figure(), suite.equivalent()),
                "",
                "**%.1f %% reported** (%d of %d that count)."
                        .formatted(
                                100 * score.score(),
                                score.all().hazard() + score.all().wrongResult(),
                                score.all().mutants() - score.all().listed()),
                ""));
        table(lines, "rule", score.byRule(), score.all());
        lines.add("");
        table(lines, "kernel", score.byKernel(), score.all());
        lines.addAll(List.of("", "## Kinds of hazard", ""));
        lines.addAll(Figures.head("hazard", "mutants"));
        score.all().hazards().forEach((kind, count) -> lines.add(Figures.row(kind, count)));
        lines.addAll(List.of("", "## Survivors", ""));
        score.survived().forEach(named -> lines.add("* `" + named.mutant() + "`"));
        if (score.survived().isEmpty()) {
            lines.add("None.");
        }
        return lines;
    }

    private static void table(List<String> lines, String what, Map<String, Tally> tallies, Tally sum) {
        lines.addAll(Figures.head(what, "mutants", "hazard", "wrong result", "survived", "listed"));
        tallies.forEach((name, tally) -> lines.add(row(name, tally)));
        lines.add(row("all", sum));
    }

    private static String row(String name, Tally t) {
        return Figures.row(name, t.mutants(), t.hazard(), t.wrongResult(), t.survived(), t.listed());
    }
}
