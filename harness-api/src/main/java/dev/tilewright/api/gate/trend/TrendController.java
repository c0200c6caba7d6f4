package dev.tilewright.api.gate.trend;

import dev.tilewright.gate.document.GateTrend;
import dev.tilewright.gate.document.GateTrend.Change;
import dev.tilewright.gate.document.GateTrend.Point;
import dev.tilewright.gate.document.GateTrend.Series;
import dev.tilewright.gate.trend.ChangePoints;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Trends over HTTP. */
@RestController
@Tag(name = "gates")
final class TrendController {

    private static final int MOST = 10_000;

    private final TrendRepository effects;

    TrendController(TrendRepository effects) {
        this.effects = effects;
    }

    @Operation(
            summary = "The effects of a branch over time, and where they changed for good",
            description = "By case and kind of GPU, of the newest 10,000 effects. It audits: a change is seen some runs"
                    + " later.")
    @GetMapping("/api/v1/gates/{name}/trend")
    GateTrend gateTrend(
            @PathVariable String name,
            @RequestParam(defaultValue = "main") String branch,
            @RequestParam(name = "case", required = false) @Nullable String caseName) {
        List<Series> series = effects.effects(name, branch, caseName, MOST).stream()
                .collect(Collectors.groupingBy(
                        of -> List.of(of.caseName(), of.gpu()), LinkedHashMap::new, Collectors.toList()))
                .values()
                .stream()
                .map(TrendController::series)
                .toList();
        return new GateTrend(name, branch, series);
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
