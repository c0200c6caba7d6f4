package dev.tilewright.worker.board;

import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.model.trial.Measurement;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.model.trial.Testbed;
import dev.tilewright.model.trial.TestbedKind;
import dev.tilewright.worker.board.ResultDocument.Study;
import dev.tilewright.worker.board.ResultDocument.Trial;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The result of a job as a Markdown document: what was found for each shape, and how far each scheduler got.
 *
 * @param commit of the sources that were built; {@code null} if it is not known
 */
public record MarkdownReport(@Nullable String commit) {

    private static final String NONE = "-";

    private static final Comparator<Trial> BY_SCREEN = Comparator.comparingDouble(
            trial -> trial.screened().map(Measurement::tflops).orElse(0.0));

    /** All lines. */
    public List<String> lines(ResultDocument result) {
        boolean simulated = result.studies().stream().anyMatch(Study::isSimulated);
        List<Study> emulated =
                result.studies().stream().filter(Study::isEmulated).toList();
        List<Study> timed =
                result.studies().stream().filter(study -> !study.isEmulated()).toList();
        List<String> lines = new ArrayList<>();
        lines.add("# Tuned GEMMs" + (simulated ? " (simulated)" : "") + (emulated.isEmpty() ? "" : " (emulated)") + ", "
                + date(result));
        lines.add("");
        lines.addAll(origin(result));
        if (simulated) {
            lines.add("");
            lines.add("**Simulated: times and tiles per SM are predictions of a model, nothing ran on a GPU.**");
        }
        if (!emulated.isEmpty()) {
            lines.addAll(proofs(emulated));
        }
        if (timed.isEmpty()) {
            return lines;
        }
        lines.add("");
        lines.addAll(winners(timed));
        lines.add("");
        lines.addAll(checks(timed));
        lines.add("TFLOP/s with their 95 % interval over blocks; sustained: steady state at the clock that the power"
                + " allows; cold: L2 flushed before each launch. Ratios are speeds of our config over a peer's,"
                + " paired over the blocks of one final.");
        for (Study study : timed) {
            Leaderboard.noPeer(study)
                    .ifPresent(line -> lines.addAll(List.of("", "* " + study.problem() + ": " + line)));
        }
        if (timed.stream().allMatch(study -> bestScreens(study).isEmpty())) {
            return lines;
        }
        lines.add("");
        lines.add("## Best screen of each scheduler");
        lines.add("");
        lines.addAll(schedulers(timed));
        lines.add("");
        lines.add(
                "Screens are the quick look at every config, before the clock has settled: they rank, and are not to be"
                        + " compared with the sustained rates above. Rates of the final are, where a config came so"
                        + " far.");
        return lines;
    }

    private static String date(ResultDocument result) {
        return result.job().finishedAt() == null
                ? "not finished"
                : result.job().finishedAt().truncatedTo(ChronoUnit.SECONDS).toString();
    }

    private List<String> origin(ResultDocument result) {
        List<String> lines = new ArrayList<>();
        String name = result.job().name();
        lines.add("* job " + result.job().id() + (name == null || name.isBlank() ? "" : " (" + name + ")"));
        List<Testbed> testbeds = result.studies().stream()
                .map(Study::testbed)
                .filter(Objects::nonNull)
                .distinct()
                .toList();
        testbeds.forEach(testbed -> lines.add("* testbed " + Leaderboard.describe(testbed) + ", clocks "
                + (testbed.clockPolicy() == null ? "unknown" : testbed.clockPolicy())));
        if (commit != null && !commit.isBlank()) {
            lines.add("* commit " + commit);
        }
        return lines;
    }

    private static List<String> winners(List<Study> studies) {
        CompactConfig form = CompactConfig.of(studies.stream()
                .flatMap(study -> best(study).stream())
                .map(Trial::config)
                .toList());
        MarkdownTable table = new MarkdownTable(
                "shape",
                "testbed",
                "config",
                "sustained",
                "cold",
                "blocks",
                "to cuBLAS default",
                "to best peer",
                "best peer",
                "trials",
                "sweep");
        for (Study study : studies) {
            Optional<Trial> best = best(study);
            table.add(
                    study.problem().toString(),
                    device(study),
                    best.map(trial -> form.format(trial.config())).orElse("none completed"),
                    best.flatMap(trial -> trial.last(Mode.SUSTAINED))
                            .map(MarkdownReport::rate)
                            .orElse(NONE),
                    best.flatMap(trial -> trial.last(Mode.COLD))
                            .map(MarkdownReport::rate)
                            .orElse(NONE),
                    best.flatMap(Trial::decisive)
                            .map(last -> last.blocks() + " (" + last.stage() + ")")
                            .orElse(NONE),
                    ratio(study.ratioToDefault(), study.ratioToDefaultCi()),
                    ratio(study.ratioToBestPeer(), study.ratioToBestPeerCi()),
                    study.bestPeer() == null ? NONE : study.bestPeer(),
                    study.trials().isEmpty() ? "0" : Leaderboard.outcomes(study.trials()),
                    study.sweep() == null ? NONE : study.sweep().toString());
        }
        return table.lines();
    }

