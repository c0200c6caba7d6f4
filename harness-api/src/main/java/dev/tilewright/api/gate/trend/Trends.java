package dev.tilewright.api.gate.trend;

import dev.tilewright.gate.document.GateTrend;
import dev.tilewright.gate.document.GateTrend.Change;
import dev.tilewright.gate.document.GateTrend.Point;
import dev.tilewright.gate.document.GateTrend.Series;
import dev.tilewright.gate.trend.ChangePoints;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/** The effects of a branch over time, by case and kind of GPU, and where they changed for good. */
@Service
public class Trends {

    private static final int MOST = 10_000;

    private final TrendRepository effects;

    Trends(TrendRepository effects) {
        this.effects = effects;
    }

    /**
     * Of the newest 10,000 effects.
     *
     * @param caseName {@code null} for all cases
     */
    public GateTrend of(String gate, String branch, @Nullable String caseName) {
        List<Series> series = effects.effects(gate, branch, caseName, MOST).stream()
                .collect(Collectors.groupingBy(
                        of -> List.of(of.caseName(), of.gpu()), LinkedHashMap::new, Collectors.toList()))
                .values()
                .stream()
                .map(Trends::series)
                .toList();
        return new GateTrend(gate, branch, series);
    }

    private static Series series(List<TrendRepository.Of> effects) {
        List<Point> points = effects.stream().map(TrendRepository.Of::point).toList();
        List<Change> changes = ChangePoints.of(
                        points.stream().mapToDouble(Point::percent).toArray())
                .stream()
                .map(found -> new Change(
                        points.get(found.index()).run(),
                        points.get(found.index()).commit(),
                        found.before(),
                        found.after(),
                        found.p()))
                .toList();
        TrendRepository.Of first = effects.getFirst();
        return new Series(first.caseName(), first.gpu(), points, changes);
    }
}
