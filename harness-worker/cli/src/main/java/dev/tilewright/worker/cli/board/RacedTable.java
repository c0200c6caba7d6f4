package dev.tilewright.worker.cli.board;

import dev.tilewright.model.exchange.ProblemDocument;
import dev.tilewright.model.range.Regret;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.text.Microseconds;
import dev.tilewright.model.trial.Ratio;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The table of a range of M beside the best of a full tune at some M.
 *
 * @param problem the range
 * @param device its name
 * @param seed of the drawn M
 * @param simulated whether times are of a model
 * @param apart whether none of the M took part in the choice of the table
 * @param wanted how many M were drawn
 * @param rows in the order of M; fewer than wanted where the races were ended early
 */
public record RacedTable(
        ProblemDocument problem,
        String family,
        String device,
        long seed,
        boolean simulated,
        boolean apart,
        int wanted,
        List<Row> rows)
        implements Board {

    /** Both sides are the same kernel, which nothing has to time. */
    public static final Ratio EQUAL = new Ratio(1, 1, 1, 0);

    private static final String NONE = "-";

    /**
     * One M.
     *
     * @param table the kernel that the table has for it
     * @param best the fastest of a full tune; {@code null} if none completed
     * @param bestUs its microseconds; 0 of none
     * @param speed of the table's kernel beside it: below 1 the table is slower; {@code null} if none is known
     * @param fault why none is known; {@code null} otherwise
     */
    public record Row(
            int m,
            Config table,
            @Nullable Config best,
            double bestUs,
            @Nullable Ratio speed,
            @Nullable String fault) {

        /** A kernel that the race does not tell from the best one has lost nothing: noise is no regret. */
        private Stream<Regret.Check> check() {
            if (speed == null) {
                return Stream.empty();
            }
            boolean told = speed.high() < 1;
            return Stream.of(new Regret.Check(m, told ? bestUs / speed.value() : bestUs, bestUs));
        }

        private String longer() {
            if (speed == null) {
                return String.valueOf(fault);
            }
            if (table.equals(best)) {
                return "the same kernel";
            }
            String interval = speed.blocks() == 0
                    ? ""
                    : String.format(Locale.ROOT, " [%.1f, %.1f]", percent(speed.high()), percent(speed.low()));
            return String.format(Locale.ROOT, "%.1f %%%s", percent(speed.value()), interval);
        }

        private static double percent(double speed) {
            return 100 * (1 / speed - 1);
        }
    }

    /** Whether each M that was drawn has a race. */
    public boolean isWhole() {
        return rows.size() == wanted && rows.stream().allMatch(row -> row.speed() != null);
    }

    /** How much longer the table takes; empty if no M has a race. */
    public Optional<Regret> regret() {
        List<Regret.Check> checks = rows.stream().flatMap(Row::check).toList();
        return checks.isEmpty() ? Optional.empty() : Optional.of(Regret.of(checks));
    }

    @Override
    public List<String> lines(int width) {
        List<FamilyConfig> configs = rows.stream()
                .flatMap(row -> Stream.of(row.table(), row.best()))
                .flatMap(Stream::ofNullable)
                .map(config -> new FamilyConfig(family, config))
                .toList();
        CompactConfig form = CompactConfig.of(configs);
        TextTable table = new TextTable(
                List.of("M", "the table's kernel", "best of a full tune", "its us", "longer by"), "rllrl");
        for (Row row : rows) {
            table.add(List.of(
                    Integer.toString(row.m()),
                    form.format(new FamilyConfig(family, row.table())),
                    row.best() == null ? NONE : form.format(new FamilyConfig(family, row.best())),
                    row.best() == null ? NONE : Microseconds.of(1e3 * row.bestUs()),
                    row.longer()));
        }
        List<String> lines = new ArrayList<>();
        lines.add(problem + ", " + family + " on " + (simulated ? "the model of " : "") + device
                + ": the table beside a full tune of each M");
        lines.addAll(table.lines(width));
        lines.addAll(Legend.of(form, configs).lines(width));
        lines.add(regret().map(this::sentence).orElse("regret: not known, no M has a race"));
        return lines;
    }

    private String sentence(Regret regret) {
        int raced = regret.checks().size();
        return SpanTable.regret(
                regret,
                (raced < wanted ? "of " + wanted + " " : "")
                        + (apart ? "drawn M (seed " + seed + ")" : "M, some of which took part in the choice"),
                "the best of a full tune of each, " + (simulated ? "by the model" : "raced in pairs"));
    }
}
