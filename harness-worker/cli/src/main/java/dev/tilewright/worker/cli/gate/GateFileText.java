package dev.tilewright.worker.cli.gate;

import dev.tilewright.bundle.BundleName;
import dev.tilewright.model.exchange.ResultDocument;
import dev.tilewright.model.exchange.ResultDocument.StudyResult;
import dev.tilewright.model.exchange.TrialDocument;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scales;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.TestbedKind;
import dev.tilewright.worker.link.command.CommandFailedException;
import dev.tilewright.worker.link.command.ExitCode;
import dev.tilewright.worker.link.json.Json;
import dev.tilewright.worker.link.text.PlainText;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The text of a {@code tilewright.yaml} to begin with, with the comments that its author needs. */
record GateFileText(String gate, String branch) {

    private static final int MOST_NAME = 60;

    private static final String HEAD = """
            # What `tilewright gate` looks at: kernels times problems, each beside its baseline.
            gate: %s
            device: auto  # or one GPU of the service, such as cuda:0
            # budgetSeconds: 120  # of GPU time for all cases; those that no longer fit are inconclusive
            margins: {warn: 0.5, fail: 1}  # percent of the time of a launch
            retuneSeconds: 60  # a case that fails is tuned again, which says whether that recovers it
            # accept: [relaxed-exit-barrier]  # rules of the emulator that kernels may break
            # The same kernels where this branch was left; or tag: v1.0, commit: 4f1c2aa, run: ID, lastPass: %s (the
            # newest run of the branch that passed), kernel: NAME (another one of this file).
            baseline: {branch: %s}
            """;

    private static final String EXAMPLE = """
            kernels:
              # A bundle of your own: a folder with kernel.yaml, a zip, or NAME@VERSION of one that the service keeps.
              # hand-written: {bundle: kernels/hand-written, config: {tile: 64}}
              # A command that makes one, run where `tilewright gate` is called and nowhere else.
              # compiled: {build: make bundle, bundle: out/bundle, limitSeconds: 600}
              # best: {best: true}  # the best config that the service knows; it must have tuned the problem
              %s: %s
            problems:
              first: %s
              # tall: {shape: 128x8192x8192, dtype: f16}
            # A program that uses PyTorch, from end to end, on the machine of the command.
            # programs:
            #   decode: {run: [python, decode.py], pack: pack}
            # Without `cases`, every kernel meets every problem.
            # cases:
            #   - {kernels: [%s], problems: [first], margins: {warn: 1, fail: 2}, weight: 2}
            """;

    private record Entry(String name, String kernel, String problem) {}

    /** One without a job: a kernel that is there. */
    String example(GateExample kernel) {
        String config = kernel.config().size() == 0 ? "" : ", config: " + config(kernel.config());
        return head()
                + EXAMPLE.formatted(
                        word(kernel.name()),
                        "{" + kernel.key() + ": " + word(kernel.origin()) + config + "}",
                        problem(kernel.problem()),
                        word(kernel.name()));
    }

    private String head() {
        return HEAD.formatted(word(gate), branch, word(branch));
    }

    /**
     * The text for a job.
     *
     * @throws CommandFailedException if no study of it has a best config
     */
    String of(ResultDocument result) {
        Set<String> names = new HashSet<>();
        List<Entry> entries = new ArrayList<>();
        for (StudyResult study : result.studies()) {
            Optional<TrialDocument> best = study.bestTrial();
            if (best.isPresent()) {
                String name = unique(name(study.document().problem().problem()), names);
                entries.add(new Entry(
                        name,
                        kernel(study, best.get()),
                        problem(study.document().problem().problem())));
            }
        }
        if (entries.isEmpty()) {
            throw new CommandFailedException(
                    ExitCode.NEGATIVE, "no study of job " + result.job().id() + " has a best config: nothing to gate");
        }
        return head() + "# Kernels of job " + result.job().id() + "\nkernels:\n"
                + entries.stream()
                        .map(one -> "  best-" + one.name() + ":" + one.kernel() + "\n")
                        .collect(Collectors.joining())
                + "problems:\n"
                + entries.stream()
                        .map(one -> "  " + one.name() + ": " + one.problem() + "\n")
                        .collect(Collectors.joining())
                + "cases:\n"
                + entries.stream()
                        .map(one -> "  - {kernels: [best-" + one.name() + "], problems: [" + one.name() + "]}\n")
                        .collect(Collectors.joining());
    }

