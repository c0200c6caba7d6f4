package dev.tilewright.emulator.mutation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.emulator.figures.Figures;
import dev.tilewright.emulator.figures.Provenance;
import dev.tilewright.emulator.gemm.GemmCase;
import dev.tilewright.emulator.mutation.MutationFigures.Result;
import dev.tilewright.emulator.mutation.MutationFigures.Score;
import dev.tilewright.emulator.mutation.MutationSample.Candidate;
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
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Of the mutants of every role layout nearly all are reported within 20 seeds. */
class MutationTest {
    private static final double SCORE = 0.95;
    private static final double MOST_LISTED = 0.05;
    private static final int LEAST_MUTANTS = 300;
    /** Every so manieth mutant of the sample is run by an ordinary test. */
    private static final int STRIDE = 10;

    private static final List<Candidate> ALL = MutationSample.all();

    /** Runs these; kernels are run as they are first. */
    private static List<Result> run(List<Candidate> candidates) throws IOException {
        Map<String, String> equivalent = MutationSample.equivalent();
        Map<String, GemmCase> kernels = MutationKernels.all();
        Map<String, MutationRun> runs = new HashMap<>();
        List<Result> results = new ArrayList<>();
        for (Candidate candidate : candidates) {
            MutationRun run = runs.computeIfAbsent(
                    candidate.kernel(), name -> new MutationRun(Objects.requireNonNull(kernels.get(name))));
            results.add(new Result(
                    candidate, run.outcome(candidate.mutant()), equivalent.getOrDefault(candidate.key(), "")));
        }
        return results;
    }

    @Test
    void aPartOfTheSampleIsReported() throws IOException {
        Map<String, String> equivalent = MutationSample.equivalent();
        List<Candidate> drawn = MutationSample.drawn(ALL);
        List<Candidate> some = new ArrayList<>();
        for (int i = 0; i < drawn.size(); i += STRIDE) {
            // Mutants that change nothing take all 20 seeds; they belong to the full run.
            if (!equivalent.containsKey(drawn.get(i).key())) {
                some.add(drawn.get(i));
            }
        }
        Score score = MutationFigures.score(ALL.size(), run(some));
        assertThat(score.score()).as(score.survived().toString()).isGreaterThanOrEqualTo(SCORE);
    }

    @Test
    void theSampleIsWhatTheRulesSay() throws IOException {
        Set<Rule> rules = EnumSet.noneOf(Rule.class);
        Set<String> keys = new HashSet<>();
        ALL.forEach(candidate -> {
            rules.add(candidate.mutant().rule());
            assertThat(keys.add(candidate.key())).as(candidate.key()).isTrue();
        });
        // No kernel waits for a bulk group without .read.
        assertThat(rules).isEqualTo(EnumSet.complementOf(EnumSet.of(Rule.WAIT_READ)));
        List<Candidate> drawn = MutationSample.drawn(ALL);
        assertThat(drawn).hasSizeGreaterThanOrEqualTo(LEAST_MUTANTS);
        assertThat(drawn.stream().map(Candidate::kernel).collect(Collectors.toSet()))
                .isEqualTo(MutationKernels.all().keySet());
        Set<String> drawnKeys = drawn.stream().map(Candidate::key).collect(Collectors.toSet());
        assertThat(drawnKeys).hasSize(drawn.size());
        Set<String> listed = MutationSample.equivalent().keySet();
        assertThat(drawnKeys).as("listed mutants are in the sample").containsAll(listed);
        assertThat(listed.size()).isLessThanOrEqualTo((int) (MOST_LISTED * drawn.size()));
    }

    @Tag("full")
    @Test
    void nearlyAllAreReported() throws IOException, InterruptedException {
        Provenance provenance = Provenance.read(InstantSource.system());
        Score score = MutationFigures.score(ALL.size(), run(MutationSample.drawn(ALL)));
        Figures.write("mutation", "Mutation score", provenance, score, MutationFigures.markdown(score));
        assertThat(score.listedButReported())
                .as("listed, but they do change something")
                .isEmpty();
        assertThat(score.score()).as(score.survived().toString()).isGreaterThanOrEqualTo(SCORE);
    }
}
