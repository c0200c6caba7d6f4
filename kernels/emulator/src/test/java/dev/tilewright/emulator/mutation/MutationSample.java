package dev.tilewright.emulator.mutation;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;

/** The mutants that the score is taken over, drawn as the rules of its suite say. */
final class MutationSample {
    /** A mutant of a kernel. */
    record Candidate(String kernel, Mutant mutant) {
        String key() {
            return kernel + " | " + mutant.rule().text() + " | " + mutant.description();
        }
    }

    private MutationSample() {}

    /** All mutants of all kernels. */
    static List<Candidate> all(MutationSuite suite) {
        List<Candidate> all = new ArrayList<>();
        suite.kernels()
                .forEach(
                        (name, gemm) -> MutantGenerator.of(gemm.kernel().module(), "gemm", suite.swizzle(gemm.config()))
                                .forEach(mutant -> all.add(new Candidate(name, mutant))));
        return all;
    }

    /** Those drawn. */
    static List<Candidate> drawn(MutationSuite suite, List<Candidate> all) {
        SplittableRandom random = new SplittableRandom(suite.sampleSeed());
        Map<String, List<Candidate>> byKernel = new LinkedHashMap<>();
        all.forEach(candidate -> byKernel.computeIfAbsent(candidate.kernel(), _ -> new ArrayList<>())
                .add(candidate));
        List<Candidate> drawn = new ArrayList<>();
        for (List<Candidate> left : byKernel.values()) {
            for (int i = 0; i < suite.perKernel(); i++) {
                drawn.add(left.remove(random.nextInt(left.size())));
            }
        }
        return drawn;
    }

    /** Mutants that change nothing, by their keys, each with the argument. */
    static Map<String, String> equivalent(MutationSuite suite) throws IOException {
        String file = suite.equivalent();
        try (InputStream in = Objects.requireNonNull(MutationSample.class.getResourceAsStream(file))) {
            Map<String, String> reasons = new LinkedHashMap<>();
            for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList()) {
                if (!line.startsWith("#")) {
                    int end = line.lastIndexOf(" | ");
                    if (end < 0 || reasons.put(line.substring(0, end), line.substring(end + 3)) != null) {
                        throw new IllegalStateException(file + ": no reason, or listed twice: " + line);
                    }
                }
            }
            return reasons;
        }
    }
}