    private static String unique(String name, Set<String> taken) {
        String free = name;
        for (int i = 2; !taken.add(free); i++) {
            free = name + "-" + i;
        }
        return free;
    }

    private static String name(Problem problem) {
        String shape = problem.groups().size() == 1
                ? problem.shape().toString()
                : problem.groups().size() + "-groups-" + problem.shape();
        String whole = (problem.batch() > 1 ? problem.batch() + "-times-" : "") + shape + "-"
                + problem.types().a();
        return whole.substring(0, Math.min(whole.length(), MOST_NAME - "best-".length()));
    }

    private static String kernel(StudyResult study, TrialDocument best) {
        String family =
                study.document().family() == null ? "" : study.document().family();
        Optional<BundleName> bundle = BundleName.parse(family);
        String config = best.config().size() == 0 ? "" : "\n    config: " + config(best.config());
        String origin = bundle.map(
                        name -> "\n    bundle: " + word(name.toString().replaceFirst("bundle:", "")))
                .orElse(family.isEmpty() ? "" : "\n    family: " + word(family));
        return "  # " + measured(study, best) + origin + config;
    }

    private static String measured(StudyResult study, TrialDocument best) {
        String rate = best.tflops() == null ? "" : String.format(Locale.ROOT, "%.1f TFLOP/s, ", best.tflops());
        if (study.document().testbed() == null) {
            return rate + "on an unknown device";
        }
        String device = PlainText.line(study.document().testbed().device());
        return study.document().testbed().kind() == TestbedKind.CUDA
                ? rate + "measured on " + device
                : rate + study.document().testbed().kind() + " on " + device + ", never measured";
    }

    private static String config(Config config) {
        return config.values().entrySet().stream()
                .map(value -> value.getKey() + ": " + value(value.getValue().json()))
                .collect(Collectors.joining(", ", "{", "}"));
    }

    private static String value(Object json) {
        return json instanceof String name ? word(name) : json.toString();
    }

    /** Quoted where YAML would read something else than a text. */
    private static String word(String text) {
        boolean plain = text.matches("[A-Za-z][A-Za-z0-9_.-]*")
                && !text.matches("(?i)true|false|null|yes|no|on|off|y|n|inf|nan");
        return plain ? text : Json.mapper().writeValueAsString(text);
    }

    private static String problem(Problem problem) {
        String shapes = problem.groups().stream().map(ProblemShape::toString).collect(Collectors.joining("+"));
        List<String> parts = new ArrayList<>(List.of("shape: " + shapes));
        if (problem.batch() > 1) {
            parts.add("batch: " + problem.batch());
        }
        OperandTypes types = problem.types();
        parts.add(
                types.equals(OperandTypes.of(types.a()))
                        ? "dtype: " + types.a()
                        : "types: [" + types.a() + ", " + types.b() + ", " + types.d() + "]");
        OperandMajors majors = problem.major();
        if (!majors.equals(OperandMajors.DEFAULT)) {
            // Quoted: a plain n is false to some readers of YAML.
            parts.add("major: [\"" + majors.a() + "\", \"" + majors.b() + "\", \"" + majors.d() + "\"]");
        }
        if (problem.scales() != Scales.TENSOR) {
            parts.add("scales: " + problem.scales());
        }
        if (!problem.epilogue().isNone()) {
            parts.add("epilogue: \"" + problem.epilogue() + "\"");
        }
        if (problem.scenario().busySms() > 0) {
            parts.add("busySms: " + problem.scenario().busySms());
        }
        if (problem.scenario().launchOverlap()) {
            parts.add("overlap: true");
        }
        return parts.stream().collect(Collectors.joining(", ", "{", "}"));
    }
}
