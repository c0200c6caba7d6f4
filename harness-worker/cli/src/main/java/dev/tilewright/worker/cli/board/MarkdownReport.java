package dev.tilewright.worker.cli.board;

import dev.tilewright.model.exchange.PeerSearch;
import dev.tilewright.model.exchange.ResultDocument;
import dev.tilewright.model.exchange.ResultDocument.StudyResult;
import dev.tilewright.model.exchange.TrialDocument;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.model.text.Microseconds;
import dev.tilewright.model.trial.Measurement;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.model.trial.Testbed;
import dev.tilewright.model.trial.TestbedKind;
import dev.tilewright.space.parameter.Scheduler;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The result of a job as a Markdown document: what was found for each shape, and how far each scheduler got.
 *
 * @param commit of the sources that were built; {@code null} if it is not known
 */
public record MarkdownReport(@Nullable String commit) {

    private static final String RACES = "## Tables beside full tunes";

    private static final String NONE = "-";

    private static final Comparator<TrialDocument> BY_SCREEN = Comparator.comparingDouble(
            trial -> -trial.screened().map(Measurement::medianNs).orElse(Double.POSITIVE_INFINITY));

    /** All lines for shapes without names. */
    public List<String> lines(ResultDocument result) {
        return lines(
                result, result.studies().stream().map(_ -> ListedShape.PLAIN).toList());
    }

    /**
     * All lines.
     *
     * @param listed what the user calls the problem of each study
     */
    public List<String> lines(ResultDocument result, List<ListedShape> listed) {
        boolean simulated = result.studies().stream().anyMatch(StudyResult::isSimulated);
        List<StudyResult> single = result.single();
        List<StudyResult> emulated =
                single.stream().filter(StudyResult::isEmulated).toList();
        List<StudyResult> timed =
                single.stream().filter(study -> !study.isEmulated()).toList();
        List<String> lines = new ArrayList<>();
        lines.add("# Tuned GEMMs" + (simulated ? " (simulated)" : "") + (emulated.isEmpty() ? "" : " (emulated)") + ", "
                + date(result));
        lines.add("");
        lines.addAll(origin(result));
        if (simulated) {
            lines.add("");
            lines.add("**Simulated: times and tiles per SM are predictions of a model, nothing ran on a GPU.**");
        }
        for (int range = 0; range < result.ranges().size(); range++) {
            lines.addAll(List.of("", "```"));
            lines.addAll(new RangeBoard(result, range).lines());
            lines.add("```");
        }
        if (!emulated.isEmpty()) {
            lines.addAll(proofs(emulated));
        }
        if (timed.isEmpty()) {
            return lines;
        }
        if (single.size() > 1) {
            lines.add("");
            lines.addAll(new ShapesTable(single, listed).markdown());
            lines.add("");
            lines.add("## Evidence");
        }
        lines.add("");
        lines.addAll(winners(timed));
        lines.add("");
        lines.addAll(checks(timed));
        lines.add("us: median time of a launch. GB/s: A and B read once and D written once in that time. roofline: the"
                + " larger of the shares of the tensor cores' rate and of the memory's bandwidth in the datasheet; a"
                + " dash where that is not known. sustained and cold: TFLOP/s with their 95 % interval over blocks, in"
                + " steady state at the clock that the power allows, and with L2 flushed before each launch. Ratios"
                + " are speeds of our config over a peer's, paired over the blocks of one final.");
        for (StudyResult study : timed) {
            Stream.of(
                            study.document().peerSearches().stream().map(PeerSearch::line),
                            new PeerFamilies(study).lines().stream(),
                            Leaderboard.noPeer(study).stream())
                    .flatMap(part -> part)
                    .forEach(line ->
                            lines.addAll(List.of("", "* " + study.document().problem() + ": " + line)));
        }
        Optional<String> legend = legend(timed).markdown();
        if (timed.stream().allMatch(study -> bestScreens(study).isEmpty())) {
            legend.ifPresent(text -> lines.addAll(List.of("", text)));
            return lines;
        }
        lines.add("");
        lines.add("## Best screen of each scheduler");
        lines.add("");
        lines.addAll(schedulers(timed));
        lines.addAll(worth(timed));
        lines.add("");
        lines.add(
                "Screens are the quick look at every config, before the clock has settled: they rank, and are not to be"
                        + " compared with the sustained rates above. Rates of the final are, where a config came so"
                        + " far.");
        legend.ifPresent(text -> lines.addAll(List.of("", text)));
        return lines;
    }

