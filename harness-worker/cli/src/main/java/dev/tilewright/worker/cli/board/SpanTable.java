package dev.tilewright.worker.cli.board;

import dev.tilewright.model.range.Regret;
import dev.tilewright.model.range.Span;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The kernels of a range of M, a row each, with the legend of their configs. */
record SpanTable(String family, List<Span> kernels) {

    /** Rows and legend. */
    List<String> lines() {
        List<FamilyConfig> configs = kernels.stream().map(this::config).toList();
        CompactConfig form = CompactConfig.of(configs);
        TextTable table = new TextTable(List.of("from M", "to M", "config", "us at from", "us at to"), "rrlrr");
        for (Span span : kernels) {
            table.add(List.of(
                    Integer.toString(span.from()),
                    Integer.toString(span.to()),
                    form.format(config(span)),
                    Rates.us(1e3 * span.usFrom()),
                    Rates.us(1e3 * span.usTo())));
        }
        List<String> lines = new ArrayList<>(table.lines());
        lines.addAll(Legend.of(form, configs).lines());
        return lines;
    }

    /**
     * The line of the regret.
     *
     * @param at the M of the checks
     * @param beside the kernels beside which the table was held
     */
    static String regret(Regret regret, String at, String beside) {
        return String.format(
                Locale.ROOT,
                "regret at %d %s, beside %s: median %.1f %%, 95th percentile %.1f %%, worst %.1f %% at M = %d",
                regret.checks().size(),
                at,
                beside,
                100 * regret.median(),
                100 * regret.p95(),
                100 * regret.worst(),
                regret.worstAt());
    }

    private FamilyConfig config(Span span) {
        return new FamilyConfig(family, span.config());
    }
}
