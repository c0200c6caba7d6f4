package dev.tilewright.worker.gpu.verify;

import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.launch.bundle.Bundle;
import dev.tilewright.launch.bundle.BundleFiles;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Config;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/** A problem and the launch of a bundle with an epilogue, both drawn. */
record DrawnEnding(String text, Problem problem, LaunchDescription launch) {

    static DrawnEnding draw(RandomGenerator random) {
        String a = one(random, "bf16", "f16", "f32", "e4m3", "e5m2");
        String b = one(random, "bf16", "f16", "f32", "e4m3", "e5m2");
        String d = one(random, "bf16", "f16", "f32");
        String majorD = one(random, "n", "m");
        String text = """
            name: drawn
            problem:
              a: {type: %s, major: %s}
              b: {type: %s, major: %s}
              d: {type: %s, major: %s}
              batched: true
              %s
            epilogue: {alpha: %s%s%s, activation: %s}
            kernel: kernel.ptx
            launch:
              grid: 1
              block: 32
              parameters: [{pointer: D}]
            %s""".formatted(
                a,
                one(random, "k", "m"),
                b,
                one(random, "k", "n"),
                d,
                majorD,
                one(
                        random,
                        "tolerance: bound",
                        "tolerance: exact",
                        "tolerance: {absolute: 0.5, relative: 0.0078125}",
                        "tolerance: {bound: {relative: 0, c: 0}}",
                        "tolerance: {bound: {c: 64}}"),
                one(random, "1", "0.5", "-1.75"),
                random.nextInt(3) == 0
                        ? ""
                        : ", c: " + one(random, "bf16", "f16", "f32") + ", beta: " + one(random, "1", "-0.5", "0"),
                random.nextInt(3) == 0
                        ? ""
                        : ", bias: {along: " + one(random, "m", "n") + ", type: " + one(random, "bf16", "f16", "f32")
                                + "}",
                one(random, "relu", "gelu-tanh", "gelu-erf", "silu"),
                "");
        return of(
                text,
                new ProblemShape(1 + random.nextInt(40), 1 + random.nextInt(40), 1 + random.nextInt(30)),
                1 + random.nextInt(3));
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
