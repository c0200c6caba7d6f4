package dev.tilewright.worker.cli;

import dev.tilewright.model.exchange.ComparisonDocument;
import dev.tilewright.model.exchange.DeviceSelector;
import dev.tilewright.model.exchange.GpuTaskResult.CompareVerdict;
import dev.tilewright.model.exchange.GpuTaskResult.Compared;
import dev.tilewright.model.exchange.JobRequest;
import dev.tilewright.model.exchange.ProblemDocument;
import dev.tilewright.model.exchange.RangeDocument;
import dev.tilewright.model.exchange.ResultDocument.StudyResult;
import dev.tilewright.model.exchange.StudyDocument;
import dev.tilewright.model.exchange.TaskState;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.RangedProblem;
import dev.tilewright.model.range.RowSamples;
import dev.tilewright.model.range.Span;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.Ratio;
import dev.tilewright.model.trial.Testbed;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.space.families.Families;
import dev.tilewright.space.family.AskedSpace;
import dev.tilewright.worker.cli.board.ListedShape;
import dev.tilewright.worker.cli.board.RacedTable;
import dev.tilewright.worker.link.client.ApiRefusedException;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Compares tables of ranges of M with full tunes: at drawn M, the table's kernel is raced beside the best of a tune of
 * that M alone. A model runs no races: its times of the two are taken.
 *
 * @param out is shown the races of each range, also of one that ends early
 * @param kept is given them as well
 */
