package dev.tilewright.emulator.mutation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Of the mutants of every role layout nearly all are found within 20 seeds. */
class MutationTest {
    private static final double SCORE = 0.95;
    private static final double MOST_LISTED = 0.05;
    private static final int SAMPLE = 60;

    /** A mutant of a kernel. */
    private record Candidate(String kernel, Mutant mutant) {
        String key() {
            return kernel + " | " + mutant.description();
        }
    }

    private static List<Candidate> candidates() {
        List<Candidate> all = new ArrayList<>();
        MutationKernels.all()
                .forEach((name, gemm) -> MutantGenerator.of(gemm.kernel().module(), "gemm")
                        .forEach(mutant -> all.add(new Candidate(name, mutant))));
        return all;
    }

    /** Mutants that change nothing, each with its reason. */
    private static Set<String> listed() throws IOException {
        try (InputStream in = Objects.requireNonNull(MutationTest.class.getResourceAsStream("survivors.txt"))) {
            Set<String> keys = new HashSet<>();
            for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList()) {
                if (!line.startsWith("#")) {
                    String[] parts = line.split(" \\| ");
                    assertThat(parts).as(line).hasSize(3);
                    assertThat(keys.add(parts[0] + " | " + parts[1]))
                            .as("listed twice: " + line)
                            .isTrue();
                }
            }
            return keys;
        }
    }

    /** Survivors of these candidates; kernels are run as they are first. */
    private static List<String> survivors(List<Candidate> candidates) {
        Map<String, MutationRun> runs = new HashMap<>();
        MutationKernels.all().forEach((name, gemm) -> runs.put(name, new MutationRun(gemm)));
        List<String> survivors = new ArrayList<>();
        for (Candidate candidate : candidates) {
            MutationRun run = Objects.requireNonNull(runs.get(candidate.kernel()));
            if (run.killedBy(candidate.mutant()).isEmpty()) {
                survivors.add(candidate.key());
            }
        }
        return survivors;
    }

    private static void assertScore(List<Candidate> candidates, Set<String> listed) {
        List<String> survivors = survivors(candidates);
        long equivalent =
                candidates.stream().map(Candidate::key).filter(listed::contains).count();
        List<String> missed =
                survivors.stream().filter(key -> !listed.contains(key)).toList();
        double score = 1 - missed.size() / (double) (candidates.size() - equivalent);
        assertThat(score).as("score; missed: " + String.join("\n", missed)).isGreaterThanOrEqualTo(SCORE);
    }

    @Test
    void aSampleIsFound() throws IOException {
        Set<String> listed = listed();
        List<Candidate> all = candidates();
        // Mutants that change nothing take all 20 seeds; they belong to the full run.
        all.removeIf(candidate -> listed.contains(candidate.key()));
        SplittableRandom random = new SplittableRandom(1);
        List<Candidate> sample = new ArrayList<>();
        for (int i = 0; i < SAMPLE; i++) {
            sample.add(all.remove(random.nextInt(all.size())));
        }
        assertScore(sample, listed);
    }

    @Test
    void mutantsAreManyAndOfAllKinds() throws IOException {
        List<Candidate> all = candidates();
        Map<String, Integer> kinds = new TreeMap<>();
        all.forEach(candidate -> kinds.merge(candidate.mutant().kind(), 1, Integer::sum));
        assertThat(kinds)
                .containsOnlyKeys(
                        "arrive",
                        "commit",
                        "expect",
                        "fence",
                        "offset",
                        "order",
                        "parity",
                        "predicate",
                        "stage",
                        "wait");
        assertThat(all).hasSizeGreaterThan(300);
        Set<String> keys = new HashSet<>();
        all.forEach(candidate ->
                assertThat(keys.add(candidate.key())).as(candidate.key()).isTrue());
        assertThat(keys).as("listed mutants exist").containsAll(listed());
        assertThat(listed().size()).isLessThanOrEqualTo((int) (MOST_LISTED * all.size()));
    }

    @Tag("full")
    @Test
    void nearlyAllAreFound() throws IOException {
        assertScore(candidates(), listed());
    }
}
