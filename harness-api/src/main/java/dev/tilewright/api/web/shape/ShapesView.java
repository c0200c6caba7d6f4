package dev.tilewright.api.web.shape;

import dev.tilewright.api.kernel.KernelPart;
import dev.tilewright.api.web.ConfigWords;
import dev.tilewright.api.web.Figures;
import dev.tilewright.api.web.KernelLink;
import dev.tilewright.model.exchange.BestConfigs.BestConfig;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.trial.Ratio;
import dev.tilewright.model.trial.Testbed;
import dev.tilewright.space.families.Families;
import dev.tilewright.space.parameter.Scheduler;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Best configs on one testbed for one type.
 *
 * @param anchor of its part of the page
 * @param stale why all of it may be so no longer; {@code null} if nothing says so
 */
record ShapesView(String anchor, String title, @Nullable String stale, List<HeatMap> maps, List<Row> rows) {

    private static final int SHADES = 6;
    private static final int KINDS = 5;

    /**
     * A shape of the table.
     *
     * @param files of its kernel that are kept
     */
    record Row(
            String shape,
            UUID studyId,
            UUID trialId,
            String config,
            String settings,
            String export,
            List<KernelLink> files,
            String rate,
            String bandwidth,
            String roofline,
            String time,
            String interval,
            String toDefault,
            String toBestPeer,
            String bestPeer) {}

    /**
     * Groups in the order in which their first shapes come.
     *
     * @param kept the files that there are of the kernels of trials
     */
    static List<ShapesView> of(List<BestConfig> all, Families families, Map<UUID, Set<KernelPart>> kept) {
        Map<String, List<BestConfig>> groups = new LinkedHashMap<>();
        all.forEach(best ->
                groups.computeIfAbsent(title(best), _ -> new ArrayList<>()).add(best));
        List<ShapesView> views = new ArrayList<>();
        groups.forEach((title, group) -> views.add(of("group-" + views.size(), title, group, families, kept)));
        return views;
    }

    private static String title(BestConfig best) {
        Testbed testbed = best.testbed();
        return testbed.device() + ", driver " + testbed.driver() + ", " + testbed.assembler() + ": " + best.dtype()
                + ", family " + best.family();
    }

    private static ShapesView of(
            String anchor, String title, List<BestConfig> group, Families families, Map<UUID, Set<KernelPart>> kept) {
        List<HeatMap> maps = new ArrayList<>();
        maps.add(rates(group));
        List<Beside> beside =
                group.stream().flatMap(best -> Beside.of(best).stream()).toList();
        if (!beside.isEmpty()) {
            maps.add(ratios(beside));
        }
        maps.add(winners(group));
        ConfigWords words = ConfigWords.of(
                families,
                group.getFirst().family(),
                group.stream().map(BestConfig::config).toList());
        return new ShapesView(
                anchor,
                title,
                // Of one driver, all of them.
                group.getFirst().stale(),
                maps,
                group.stream()
                        .map(best -> row(best, words, kept.getOrDefault(best.trialId(), Set.of())))
                        .toList());
    }

    /** A config beside the best peer of its final. */
    private record Beside(BestConfig best, Ratio ratio) {

        static Optional<Beside> of(BestConfig best) {
            return Optional.ofNullable(Figures.ratioOf(best.ratioToBestPeer(), best.ratioToBestPeerCi()))
                    .map(ratio -> new Beside(best, ratio));
        }
    }

    private static HeatMap rates(List<BestConfig> group) {
        Comparator<BestConfig> slowestFirst = Comparator.comparingDouble(BestConfig::tflops);
        BestConfig least = group.stream().min(slowestFirst).orElseThrow();
        BestConfig most = group.stream().max(slowestFirst).orElseThrow();
        return HeatMap.of(
                "Rate",
                "TFLOP/s, sustained, in the final",
                (group.size() == 1 ? "" : "From " + Figures.tflops(least.tflops()) + " of " + least.shape() + " to ")
                        + Figures.tflops(most.tflops()) + " of " + most.shape(),
                group.stream()
                        .map(best -> point(
                                best,
                                Figures.format("%.0f", best.tflops()),
                                "heat" + shade(best.tflops(), least.tflops(), most.tflops())))
                        .toList());
    }