record TableRaces(
        Connection connection,
        DeviceSelector selector,
        SubmittedJob job,
        Requests requests,
        Printer out,
        Kept kept,
        PrintStream notices,
        RedrawnLine line) {

    /** Drawn M of a range at the most: a job has no more problems. */
    static final int MOST = ShapesFile.MOST_SHAPES;

    private static final int REFUSED = 422;

    /** Keeps the races of a range. */
    @FunctionalInterface
    interface Kept {
        void keep(RacedTable raced) throws IOException;
    }

    /**
     * Jobs of other problems than those that the user named.
     *
     * @param full with all the options of the user
     * @param plain without those that restrict the search
     */
    record Requests(
            Function<List<ProblemDocument>, JobRequest.Builder> full,
            Function<List<ProblemDocument>, JobRequest.Builder> plain) {}

    /**
     * The outcome of a job at one M.
     *
     * @param study {@code null} if the service refused the problem
     * @param refusal why; {@code null} otherwise
     */
    private record Tuned(
            @Nullable StudyResult study, @Nullable String refusal) {

        Optional<StudyDocument.BestDocument> best() {
            return Optional.ofNullable(study).map(known -> known.document().best());
        }

        String whyNone() {
            if (study == null) {
                return String.valueOf(refusal);
            }
            StudyDocument document = study.document();
            return Stream.of(document.error(), document.noise())
                    .filter(Objects::nonNull)
                    .findFirst()
                    .orElse("nothing was best");
        }
    }

    /**
     * The races of a range, which are shown.
     *
     * @param range one with a table
     * @param tookPart the studies of the table: none of their M is drawn, if others are left
     * @param count of drawn M; fewer where the range has fewer
     */
    RacedTable show(RangeDocument range, List<StudyResult> tookPart, int count, long seed)
            throws ApiRefusedException, InterruptedException, IOException {
        RangedProblem ranged = range.problem().ranged();
        int least = ranged.range().least();
        int most = ranged.range().most();
        int[] others = tookPart.stream()
                .mapToInt(study -> study.document().problem().problem().shape().m())
                .toArray();
        int[] apart = RowSamples.drawn(least, most, count, seed, others);
        int[] rows = apart.length > 0 ? apart : RowSamples.drawn(least, most, count, seed, new int[0]);
        notices.println("tuning each of " + rows.length + " drawn M of " + range.problem() + " fully");
        List<Tuned> tuned =
                tuned(ranged, rows, problems -> requests.full().apply(problems).family(range.family()));
        List<RacedTable.Row> raced = new ArrayList<>();
        RacedTable shown;
        try {
            for (int i = 0; i < rows.length; i++) {
                line.show("race " + (i + 1) + " of " + rows.length + ": M = " + rows[i]);
                raced.add(row(range, ranged, rows[i], tuned.get(i), seed));
            }
        } finally {
            line.clear();
            shown = table(range, tuned, raced, rows.length, apart.length > 0, seed);
            out.println();
            out.show(shown);
            kept.keep(shown);
        }
        return shown;
    }

    private static RacedTable table(
            RangeDocument range, List<Tuned> tuned, List<RacedTable.Row> raced, int wanted, boolean apart, long seed) {
        List<StudyResult> studies =
                tuned.stream().flatMap(each -> Stream.ofNullable(each.study())).toList();
        String device = studies.stream()
                .map(study -> study.document().testbed())
                .filter(Objects::nonNull)
                .map(Testbed::device)
                .findFirst()
                .orElse("no device");
        boolean simulated = studies.stream().anyMatch(StudyResult::isSimulated);
        return new RacedTable(range.problem(), range.family(), device, seed, simulated, apart, wanted, raced);
    }

    private RacedTable.Row row(RangeDocument range, RangedProblem ranged, int m, Tuned tuned, long seed)
            throws ApiRefusedException, InterruptedException, IOException {
        Config config = kernel(Objects.requireNonNull(range.table()), m);
        if (tuned.best().isEmpty()) {
            return new RacedTable.Row(m, config, null, 0, null, tuned.whyNone());
        }
        StudyDocument.BestDocument best = tuned.best().get();
        StudyResult study = Objects.requireNonNull(tuned.study());
        if (isOne(range.family(), ranged.at(m), smCount(study.document()), config, best.config())) {
            return new RacedTable.Row(m, config, config, best.us(), RacedTable.EQUAL, null);
        }
        if (study.isSimulated()) {
            Tuned alone = tuned(
                            ranged,
                            new int[] {m},
                            problems -> requests.plain()
                                    .apply(problems)
                                    .family(range.family())
                                    .config(config.canonical()))
                    .getFirst();
            double us = alone.best().map(StudyDocument.BestDocument::us).orElse(0.0);
            return us == 0
                    ? new RacedTable.Row(m, config, best.config(), best.us(), null, alone.whyNone())
                    : new RacedTable.Row(m, config, best.config(), best.us(), ofModel(best.us() / us), null);
        }
        try {
            ComparisonDocument ended = raced(range, ProblemDocument.inShort(ranged.at(m)), config, best.config(), seed);
            Compared compared = ended.result();
            Ratio speed = compared == null
                    ? null
                    : compared.verdict() == CompareVerdict.EQUAL ? RacedTable.EQUAL : compared.ratio();
            return new RacedTable.Row(
                    m, config, best.config(), best.us(), speed, speed == null ? "no race: " + why(ended) : null);
        } catch (ApiRefusedException refused) {
            requireRefusal(refused);
            String why = "no race: " + refused.lines().getLast();
            return new RacedTable.Row(m, config, best.config(), best.us(), null, why);
        }
    }

    private static int smCount(StudyDocument study) {
        return study.testbed() == null ? KnownNames.USUAL_SMS : study.testbed().smCount();
    }

    /**
     * Whether two configs are one kernel: that of the table has the name that it has at the least M of the range.
     *
     * @param smCount of the device whose space names the best
     */
    static boolean isOne(String ofFamily, Problem problem, int smCount, Config table, Config best) {
        return Families.standard()
                .find(ofFamily)
                .map(family ->
                        AskedSpace.of(family, problem, DeviceLimits.of(smCount)).named(table))
                .orElse(table)
                .equals(best);
    }

    private static Ratio ofModel(double speed) {
        return new Ratio(speed, speed, speed, 0);
    }

    private ComparisonDocument raced(RangeDocument range, ProblemDocument problem, Config table, Config best, long seed)
            throws ApiRefusedException, InterruptedException {
        Map<String, Object> request = new LinkedHashMap<>();
        request.put("problem", problem);
        request.put("first", Map.of("family", range.family(), "config", table.canonical()));
        request.put("second", Map.of("family", range.family(), "config", best.canonical()));
        request.put("device", selector.toString());
        request.put("seed", seed);
        Waiting waiting = job.waiting("race", selector.toString());
        return new Comparisons(connection, notices)
                .ended(request, known -> waiting.look(known.state() == TaskState.QUEUED));
    }

    private static String why(ComparisonDocument ended) {
        return ended.result() == null
                ? String.valueOf(ended.error())
                : ended.result().verdict().toString();
    }

    /** A job of all of them. If the service refuses it, each is asked for alone, and has its own refusal. */
    private List<Tuned> tuned(
            RangedProblem ranged, int[] rows, Function<List<ProblemDocument>, JobRequest.Builder> request)
            throws ApiRefusedException, InterruptedException, IOException {
        List<ProblemDocument> problems = Arrays.stream(rows)
                .mapToObj(m -> ProblemDocument.inShort(ranged.at(m)))
                .toList();
        try {
            return job
                    .toItsEnd(
                            connection,
                            selector,
                            request.apply(problems).build(),
                            Collections.nCopies(rows.length, ListedShape.PLAIN))
                    .document()
                    .single()
                    .stream()
                    .map(study -> new Tuned(study, null))
                    .toList();
        } catch (ApiRefusedException refused) {
            requireRefusal(refused);
            if (rows.length == 1) {
                return List.of(new Tuned(null, refused.lines().getLast()));
            }
        }
        List<Tuned> each = new ArrayList<>();
        for (int m : rows) {
            each.addAll(tuned(ranged, new int[] {m}, request));
        }
        return each;
    }

    /** Throws what is no refusal of a problem or of a config. */
    private static void requireRefusal(ApiRefusedException refused) throws ApiRefusedException {
        if (refused.status() != REFUSED) {
            throw refused;
        }
    }

    private static Config kernel(RangeDocument.Table table, int m) {
        return table.kernels().stream()
                .filter(span -> span.from() <= m && m <= span.to())
                .map(Span::config)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("the table has no kernel for M = " + m));
    }
}
