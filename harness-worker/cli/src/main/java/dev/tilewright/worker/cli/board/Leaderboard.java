package dev.tilewright.worker.cli.board;

import dev.tilewright.model.exchange.ResultDocument.StudyResult;
import dev.tilewright.model.exchange.TrialDocument;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.text.Count;
import dev.tilewright.model.trial.Measurement;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.model.trial.Testbed;
import dev.tilewright.space.ranking.AlikeTrials;
import dev.tilewright.space.ranking.TimedTrial;
import dev.tilewright.worker.link.text.PlainText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The board of a finished study.
 *
 * @param top how many trials are listed
 */
public record Leaderboard(StudyResult study, int top) implements Board {

    static final String SIMULATED =
            "*** SIMULATED: times and tiles per SM are predictions of a model, nothing ran on a GPU ***";

    private static final String NONE = "-";

    @Override
    public List<String> lines(int width) {
        List<String> lines = new ArrayList<>();
        lines.add(study.document().problem() + ", " + heading(study));
        if (study.isSimulated()) {
            lines.add(SIMULATED);
        }
        if (study.isEmulated()) {
            lines.add("*** EMULATED: proved on the CPU, no times ***");
        }
        if (study.document().error() != null) {
            study.document().error().lines().forEach(line -> lines.add("error: " + PlainText.line(line)));
        }
        if (study.document().noise() != null) {
            lines.add("noise: nothing is called best: "
                    + PlainText.line(study.document().noise()));
        }
        study.document().neighbours().forEach(line -> lines.add("beside it: " + PlainText.line(line)));
        List<TrialDocument> ranked = ranked(study);
        if (!ranked.isEmpty()) {
            lines.addAll(study.isEmulated() ? new ProofTable(top, width, study).lines(ranked) : table(ranked, width));
        }
        if (!study.trials().isEmpty()) {
            lines.add("trials: " + outcomes(study.trials()));
        }
        if (!study.isEmulated()) {
            Checks.line(study.trials()).ifPresent(lines::add);
        }
        lines.addAll(Checks.findings(listed(ranked)));
        if (study.document().sweep() != null) {
            lines.add("sweep: " + new SweepLine(study.document().sweep()));
        }
        if (study.document().space() != null) {
            lines.add("space: " + Count.of(study.document().space().size(), "config"));
        }
        if (study.document().noise() != null) {
            return lines;
        }
        noFinal(study).ifPresent(lines::add);
        study.bestTrial()
                .map(best -> evidence("best", best))
                .or(() -> ranked.stream()
                        .filter(TrialDocument::isTimed)
                        .findFirst()
                        .map(first -> evidence("first row", first)))
                .ifPresent(lines::addAll);
        lines.addAll(WorthLines.of(study));
        ratio(
                        "cuBLAS default",
                        study.document().ratioToDefault(),
                        study.document().ratioToDefaultCi())
                .ifPresent(lines::add);
        ratio(
                        "best peer (" + study.document().bestPeer() + ")",
                        study.document().ratioToBestPeer(),
                        study.document().ratioToBestPeerCi())
                .ifPresent(lines::add);
        study.document().peerSearches().forEach(search -> lines.add(search.line()));
        lines.addAll(new PeerFamilies(study).lines());
        noPeer(study).ifPresent(lines::add);
        ranked.stream()
                .filter(TrialDocument::isTimed)
                .findFirst()
                .ifPresent(best -> lines.addAll(CommandLines.ofTheBest(study, best)));
        return lines;
    }

    /**
     * Says that a GPU ran no final, as after a job was cancelled or if it asked for none: the times have less behind
     * them, and none is the best.
     */
    static Optional<String> noFinal(StudyResult study) {
        if (study.isSimulated() || study.bestTrial().isPresent()) {
            return Optional.empty();
        }
        return study.trials().stream()
                .flatMap(trial -> trial.lastSustained().stream())
                .map(Measurement::stage)
                .max(Comparator.naturalOrder())
                .filter(last -> last != Stage.FINAL)
                .map(last -> "no final: the times are of " + last + "s, and no config is called the best");
    }

    /** Says that a final had no peer beside our kernels. */
    static Optional<String> noPeer(StudyResult study) {
        boolean ended = study.trials().stream()
                .flatMap(trial -> trial.lastSustained().stream())
                .anyMatch(last -> last.stage() == Stage.FINAL);
        if (!ended || study.document().bestPeer() != null) {
            return Optional.empty();
        }
        return Optional.of("no peer completed the final: ours stand beside each other alone"
                + whyNoPeer(study.document().problem().problem()));
    }

