package dev.tilewright.space.ranking;

import dev.tilewright.model.trial.Stage;
import dev.tilewright.space.parameter.Scheduler;
import dev.tilewright.space.ranking.SchedulerPoint.Entry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The leading tile schedulers over the numbers of busy SMs, with the reason where another one takes over.
 *
 * @param points by ascending number of busy SMs
 */
public record SchedulerCrossings(List<SchedulerPoint> points) {

    /** A scheduler that is behind by less leads as well: nobody chooses one for that. */
    private static final double CLOSE = 0.005;

    /**
     * Neighbouring points at which one scheduler leads.
     *
     * @param first the index of the first of them
     * @param last the index of the last of them
     */
    public record Span(String scheduler, int first, int last) {}

    /** @param points in any order; those without entries do not count */
    public SchedulerCrossings {
        points = points.stream()
                .filter(point -> !point.entries().isEmpty())
                .sorted((one, other) -> Integer.compare(one.busySms(), other.busySms()))
                .toList();
    }

    /** The schedulers that were timed anywhere, in one order for all tables. */
    public List<String> schedulers() {
        return Stream.of(Scheduler.values())
                .map(Scheduler::toString)
                .filter(scheduler ->
                        points.stream().anyMatch(point -> point.entry(scheduler).isPresent()))
                .toList();
    }

    /** All spans in order. A scheduler that leads goes on to lead while nobody is faster by 0.5 % and beyond noise. */
    public List<Span> spans() {
        List<Span> spans = new ArrayList<>();
        for (int i = 0; i < points.size(); i++) {
            SchedulerPoint point = points.get(i);
            boolean goesOn = !spans.isEmpty()
                    && point.entry(spans.getLast().scheduler())
                            .filter(SchedulerCrossings::isClose)
                            .isPresent();
            if (goesOn) {
                Span before = spans.removeLast();
                spans.add(new Span(before.scheduler(), before.first(), i));
            } else {
                spans.add(new Span(point.entries().getFirst().scheduler(), i, i));
            }
        }
        return spans;
    }

    /**
     * The leaders in a line, the numbers of busy SMs without a final, and for each crossing a line with the reason;
     * none without a point.
     */
    public List<String> lines() {
        List<Span> spans = spans();
        List<String> lines = new ArrayList<>();
        if (spans.isEmpty()) {
            return lines;
        }
        List<String> leaders = new ArrayList<>();
        for (int i = 0; i < spans.size(); i++) {
            leaders.add(words(spans.get(i), i, spans.size()));
        }
        lines.add(String.join(", ", leaders));
        close(spans).ifPresent(lines::add);
        withoutFinal().ifPresent(lines::add);
        for (int i = 1; i < spans.size(); i++) {
            SchedulerPoint point = points.get(spans.get(i).first());
            Entry leads = point.entry(spans.get(i).scheduler()).orElseThrow();
            point.entry(spans.get(i - 1).scheduler())
                    .ifPresent(led ->
                            lines.add("at " + point.busySms() + ": " + WhyItWon.between(leads.side(), led.side())));
        }
        return lines;
    }

    private static boolean isClose(Entry entry) {
        return entry.isTied() || entry.speed().value() >= 1 - CLOSE;
    }

    /** The others that are as good, and where. */
    private Optional<String> close(List<Span> spans) {
        Map<String, List<String>> where = new LinkedHashMap<>();
        for (Span span : spans) {
            for (SchedulerPoint point : points.subList(span.first(), span.last() + 1)) {
                point.entries().stream()
                        .filter(entry -> !entry.scheduler().equals(span.scheduler()) && isClose(entry))
                        .forEach(entry -> where.computeIfAbsent(entry.scheduler(), _ -> new ArrayList<>())
                                .add(Integer.toString(point.busySms())));
            }
        }
        return where.isEmpty()
                ? Optional.empty()
                : Optional.of("as fast, within 0.5 % or noise: "
                        + where.entrySet().stream()
                                .map(each -> each.getKey() + " at " + String.join(", ", each.getValue()))
                                .collect(Collectors.joining("; ")));
    }

    /** The numbers of busy SMs of which a GPU ran no final, such as after a job was cancelled. */
    private Optional<String> withoutFinal() {
        Map<Stage, List<String>> where = new TreeMap<>();
        for (SchedulerPoint point : points) {
            point.stage()
                    .filter(stage -> stage != Stage.FINAL)
                    .ifPresent(stage -> where.computeIfAbsent(stage, _ -> new ArrayList<>())
                            .add(Integer.toString(point.busySms())));
        }
        return where.isEmpty()
                ? Optional.empty()
                : Optional.of("no final: "
                        + where.entrySet().stream()
                                .map(each -> "at " + String.join(", ", each.getValue()) + " busy SMs the times are of "
                                        + each.getKey() + "s")
                                .collect(Collectors.joining("; ")));
    }

    private String words(Span span, int index, int spans) {
        int from = points.get(span.first()).busySms();
        int to = points.get(span.last()).busySms();
        if (spans == 1) {
            return span.scheduler() + " leads " + (from == to ? "at " + from : "from " + from + " to " + to)
                    + " busy SMs";
        }
        if (index == 0) {
            return span.scheduler() + " leads up to " + to + " busy SMs";
        }
        return span.scheduler() + " "
                + (index == spans - 1
                        ? "from " + from + " on"
                        : from == to ? "at " + from : "from " + from + " to " + to);
    }
}
