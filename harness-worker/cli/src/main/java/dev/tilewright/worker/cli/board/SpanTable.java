package dev.tilewright.worker.cli.board;

import dev.tilewright.model.range.Regret;
import dev.tilewright.model.range.Span;
import dev.tilewright.model.text.Microseconds;
import java.util.ArrayList;
import java.util.List;

/** The kernels of a range of M, a row each, with the legend of their configs. */
record SpanTable(String family, List<Span> kernels) {

    /** Rows and legend. */
    List<String> lines(int width) {
        List<FamilyConfig> configs = kernels.stream().map(this::config).toList();
        CompactConfig form = CompactConfig.of(configs);
        TextTable table = new TextTable(List.of("from M", "to M", "config", "us at from", "us at to"), "rrlrr");
        for (Span span : kernels) {
            table.add(List.of(
                    Integer.toString(span.from()),
                    Integer.toString(span.to()),
                    form.format(config(span)),
                    Microseconds.of(1e3 * span.usFrom()),
                    Microseconds.of(1e3 * span.usTo())));
        }
        List<String> lines = new ArrayList<>(table.lines(width));
        lines.addAll(Legend.of(form, configs).lines(width));
        return lines;
    }

    /**
     * The line of the regret.
     *
     * @param at the M of the checks
     * @param beside the kernels beside which the table was held
     */
    static String regret(Regret regret, String at, String beside) {
        return "regret at " + regret.checks().size() + " " + at + ", beside " + beside + ": " + regret.figures();
    }

    private FamilyConfig config(Span span) {
        return new FamilyConfig(family, span.config());
    }
}