    private static String whyNoPeer(Problem problem) {
        if (problem.scenario().launchOverlap()) {
            return "; launches of cublasLt cannot be made to overlap";
        }
        return problem.groups().stream().distinct().count() == 1
                ? ""
                : "; cublasLt has no kernel for groups of different shapes";
    }

    /** The family and the testbed of a study. */
    static String heading(StudyResult study) {
        String where = study.document().testbed() == null
                ? "no testbed"
                : "on " + describe(study.document().testbed());
        return study.document().family() == null
                ? where
                : study.document().family() + (study.document().testbed() == null ? ", " : " ") + where;
    }

    /** The testbed on one line. */
    static String describe(Testbed testbed) {
        String where = switch (testbed.kind()) {
            case CUDA -> testbed.device() + " (driver " + testbed.driver();
            case EMULATED -> testbed.device() + " (" + testbed.driver();
            case SIMULATED -> "simulated " + testbed.device() + " (" + testbed.driver();
        };
        return where + ", " + testbed.smCount() + " SMs, " + testbed.assembler() + ")";
    }

    /** The trials that ended, in the order of the trials of a study; those that failed are last. */
    static List<TrialDocument> ranked(StudyResult study) {
        return study.trials().stream()
                .filter(trial -> trial.outcome() != null)
                .sorted(Comparator.comparing((TrialDocument trial) -> !trial.isCompleted())
                        .thenComparing(TimedTrial::of, TimedTrial.ORDER))
                .toList();
    }

    /** The tiles of each SM that was not held, if they were traced. */
    static String tiles(TrialDocument trial) {
        return trial.tilesPerFreeSm().isEmpty()
                ? NONE
                : TileHistogram.of(trial.tilesPerFreeSm()).toString();
    }

    /** The evidence of a config. */
    private static List<String> evidence(String name, TrialDocument winner) {
        List<String> lines = new ArrayList<>();
        ScheduleWords.load(winner).ifPresent(load -> lines.add(name + ": " + load));
        ScheduleWords.asking(winner).ifPresent(asking -> lines.add("asked for tiles: " + asking));
        return lines;
    }

    /** The trials that stand in the rows of the table. */
    private List<TrialDocument> listed(List<TrialDocument> ranked) {
        return study.isEmulated()
                ? ranked.stream().limit(top).toList()
                : tied(ranked).stream().limit(top).map(AlikeTrials::first).toList();
    }

    /** The rows of a board: one for each group of trials that tie. */
    static List<AlikeTrials<TrialDocument>> tied(List<TrialDocument> ranked) {
        return AlikeTrials.of(ranked, TimedTrial::of, ranked.size());
    }

    /** A line that counts the trials which the board leaves out. */
    static Optional<String> more(int trials, int shown) {
        return trials == shown
                ? Optional.empty()
                : Optional.of("(" + (trials - shown) + " more; --top N shows them, --json FILE has all)");
    }

    private List<String> table(List<TrialDocument> ranked, int width) {
        List<AlikeTrials<TrialDocument>> rows = tied(ranked);
        List<AlikeTrials<TrialDocument>> shown = rows.subList(0, Math.min(top, rows.size()));
        List<FamilyConfig> configs =
                shown.stream().map(row -> FamilyConfig.of(study, row.first())).toList();
        CompactConfig form = CompactConfig.of(configs);
        List<String> lines = new ArrayList<>(text(shown, form).lines(width));
        AlikeTrials.ranked(shown.stream()
                        .flatMap(row -> row.first().lastSustained().stream())
                        .map(Measurement::stage))
                .ifPresent(lines::add);
        more(ranked.size(), (int) shown.stream().flatMap(AlikeTrials::trials).count())
                .ifPresent(lines::add);
        if (shown.stream().anyMatch(row -> !row.alike().isEmpty())) {
            lines.add("alike: configs whose times "
                    + (study.isSimulated() ? "are the same to the model" : "are the same within their intervals")
                    + ", and the parameters in which they differ");
        }
        Optional<TileHistogram> tiles = shown.stream()
                .map(row -> row.first().tilesPerFreeSm())
                .filter(perSm -> !perSm.isEmpty())
                .map(TileHistogram::of)
                .findFirst();
        lines.addAll(Legend.of(form, configs).with(tiles).lines(width));
        return lines;
    }