    private static HeatMap ratios(List<Beside> beside) {
        Map<String, Long> looks =
                beside.stream().collect(Collectors.groupingBy(each -> look(each.ratio()), Collectors.counting()));
        return HeatMap.of(
                "Beside the best peer",
                "ratio of rates with its 95 % interval, above 1 is faster",
                "Of " + Figures.count(beside.size(), "shape") + ", " + looks.getOrDefault("ahead", 0L)
                        + " ahead of the best peer, "
                        + looks.getOrDefault("behind", 0L) + " behind, " + looks.getOrDefault("even", 0L)
                        + " even",
                beside.stream()
                        .map(each -> point(each.best(), cell(each.ratio()), look(each.ratio())))
                        .toList());
    }

    private static String cell(Ratio ratio) {
        return Figures.format("%.3f [%.3f, %.3f]", ratio.value(), ratio.low(), ratio.high());
    }

    private static HeatMap winners(List<BestConfig> group) {
        Map<String, Long> wins = group.stream()
                .collect(Collectors.groupingBy(ShapesView::scheduler, TreeMap::new, Collectors.counting()));
        List<String> schedulers = List.copyOf(wins.keySet());
        return HeatMap.of(
                "Winning tile scheduler",
                "that of the best config",
                "Of " + Figures.count(group.size(), "shape") + ", "
                        + wins.entrySet().stream()
                                .map(win -> win.getKey() + " wins " + win.getValue())
                                .collect(Collectors.joining(", ")),
                group.stream()
                        .map(best -> point(
                                best,
                                scheduler(best),
                                "kind" + Math.min(KINDS - 1, schedulers.indexOf(scheduler(best)))))
                        .toList());
    }

    /** From the slowest to the fastest of the group. */
    private static int shade(double rate, double least, double most) {
        double range = Math.max(1, most - least);
        return Math.min(SHADES - 1, (int) (SHADES * (rate - least) / range));
    }

    /** Beside a peer nothing is faster whose interval has the 1 in it. */
    private static String look(Ratio ratio) {
        return ratio.low() > 1 ? "ahead" : ratio.high() < 1 ? "behind" : "even";
    }

    private static HeatMap.Point point(BestConfig best, String text, String look) {
        ProblemShape shape = best.problem().problem().shape();
        return new HeatMap.Point(
                shape.m(), shape.n(), shape.k(), new HeatMap.Cell(text, look, "/studies/" + best.studyId()));
    }

    private static String scheduler(BestConfig best) {
        return best.config().has(Scheduler.KEY.name())
                ? best.config().value(Scheduler.KEY.name()).toString()
                : "none named";
    }

    private static Row row(BestConfig best, ConfigWords words, Set<KernelPart> kept) {
        return new Row(
                best.shape(),
                best.studyId(),
                best.trialId(),
                words.brief(best.config()),
                words.options(best.config()),
                "tilewright export --trial " + best.trialId() + " --to DIR",
                KernelLink.of(best.trialId(), kept),
                Figures.tflops(best.tflops()),
                Figures.bandwidth(best.gbPerSecond()),
                Figures.percent(best.rooflineShare()),
                Figures.us(best.medianNs()),
                Figures.interval(best.ciLowNs(), best.ciHighNs()),
                Figures.ratio(Figures.ratioOf(best.ratioToDefault(), best.ratioToDefaultCi())),
                Figures.ratio(Figures.ratioOf(best.ratioToBestPeer(), best.ratioToBestPeerCi())),
                best.bestPeer() == null ? Figures.NONE : best.bestPeer());
    }
}
