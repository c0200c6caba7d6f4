package dev.tilewright.api.web.study;

import dev.tilewright.api.web.ConfigWords;
import dev.tilewright.api.web.Figures;
import dev.tilewright.model.exchange.StudyDocument;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.text.FoldedColumns;
import dev.tilewright.model.text.Microseconds;
import dev.tilewright.space.ranking.AlikeTrials;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * The leaderboard of a study with the rows, names and digits of the board of the terminal. Columns in which the rows do
 * not differ are one line above it.
 *
 * @param columns of the cells of a row
 * @param all the columns with one value in all rows, name and value
 * @param ranked how rows of several stages are ranked, in the words of the terminal; empty if they have one stage
 */
public record StudyBoard(List<Column> columns, String all, String ranked, List<Row> rows) {

    private static final List<Column> COLUMNS = List.of(
            new Column("us", true),
            new Column("TFLOP/s", true),
            new Column("95 % of TFLOP/s", false),
            new Column("GB/s", true),
            new Column("roofline", true),
            new Column("stage", false),
            new Column("idle tail", true));

    /** @param isNumber whether its cells are numbers */
    public record Column(String name, boolean isNumber) {}

    /**
     * A trial.
     *
     * @param alike how many trials behind it have times that cannot be told from its own, and what they differ in
     * @param settings the options that try it alone
     * @param best whether it is the best of the study
     */
    public record Row(
            int rank,
            UUID id,
            int ordinal,
            String config,
            String alike,
            String settings,
            List<String> cells,
            boolean best) {}

    /** @param tied the rows, the best first */
    static StudyBoard of(StudyDocument study, List<AlikeTrials<StudyTrial>> tied, ConfigWords words) {
        List<List<String>> cells =
                tied.stream().map(row -> cells(study, row.first())).toList();
        FoldedColumns folded =
                FoldedColumns.of(COLUMNS.stream().map(Column::name).toList(), cells);
        UUID best = study.best() == null ? null : study.best().id();
        List<Row> rows = new ArrayList<>();
        for (AlikeTrials<StudyTrial> row : tied) {
            StudyTrial trial = row.first();
            List<String> own = cells.get(rows.size());
            rows.add(new Row(
                    rows.size() + 1,
                    trial.id(),
                    trial.ordinal(),
                    words.brief(trial.config()),
                    row.note(StudyTrial::config).strip(),
                    words.options(trial.config()),
                    folded.differing().stream().map(own::get).toList(),
                    trial.id().equals(best)));
        }
        return new StudyBoard(
                folded.differing().stream().map(COLUMNS::get).toList(),
                folded.all(),
                AlikeTrials.ranked(tied.stream()
                                .map(row -> row.first().last().orElseThrow().stage()))
                        .orElse(""),
                rows);
    }

    private static List<String> cells(StudyDocument study, StudyTrial trial) {
        Problem problem = study.problem().problem();
        StudyTrial.Time time = trial.last().orElseThrow();
        double ns = time.medianNs();
        return List.of(
                Microseconds.of(ns),
                rate(problem, ns),
                Stream.ofNullable(time.lowNs())
                        .flatMap(low -> Stream.ofNullable(time.highNs())
                                .map(high -> "[" + rate(problem, high) + ", " + rate(problem, low) + "]"))
                        .findFirst()
                        .orElse(Figures.NONE),
                Figures.format("%.0f", problem.gigabytesPerSecond(ns)),
                Figures.roofline(study.testbed(), problem, ns),
                time.stage().toString(),
                Figures.percent(trial.idleTail()));
    }

    private static String rate(Problem problem, double ns) {
        return Figures.format("%.1f", problem.tflops(ns));
    }
}