    private static List<String> checks(List<Study> studies) {
        List<String> lines = new ArrayList<>();
        for (Study study : studies) {
            Checks.line(study.trials()).ifPresent(line -> lines.addAll(List.of("* " + study.problem() + ", " + line)));
        }
        if (!lines.isEmpty()) {
            lines.add("");
        }
        return lines;
    }

    private static List<String> proofs(List<Study> studies) {
        List<String> lines = new ArrayList<>(List.of(
                "",
                "**Emulated: proved on the CPU, no times.** A proof runs the kernel with each seed on a small problem with"
                        + " the same tails; steps are instructions of warps.",
                ""));
        List<Trial> all = studies.stream()
                .flatMap(study -> Leaderboard.ranked(study).stream())
                .toList();
        CompactConfig form = CompactConfig.of(all.stream().map(Trial::config).toList());
        MarkdownTable table = new MarkdownTable(
                "shape",
                "testbed",
                "config",
                "outcome",
                "verdict",
                "seeds",
                "run shape",
                "steps",
                "registers",
                "tiles per SM",
                "finding");
        for (Study study : studies) {
            for (Trial trial : Leaderboard.ranked(study)) {
                List<String> row = new ArrayList<>(List.of(
                        study.problem().toString(),
                        device(study),
                        form.format(trial.config()),
                        String.valueOf(trial.outcome())));
                row.addAll(ProofTable.proof(trial.checked(), study.problem()));
                row.addAll(List.of(
                        Leaderboard.orNone(trial.registers()),
                        Leaderboard.tiles(trial),
                        Checks.finding(trial).orElse(NONE)));
                table.add(row.toArray(String[]::new));
            }
        }
        lines.addAll(table.lines());
        studies.forEach(study ->
                lines.addAll(List.of("", "* " + study.problem() + ": trials " + Leaderboard.outcomes(study.trials()))));
        return lines;
    }

    private static Optional<Trial> best(Study study) {
        return study.best() == null
                ? Optional.empty()
                : study.trials().stream()
                        .filter(trial -> trial.id().equals(study.best().id()))
                        .findFirst();
    }

    private static List<String> schedulers(List<Study> studies) {
        List<Trial> shown = studies.stream()
                .flatMap(study -> bestScreens(study).values().stream())
                .toList();
        CompactConfig form = CompactConfig.of(shown.stream().map(Trial::config).toList());
        MarkdownTable table = new MarkdownTable(
                "shape",
                "testbed",
                "scheduler",
                "config",
                "screen",
                "blocks",
                "final",
                "tiles per SM",
                "idle tail",
                "asked for tiles");
        for (Study study : studies) {
            bestScreens(study)
                    .forEach((scheduler, trial) -> table.add(
                            study.problem().toString(),
                            device(study),
                            scheduler,
                            form.format(trial.config()),
                            trial.screened().map(MarkdownReport::rate).orElse(NONE),
                            trial.screened()
                                    .map(screen -> Integer.toString(screen.blocks()))
                                    .orElse(NONE),
                            trial.decisive()
                                    .filter(last -> last.stage() == Stage.FINAL)
                                    .map(MarkdownReport::rate)
                                    .orElse(NONE),
                            Leaderboard.tiles(trial),
                            trial.idleTailFraction() == null
                                    ? NONE
                                    : String.format(Locale.ROOT, "%.1f %%", 100 * trial.idleTailFraction()),
                            Asking.of(trial).orElse(NONE)));
        }
        return table.lines();
    }

    /** The fastest screen of each scheduler, by its name. */
    private static TreeMap<String, Trial> bestScreens(Study study) {
        return study.trials().stream()
                .filter(trial -> trial.isCompleted() && trial.screened().isPresent())
                .filter(trial -> scheduler(trial.config()) != null)
                .collect(Collectors.toMap(
                        trial -> String.valueOf(scheduler(trial.config())),
                        trial -> trial,
                        (one, other) -> BY_SCREEN.compare(one, other) >= 0 ? one : other,
                        TreeMap::new));
    }

    private static @Nullable ParameterValue scheduler(Config config) {
        return config.values().get("scheduler");
    }

    private static String device(Study study) {
        Testbed testbed = study.testbed();
        if (testbed == null) {
            return "none";
        }
        return testbed.kind() == TestbedKind.SIMULATED ? "simulated " + testbed.device() : testbed.device();
    }

    private static String rate(Measurement measurement) {
        return String.format(Locale.ROOT, "%.1f", measurement.tflops())
                + Leaderboard.interval(measurement)
                        .map(interval -> " " + interval)
                        .orElse("");
    }

    private static String ratio(@Nullable Double ratio, @Nullable List<Double> interval) {
        return ratio == null ? NONE : Leaderboard.ratio(ratio, interval);
    }
}
