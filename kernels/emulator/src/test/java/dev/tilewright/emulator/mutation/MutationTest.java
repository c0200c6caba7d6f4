package dev.tilewright.emulator.mutation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.emulator.figures.Figures;
import dev.tilewright.emulator.figures.Provenance;
import dev.tilewright.emulator.gemm.GemmCase;
import dev.tilewright.emulator.mutation.MutationFigures.Result;
import dev.tilewright.emulator.mutation.MutationFigures.Score;
import dev.tilewright.emulator.mutation.MutationSample.Candidate;
import dev.tilewright.testing.Selection;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Of the mutants of every role layout nearly all are reported within 20 seeds. */
class MutationTest {
    private static final double SCORE = 0.95;
    private static final double MOST_LISTED = 0.05;
    private static final int LEAST_MUTANTS = 300;
    /** Every so manieth mutant of the sample is run by an ordinary test, from one that each run draws. */
    private static final int STRIDE = 25;

    private static final Map<MutationSuite, List<Candidate>> ALL = Stream.of(MutationSuite.values())
            .collect(Collectors.toUnmodifiableMap(Function.identity(), MutationSample::all));

    private static List<Candidate> all(MutationSuite suite) {
        return Objects.requireNonNull(ALL.get(suite));
    }

    /** Runs these; kernels are run as they are first. */
    private static List<Result> run(MutationSuite suite, List<Candidate> candidates) throws IOException {
        Map<String, String> equivalent = MutationSample.equivalent(suite);
        Map<String, GemmCase> kernels = suite.kernels();
        Map<String, MutationRun> runs = new HashMap<>();
        List<Result> results = new ArrayList<>();
        for (Candidate candidate : candidates) {
            MutationRun run = runs.computeIfAbsent(
                    candidate.kernel(), name -> new MutationRun(suite, Objects.requireNonNull(kernels.get(name))));
            results.add(new Result(
                    candidate, run.outcome(candidate.mutant()), equivalent.getOrDefault(candidate.key(), "")));
        }
        return results;
    }

    @ParameterizedTest
    @EnumSource
    void aPartOfTheSampleIsReported(MutationSuite suite) throws IOException {
        // Mutants that change nothing, and survivors of the last full run, take all 20 seeds: they belong to that.
        Set<String> slow = new HashSet<>(MutationSample.equivalent(suite).keySet());
        Figures.read(suite.figure())
                .get("survived")
                .forEach(named -> slow.add(named.get("mutant").asString()));
        List<Candidate> drawn = MutationSample.drawn(suite, all(suite));
        List<Candidate> some = new ArrayList<>();
        for (int i = Math.floorMod(Selection.seed(), STRIDE); i < drawn.size(); i += STRIDE) {
            if (!slow.contains(drawn.get(i).key())) {
                some.add(drawn.get(i));
            }
        }
        assertThat(some).hasSizeGreaterThan(drawn.size() / STRIDE / 2);
        Score score = MutationFigures.score(suite, all(suite).size(), run(suite, some));
        assertThat(score.survived()).as("reported by the last full run").isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void theSampleIsWhatTheRulesSay(MutationSuite suite) throws IOException {
        Set<Rule> rules = EnumSet.noneOf(Rule.class);
        Set<String> keys = new HashSet<>();
        all(suite).forEach(candidate -> {
            rules.add(candidate.mutant().rule());
            assertThat(keys.add(candidate.key())).as(candidate.key()).isTrue();
        });
        assertThat(rules).isEqualTo(EnumSet.complementOf(EnumSet.copyOf(suite.unused())));
        List<Candidate> drawn = MutationSample.drawn(suite, all(suite));
        assertThat(drawn).hasSizeGreaterThanOrEqualTo(LEAST_MUTANTS);
        assertThat(drawn.stream().map(Candidate::kernel).collect(Collectors.toSet()))
                .isEqualTo(suite.kernels().keySet());
        Set<String> drawnKeys = drawn.stream().map(Candidate::key).collect(Collectors.toSet());
        assertThat(drawnKeys).hasSize(drawn.size());
        Set<String> listed = MutationSample.equivalent(suite).keySet();
        assertThat(drawnKeys).as("listed mutants are in the sample").containsAll(listed);
        assertThat(listed.size()).isLessThanOrEqualTo((int) (MOST_LISTED * drawn.size()));
    }

    @Tag("full")
    @Test
    void nearlyAllOfHopperAreReported() throws IOException, InterruptedException {
        nearlyAllAreReported(MutationSuite.SM90, "Mutation score");
    }

    @Tag("full")
    @Test
    void nearlyAllOfBlackwellAreReported() throws IOException, InterruptedException {
        nearlyAllAreReported(MutationSuite.SM100, "Mutation score on Blackwell");
    }

    private static void nearlyAllAreReported(MutationSuite suite, String title)
            throws IOException, InterruptedException {
        Provenance provenance = Provenance.read(InstantSource.system());
        List<Candidate> all = all(suite);
        Score score = MutationFigures.score(suite, all.size(), run(suite, MutationSample.drawn(suite, all)));
        Figures.write(suite.figure(), title, provenance, score, MutationFigures.markdown(suite, score));
        assertThat(score.listedButReported())
                .as("listed, but they do change something")
                .isEmpty();
        assertThat(score.score()).as(score.survived().toString()).isGreaterThanOrEqualTo(SCORE);
    }
}