    /** The last part of a report: the races of tables of ranges of M, which are in no result document. */
    public static List<String> races(List<RacedTable> tables) {
        List<String> lines = new ArrayList<>();
        if (!tables.isEmpty()) {
            lines.addAll(List.of("", RACES));
        }
        for (RacedTable table : tables) {
            lines.addAll(List.of("", "```"));
            lines.addAll(table.lines());
            lines.add("```");
        }
        return lines;
    }

    /** The races that a report has, as {@link #races} wrote them. */
    public static List<String> racesOf(List<String> report) {
        int head = report.indexOf(RACES);
        return head < 1 ? List.of() : report.subList(head - 1, report.size());
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
                .map(study -> study.document().testbed())
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

    private static List<String> winners(List<StudyResult> studies) {
        CompactConfig form = CompactConfig.of(studies.stream()
                .flatMap(study -> study.bestTrial().stream().map(trial -> FamilyConfig.of(study, trial)))
                .toList());
        MarkdownTable table = new MarkdownTable(
                "shape",
                "testbed",
                "config",
                "us",
                "GB/s",
                "roofline",
                "sustained",
                "cold",
                "blocks",
                "to cuBLAS default",
                "to best peer",
                "best peer",
                "trials",
                "sweep");
        for (StudyResult study : studies) {
            Optional<TrialDocument> best = study.bestTrial();
            Optional<Double> time = best.flatMap(TrialDocument::lastSustained).map(Measurement::medianNs);
            Rates rates = Rates.of(study);
            table.add(
                    study.document().problem().toString(),
                    device(study),
                    best.map(trial -> form.format(FamilyConfig.of(study, trial)) + tied(study, trial))
                            .orElseGet(() -> Leaderboard.noFinal(study).isPresent() ? "no final" : "none completed"),
                    time.map(Microseconds::of).orElse(NONE),
                    time.map(rates::gigabytes).orElse(NONE),
                    time.map(rates::share).orElse(NONE),
                    best.flatMap(trial -> trial.last(Mode.SUSTAINED))
                            .map(rates::rate)
                            .orElse(NONE),
                    best.flatMap(trial -> trial.last(Mode.COLD))
                            .map(rates::rate)
                            .orElse(NONE),
                    best.flatMap(TrialDocument::lastSustained)
                            .map(last -> last.blocks() + " (" + last.stage() + ")")
                            .orElse(NONE),
                    ratio(study.document().ratioToDefault(), study.document().ratioToDefaultCi()),
                    ratio(study.document().ratioToBestPeer(), study.document().ratioToBestPeerCi()),
                    study.document().bestPeer() == null
                            ? NONE
                            : study.document().bestPeer(),
                    study.trials().isEmpty() ? "0" : Leaderboard.outcomes(study.trials()),
                    study.document().sweep() == null
                            ? NONE
                            : new SweepLine(study.document().sweep()).toString());
        }
        return table.lines();
    }

    /** How many others are as good as the best, as far as the times tell. */
    private static String tied(StudyResult study, TrialDocument best) {
        return Leaderboard.tied(Leaderboard.ranked(study)).stream()
                .filter(row -> row.first().equals(best))
                .map(row -> row.note(TrialDocument::config))
                .findFirst()
                .orElse("");
    }

    private static List<String> checks(List<StudyResult> studies) {
        List<String> lines = new ArrayList<>();
        for (StudyResult study : studies) {
            Checks.line(study.trials())
                    .ifPresent(
                            line -> lines.addAll(List.of("* " + study.document().problem() + ", " + line)));
        }
        if (!lines.isEmpty()) {
            lines.add("");
        }
        return lines;
    }

    private static List<String> proofs(List<StudyResult> studies) {
        List<String> lines = new ArrayList<>(List.of(
                "",
                "**Emulated: proved on the CPU, no times.** A proof runs the kernel with each seed on a small problem with"
                        + " the same tails; steps are instructions of warps.",
                ""));
        CompactConfig form = CompactConfig.of(studies.stream()
                .flatMap(study -> Leaderboard.ranked(study).stream().map(trial -> FamilyConfig.of(study, trial)))
                .toList());
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
        for (StudyResult study : studies) {
            for (TrialDocument trial : Leaderboard.ranked(study)) {
                List<String> row = new ArrayList<>(List.of(
                        study.document().problem().toString(),
                        device(study),
                        form.format(FamilyConfig.of(study, trial)),
                        String.valueOf(trial.outcome())));
                row.addAll(ProofTable.proof(trial.checked(), study.document().problem()));
                row.addAll(List.of(
                        Leaderboard.orNone(trial.registers()),
                        Leaderboard.tiles(trial),
                        Checks.finding(trial).orElse(NONE)));
                table.add(row.toArray(String[]::new));
            }
        }
        lines.addAll(table.lines());
        studies.forEach(study -> lines.addAll(
                List.of("", "* " + study.document().problem() + ": trials " + Leaderboard.outcomes(study.trials()))));
        return lines;
    }

    private static List<String> schedulers(List<StudyResult> studies) {
        CompactConfig form = CompactConfig.of(configsOfScreens(studies));
        MarkdownTable table = new MarkdownTable(
                "shape",
                "testbed",
                "scheduler",
                "config",
                "us",
                "screen",
                "blocks",
                "final",
                "tiles per SM",
                "idle tail",
                "asked for tiles");
        for (StudyResult study : studies) {
            bestScreens(study)
                    .forEach((scheduler, trial) -> table.add(
                            study.document().problem().toString(),
                            device(study),
                            scheduler,
                            form.format(FamilyConfig.of(study, trial)),
                            trial.screened()
                                    .map(screen -> Microseconds.of(screen.medianNs()))
                                    .orElse(NONE),
                            trial.screened().map(Rates.of(study)::rate).orElse(NONE),
                            trial.screened()
                                    .map(screen -> Integer.toString(screen.blocks()))
                                    .orElse(NONE),
                            trial.lastSustained()
                                    .filter(last -> last.stage() == Stage.FINAL)
                                    .map(Rates.of(study)::rate)
                                    .orElse(NONE),
                            Leaderboard.tiles(trial),
                            ScheduleWords.idleTail(trial),
                            ScheduleWords.asking(trial).orElse(NONE)));
        }
        return table.lines();
    }

    private static List<FamilyConfig> configsOfScreens(List<StudyResult> studies) {
        return studies.stream()
                .flatMap(study -> bestScreens(study).values().stream().map(trial -> FamilyConfig.of(study, trial)))
                .toList();
    }

    /** Legend of the marks in all tables. */
    private static Legend legend(List<StudyResult> studies) {
        List<TrialDocument> shown = studies.stream()
                .flatMap(study -> bestScreens(study).values().stream())
                .toList();
        List<FamilyConfig> configs = configsOfScreens(studies);
        Optional<TileHistogram> tiles = shown.stream()
                .map(TrialDocument::tilesPerFreeSm)
                .filter(perSm -> !perSm.isEmpty())
                .map(TileHistogram::of)
                .findFirst();
        return new ShapesTable(
                        studies, studies.stream().map(_ -> ListedShape.PLAIN).toList())
                .legend()
                .and(Legend.of(CompactConfig.of(configs), configs))
                .with(tiles);
    }

    /** Lines on the gain by the scheduler of each winner. */
    private static List<String> worth(List<StudyResult> studies) {
        List<String> lines = new ArrayList<>();
        for (StudyResult study : studies) {
            WorthLines.of(study)
                    .forEach(line -> lines.add("* " + study.document().problem() + ": " + line));
        }
        if (!lines.isEmpty()) {
            lines.addFirst("");
        }
        return lines;
    }

    /** The fastest screen of each scheduler, by its name. */
    private static TreeMap<String, TrialDocument> bestScreens(StudyResult study) {
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
        return config.values().get(Scheduler.KEY.name());
    }

    private static String device(StudyResult study) {
        Testbed testbed = study.document().testbed();
        if (testbed == null) {
            return "none";
        }
        return testbed.kind() == TestbedKind.SIMULATED ? "simulated " + testbed.device() : testbed.device();
    }

    private static String ratio(@Nullable Double ratio, @Nullable List<Double> interval) {
        return ratio == null ? NONE : Leaderboard.ratio(ratio, interval);
    }
}
