package dev.tilewright.api.web.job;

import dev.tilewright.api.web.ConfigWords;
import dev.tilewright.api.web.Figures;
import dev.tilewright.model.exchange.JobDocument;
import dev.tilewright.model.exchange.RangeDocument;
import dev.tilewright.model.range.MeanLoss;
import dev.tilewright.model.range.Regret;
import dev.tilewright.model.range.Span;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.Testbed;
import dev.tilewright.model.trial.TestbedKind;
import dev.tilewright.space.families.Families;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A range of M of a job as its page shows it.
 *
 * @param index among the ranges of the job
 * @param phase what it is at, in words
 * @param simulated whether its numbers are predictions
 * @param limited whether the datasheet of the GPU is known
 * @param kernels none before the table stands
 * @param regret in a sentence; empty before it is known
 * @param lost the mean loss in a sentence; empty before the table stands, and of a table of before it was kept
 * @param legend of the configs
 */
record RangeView(
        int index,
        String problem,
        String phase,
        boolean simulated,
        boolean limited,
        List<Row> kernels,
        String regret,
        String lost,
        Map<String, String> legend,
        @Nullable String error) {

    /** A kernel of the table, with its times in microseconds. */
    record Row(int from, int to, String config, String usFrom, String usTo) {}

    static RangeView of(JobDocument job, int index, Families families) {
        RangeDocument range = job.ranges().get(index);
        RangeDocument.Table table = range.table();
        List<Span> spans = table == null ? List.of() : table.kernels();
        List<Config> configs = spans.stream().map(Span::config).toList();
        ConfigWords words = ConfigWords.of(families, range.family(), configs);
        return new RangeView(
                index,
                range.problem().toString(),
                phase(range),
                TestbedKind.SIMULATED.isOf(testbed(job)),
                RangeChart.hasLimits(testbed(job)),
                spans.stream()
                        .map(span -> new Row(
                                span.from(),
                                span.to(),
                                words.brief(span.config()),
                                Figures.us(1e3 * span.usFrom()),
                                Figures.us(1e3 * span.usTo())))
                        .toList(),
                table == null ? "" : regret(table),
                table == null || table.lost().isEmpty() ? "" : lost(table.lost()),
                words.legend(configs),
                range.error());
    }

    /** The testbed of a job with ranges, which have all their studies on one; {@code null} until a device took any. */
    static @Nullable Testbed testbed(JobDocument job) {
        return job.studies().stream()
                .map(JobDocument.StudyLine::testbed)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    private static String phase(RangeDocument range) {
        return switch (range.phase()) {
            case SEARCH -> "searching at some M";
            case FINDS -> "timing the finds at more M";
            case CROSSINGS -> "timing few kernels at many M";
            case CHECKS -> "checking the table";
            case OVER -> "over";
        };
    }

    private static String lost(List<MeanLoss> losses) {
        String sentence = MeanLoss.sentence(losses);
        return Character.toUpperCase(sentence.charAt(0)) + sentence.substring(1) + ".";
    }

    /** The regret of a table; empty before it is known. */
    static String regret(RangeDocument.Table table) {
        Regret regret = table.regret();
        return regret == null
                ? ""
                : "Regret at " + regret.checks().size() + " M"
                        + (table.drawn() ? " that were drawn and took no part in the choice" : "") + ", beside the "
                        + table.beside() + " most promising others there: " + regret.figures() + ".";
    }
}
