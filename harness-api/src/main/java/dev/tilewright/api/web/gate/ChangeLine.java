package dev.tilewright.api.web.gate;

import dev.tilewright.api.web.Figures;
import dev.tilewright.gate.document.GateTrend;
import java.util.List;
import java.util.UUID;

/** Where the effect of a case has changed for good. */
public record ChangeLine(String caseName, String gpu, UUID run, String commit, String before, String after, String p) {

    static List<ChangeLine> of(GateTrend trend) {
        return trend.series().stream()
                .flatMap(series -> series.changes().stream().map(change -> of(series, change)))
                .toList();
    }

    private static ChangeLine of(GateTrend.Series series, GateTrend.Change change) {
        return new ChangeLine(
                series.caseName(),
                series.gpu(),
                change.run(),
                RunLine.commit(change.commit()),
                Figures.signed(change.before()),
                Figures.signed(change.after()),
                Figures.format("%.4f", change.p()));
    }
}
