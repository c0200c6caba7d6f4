package dev.tilewright.worker.gpu.verify;

import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.launch.bundle.Bundle;
import dev.tilewright.launch.bundle.BundleFiles;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Config;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/** A problem and the launch of a bundle with an epilogue of any order, both drawn. */
record DrawnEnding(String text, Problem problem, LaunchDescription launch) {

    static DrawnEnding draw(RandomGenerator random) {
        List<String> steps = steps(random);
        String text = """
            name: drawn
            problem:
              a: {type: %s, major: %s}
              b: {type: %s, major: %s}
              d: {type: %s, major: %s}
              batched: true
              %s
            epilogue: %s
            kernel: kernel.ptx
            launch:
              grid: 1
              block: 32
              parameters: [{pointer: D}]
            """.formatted(
                        input(random),
                        one(random, "k", "m"),
                        input(random),
                        one(random, "k", "n"),
                        added(random),
                        one(random, "n", "m"),
                        one(
                                random,
                                "tolerance: bound",
                                "tolerance: exact",
                                "tolerance: {absolute: 0.5, relative: 0.0078125}",
                                "tolerance: {bound: {relative: 0, c: 0}}",
                                "tolerance: {bound: {c: 64}}"),
                        epilogue(random, steps));
        String vectors = "  buffers:\n    BIAS: {dtype: %s, shape: [batch, %s], init: normal}\n"
                .formatted(added(random), steps.contains("bias") ? "n" : "m");
        boolean biased = steps.contains("bias") || steps.contains("bias-m");
        return of(
                biased && random.nextBoolean() ? text + vectors : text,
                new ProblemShape(1 + random.nextInt(40), 1 + random.nextInt(40), 1 + random.nextInt(30)),
                1 + random.nextInt(3));
    }

    /** An activation, and what else there may be, in any order. */
    private static List<String> steps(RandomGenerator random) {
        List<String> steps = new ArrayList<>(List.of(one(random, "relu", "gelu", "gelu-erf", "silu")));
        List<String> others = List.of(
                "alpha=" + one(random, "1", "0.5", "-1.75"),
                "beta=" + one(random, "1", "-0.5", "0"),
                one(random, "bias", "bias-m"),
                "clamp=" + one(random, "-1..1.5", "0..6", "-8..0.25"));
        for (String step : others) {
            if (random.nextInt(3) > 0) {
                steps.add(random.nextInt(steps.size() + 1), step);
            }
        }
        return steps;
    }

    /** Steps alone, or with types of what they add. */
    private static String epilogue(RandomGenerator random, List<String> steps) {
        String text = String.join(",", steps);
        if (random.nextInt(3) == 0) {
            return text;
        }
        boolean addsC = steps.contains("beta=1") || steps.contains("beta=-0.5");
        boolean biased = steps.contains("bias") || steps.contains("bias-m");
        return "{steps: \"" + text + "\"" + (addsC ? ", c: " + added(random) : "")
                + (biased ? ", bias: " + added(random) : "") + "}";
    }

    private static String input(RandomGenerator random) {
        return one(random, "bf16", "f16", "f32", "e4m3", "e5m2");
    }

    private static String added(RandomGenerator random) {
        return one(random, "bf16", "f16", "f32");
    }

    static DrawnEnding of(String text, ProblemShape shape, int batch) {
        Bundle bundle = Bundle.read(BundleFiles.of(
                Map.of("kernel.yaml", text.getBytes(StandardCharsets.UTF_8), "kernel.ptx", new byte[1])));
        Problem problem = bundle.problem().of(shape, batch);
        return new DrawnEnding(text, problem, bundle.launch(problem, 4, Config.of(Map.of())));
    }

    private static String one(RandomGenerator random, String... values) {
        return List.of(values).get(random.nextInt(values.length));
    }

    @Override
    public String toString() {
        return problem.shapes() + "\n" + text;
    }
}