    private TextTable text(List<AlikeTrials<TrialDocument>> shown, CompactConfig form) {
        boolean anchored = shown.stream().anyMatch(row -> toAnchor(row.first()).isPresent());
        Rates rates = Rates.of(study);
        boolean measured = shown.stream()
                .anyMatch(row ->
                        row.first().lastSustained().flatMap(rates::interval).isPresent());
        List<String> head = new ArrayList<>(List.of("#", "config", "outcome"));
        head.addAll(Rates.HEAD);
        if (measured) {
            head.add("95 % of TFLOP/s");
        }
        if (anchored) {
            head.add("over anchor");
        }
        head.addAll(List.of("stage", "regs", "shared B", "tiles per SM"));
        TextTable table = new TextTable(head, "rllrrrr" + (measured ? "l" : "") + (anchored ? "l" : "") + "lrrl");
        for (int index = 0; index < shown.size(); index++) {
            AlikeTrials<TrialDocument> tied = shown.get(index);
            TrialDocument trial = tied.first();
            List<String> row = new ArrayList<>(List.of(
                    Integer.toString(index + 1),
                    form.format(FamilyConfig.of(study, trial)) + tied.note(TrialDocument::config),
                    String.valueOf(trial.outcome())));
            row.addAll(trial.lastSustained()
                    .map(last -> rates.cells(last.medianNs()))
                    .orElseGet(Rates::noCells));
            if (measured) {
                row.add(trial.lastSustained().flatMap(rates::interval).orElse(NONE));
            }
            if (anchored) {
                row.add(toAnchor(trial).orElse(NONE));
            }
            row.addAll(List.of(
                    trial.lastSustained().map(last -> last.stage().toString()).orElse(NONE),
                    orNone(trial.registers()),
                    orNone(trial.sharedBytes()),
                    tiles(trial)));
            table.add(row);
        }
        return table;
    }

    /** How much faster than the anchor of the study it was in its screen. */
    private static Optional<String> toAnchor(TrialDocument trial) {
        return trial.screened()
                .flatMap(screen -> Optional.ofNullable(screen.ratioToAnchor()))
                .map(ratio -> ratio(ratio.value(), List.of(ratio.low(), ratio.high())));
    }

    static String orNone(@Nullable Integer value) {
        return value == null ? NONE : value.toString();
    }

    /** How many trials had each outcome, in all and one by one. */
    static String outcomes(List<TrialDocument> trials) {
        Map<String, Long> counts = trials.stream()
                .collect(Collectors.groupingBy(
                        trial -> trial.outcome() == null
                                ? "unfinished"
                                : trial.outcome().toString(),
                        TreeMap::new,
                        Collectors.counting()));
        return trials.size() + " (" + joined(counts) + ")";
    }

    private static String joined(Map<String, Long> counts) {
        return counts.entrySet().stream()
                .map(entry -> entry.getKey() + " " + entry.getValue())
                .collect(Collectors.joining(", "));
    }

    private static Optional<String> ratio(String peer, @Nullable Double ratio, @Nullable List<Double> interval) {
        if (ratio == null) {
            return Optional.empty();
        }
        return Optional.of("speed over " + peer + ": " + ratio(ratio, interval));
    }

    /** A ratio with its interval if there is one. */
    static String ratio(double ratio, @Nullable List<Double> interval) {
        String value = String.format(Locale.ROOT, "%.3f", ratio);
        return interval == null || interval.size() != 2
                ? value
                : value + String.format(Locale.ROOT, " [%.3f, %.3f]", interval.get(0), interval.get(1));
    }

    /** Where the numbers of a study come from, for the line at the very end. */
    public static String origin(StudyResult study) {
        Testbed testbed = study.document().testbed();
        if (testbed == null) {
            return "no device took the study";
        }
        return switch (testbed.kind()) {
            case CUDA -> "measured on " + describe(testbed);
            case SIMULATED -> "simulated: predictions of the model " + testbed.device() + " " + testbed.driver();
            case EMULATED ->
                "emulated: proofs on " + testbed.smCount() + " SMs of the " + testbed.device() + " " + testbed.driver()
                        + ", no times";
        };
    }
}
