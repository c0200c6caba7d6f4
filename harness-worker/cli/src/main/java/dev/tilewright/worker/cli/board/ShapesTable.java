package dev.tilewright.worker.cli.board;

import dev.tilewright.model.exchange.ResultDocument.StudyResult;
import dev.tilewright.model.exchange.TrialDocument;
import dev.tilewright.model.text.Count;
import dev.tilewright.model.text.Microseconds;
import dev.tilewright.model.trial.Measurement;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.worker.link.text.PlainText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The best of every shape of a job, a row each.
 *
 * @param listed what the user calls the problem of each study, in their order
 */
public record ShapesTable(List<StudyResult> studies, List<ListedShape> listed) implements Board {

    private static final String NONE = "-";

    /** Of more shapes the boards and the report say what their schedulers are worth. */
    private static final int FEW = 8;

    public ShapesTable {
        if (studies.size() != listed.size()) {
            throw new IllegalArgumentException(studies.size() + " studies, but " + listed.size() + " shapes");
        }
    }

    @Override
    public List<String> lines(int width) {
        List<String> lines = new ArrayList<>();
        studies.stream().map(Leaderboard::heading).distinct().forEach(lines::add);
        if (studies.stream().anyMatch(StudyResult::isSimulated)) {
            lines.add(Leaderboard.SIMULATED);
        }
        TextTable table = new TextTable(head(), alignment());
        rows().forEach(table::add);
        lines.addAll(table.lines(width));
        lines.addAll(legend().lines(width));
        if (studies.size() <= FEW) {
            studies.forEach(study -> WorthLines.of(study)
                    .forEach(line -> lines.add(study.document().problem() + ": " + line)));
        }
        return lines;
    }

    /** The table alone, for a report. */
    List<String> markdown() {
        MarkdownTable table = new MarkdownTable(head().toArray(String[]::new));
        rows().forEach(row -> table.add(row.toArray(String[]::new)));
        return table.lines();
    }

    /** Legend of the marks that its configs have. */
    Legend legend() {
        return Legend.of(form(), configs());
    }

    private boolean named() {
        return listed.stream().anyMatch(shape -> shape.name() != null);
    }

    private boolean weighted() {
        return listed.stream().anyMatch(shape -> shape.weight() != null);
    }

    private List<String> head() {
        List<String> head = new ArrayList<>();
        if (named()) {
            head.add("name");
        }
        head.addAll(List.of("shape", "config"));
        head.addAll(Rates.HEAD);
        head.add("to best peer");
        families().forEach(family -> head.add("to " + family));
        if (weighted()) {
            head.addAll(List.of("weight", "weight x us"));
        }
        return head;
    }

    private String alignment() {
        return (named() ? "l" : "") + "ll" + "rrrr" + "l"
                + "l".repeat(families().size()) + (weighted() ? "rr" : "");
    }

    /** Further peers of any of the studies. */
    private List<String> families() {
        return studies.stream()
                .flatMap(study -> new PeerFamilies(study).names().stream())
                .distinct()
                .toList();
    }

    private List<FamilyConfig> configs() {
        return studies.stream()
                .flatMap(study -> best(study).stream().map(trial -> FamilyConfig.of(study, trial)))
                .toList();
    }

    private CompactConfig form() {
        return CompactConfig.of(configs());
    }

    private List<List<String>> rows() {
        CompactConfig form = form();
        List<List<String>> rows = new ArrayList<>();
        IntStream.range(0, studies.size()).forEach(index -> rows.add(row(studies.get(index), listed.get(index), form)));
        if (weighted()) {
            rows.add(total());
        }
        return rows;
    }

    private List<String> row(StudyResult study, ListedShape shape, CompactConfig form) {
        Optional<TrialDocument> best = best(study);
        Optional<Measurement> time = best.flatMap(TrialDocument::lastSustained);
        List<String> row = new ArrayList<>();
        if (named()) {
            row.add(Objects.requireNonNullElse(shape.name(), NONE));
        }
        row.add(study.document().problem().toString());
        row.add(best.map(trial -> form.format(FamilyConfig.of(study, trial))).orElseGet(() -> why(study)));
        row.addAll(time.map(last -> Rates.of(study).cells(last.medianNs())).orElseGet(Rates::noCells));
        row.add(toPeer(study, time));
        families().forEach(family -> row.add(new PeerFamilies(study).cell(family)));
        if (weighted()) {
            Double weight = shape.weight();
            row.add(weight == null ? NONE : plain(weight));
            row.add(
                    weight == null || time.isEmpty()
                            ? NONE
                            : Microseconds.of(weight * time.get().medianNs()));
        }
        return row;
    }

    /** The sum over the shapes with a weight and a time, and how many are missing in it. */
    private List<String> total() {
        double sum = 0;
        int timed = 0;
        int wanted = 0;
        int unsettled = 0;
        for (int index = 0; index < studies.size(); index++) {
            Double weight = listed.get(index).weight();
            if (weight != null) {
                wanted++;
                Optional<Measurement> time = best(studies.get(index)).flatMap(TrialDocument::lastSustained);
                timed += time.isPresent() ? 1 : 0;
                unsettled += Leaderboard.noFinal(studies.get(index)).isPresent() ? 1 : 0;
                sum += time.map(last -> weight * last.medianNs()).orElse(0.0);
            }
        }
        List<String> row = new ArrayList<>();
        row.add("weighted total");
        row.add(totalOf(timed, wanted, unsettled));
        while (row.size() < head().size() - 1) {
            row.add("");
        }
        row.add(timed == 0 ? NONE : Microseconds.of(sum));
        return row;
    }

    /** The shapes that the total leaves out, and those whose time is not of a final. */
    private static String totalOf(int timed, int wanted, int unsettled) {
        List<String> parts = new ArrayList<>();
        if (timed < wanted) {
            parts.add("no time of " + (wanted - timed));
        }
        if (unsettled > 0) {
            parts.add("no final of " + unsettled);
        }
        return parts.isEmpty() ? "" : "of " + Count.of(timed, "shape") + ": " + String.join(", ", parts);
    }

    /** The best of a study; without a final on a GPU none may be called so, and the fastest trial is shown. */
    private static Optional<TrialDocument> best(StudyResult study) {
        return study.bestTrial()
                .or(() -> Leaderboard.ranked(study).stream()
                        .filter(trial -> study.isEmulated() ? trial.isCompleted() : trial.isTimed())
                        .findFirst());
    }

    private static String why(StudyResult study) {
        return study.document().error() == null
                ? "none completed"
                : "error: "
                        + PlainText.line(
                                study.document().error().lines().findFirst().orElse(""));
    }

    private static String toPeer(StudyResult study, Optional<Measurement> time) {
        if (study.document().ratioToBestPeer() != null) {
            return Leaderboard.ratio(
                    study.document().ratioToBestPeer(), study.document().ratioToBestPeerCi());
        }
        if (study.isSimulated()) {
            return "simulated";
        }
        return time.map(Measurement::stage)
                .filter(stage -> stage != Stage.FINAL)
                .map(stage -> "no final, " + stage + " alone")
                .orElse(NONE);
    }

    /** Without digits behind the point where there are none. */
    private static String plain(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? Long.toString((long) value)
                : String.format(Locale.ROOT, "%s", value);
    }
}
