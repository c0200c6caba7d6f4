package dev.tilewright.worker.cli.capture;

import dev.tilewright.worker.cli.board.Board;
import dev.tilewright.worker.cli.board.TextTable;
import dev.tilewright.worker.cli.capture.CapturePlan.Line;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** The table of all lines of a plan by share, and what is expected of it. */
public record PlanTable(CapturePlan plan) implements Board {

    @Override
    public List<String> lines(int width) {
        List<Line> tuned = plan.tuned();
        TextTable table = new TextTable(
                List.of("share", "problem", "operators", "calls", "recorded us", "model us", "roofline us", "tuned"),
                "rllrrrrl");
        plan.lines()
                .forEach(line -> table.add(List.of(
                        CaptureSummary.percent(line.share()),
                        line.text(),
                        line.problem().operators(),
                        Long.toString(line.row().launches()),
                        us(line.vendorUs()),
                        us(line.modelUs()),
                        us(line.rooflineUs()),
                        line.skipped()
                                .map(reason -> "no: " + reason)
                                .orElseGet(() -> tuned.contains(line)
                                        ? "yes"
                                        : "no: beyond " + CapturePlan.MOST_TUNED + " problems"))));
        double share = tuned.stream().mapToDouble(Line::share).sum();
        boolean known = tuned.stream().anyMatch(line -> line.room().isPresent());
        String total = tuned.size() + " of " + plan.lines().size() + " problems are tuned, "
                + CaptureSummary.percent(share) + " of the time"
                + (known
                        ? "; the model expects to save " + saved(tuned, Line::gain)
                                + " of the time, the roofline allows " + saved(tuned, Line::room)
                        : "");
        return Stream.of(Stream.of(plan.basis()), table.lines(width).stream(), Stream.of(total))
                .flatMap(each -> each)
                .toList();
    }

    private static String saved(List<Line> tuned, Function<Line, Optional<Double>> part) {
        return CaptureSummary.percent(tuned.stream()
                .mapToDouble(line -> line.share() * Math.max(0, part.apply(line).orElse(0.0)))
                .sum());
    }

    private static String us(Optional<Double> us) {
        return us.map(known -> String.format(Locale.ROOT, "%.2f", known)).orElse("-");
    }
}
