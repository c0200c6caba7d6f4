package dev.tilewright.api.web.shape;

import dev.tilewright.api.study.StudyService;
import dev.tilewright.api.web.ConfigWords;
import dev.tilewright.api.web.Figures;
import dev.tilewright.model.exchange.StudyDocument;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.trial.Ratio;
import dev.tilewright.model.trial.Testbed;
import dev.tilewright.space.family.Families;
import dev.tilewright.space.family.FamilySpace;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.UUID;

/**
 * What is best on one testbed for one type.
 *
 * @param anchor of its part of the page
 * @param schedulers the winning ones, in the order of their colours
 */
record ShapesView(String anchor, String title, List<HeatMap> maps, List<String> schedulers, List<Row> rows) {

    private static final int SHADES = 6;
    private static final int KINDS = 5;

    /** A shape of the table. */
    record Row(
            String shape,
            UUID studyId,
            UUID trialId,
            String config,
            String settings,
            String export,
            String rate,
            String time,
            String interval,
            String toDefault,
            String toBestPeer,
            String bestPeer) {}

    /** Groups in the order in which their first shapes come. */
    static List<ShapesView> of(List<StudyService.Raced> all, Families families) {
        Map<String, List<StudyService.Raced>> groups = new LinkedHashMap<>();
        all.forEach(raced ->
                groups.computeIfAbsent(title(raced), _ -> new ArrayList<>()).add(raced));
        List<ShapesView> views = new ArrayList<>();
        groups.forEach((title, group) -> views.add(of("group-" + views.size(), title, group, families)));
        return views;
    }

    private static String title(StudyService.Raced raced) {
        Testbed testbed = raced.study().bound().testbed();
        return testbed.device() + ", driver " + testbed.driver() + ", " + testbed.assembler() + ": "
                + raced.study().problem().types().a() + ", family "
                + raced.study().options().family();
    }

    private static ShapesView of(String anchor, String title, List<StudyService.Raced> group, Families families) {
        DoubleSummaryStatistics all =
                group.stream().mapToDouble(raced -> raced.best().tflops()).summaryStatistics();
        List<String> schedulers = List.copyOf(
                new TreeSet<>(group.stream().map(ShapesView::scheduler).toList()));
        List<HeatMap.Point> rates = new ArrayList<>();
        List<HeatMap.Point> ratios = new ArrayList<>();
        List<HeatMap.Point> winners = new ArrayList<>();
        for (StudyService.Raced raced : group) {
            double rate = raced.best().tflops();
            rates.add(point(raced, Figures.format("%.0f", rate), "heat" + shade(rate, all)));
            Ratio ratio = raced.standing().toBestPeer();
            if (ratio != null) {
                ratios.add(point(
                        raced,
                        Figures.format("%.3f [%.3f, %.3f]", ratio.value(), ratio.low(), ratio.high()),
                        look(ratio)));
            }
            String scheduler = scheduler(raced);
            winners.add(point(raced, scheduler, "kind" + Math.min(KINDS - 1, schedulers.indexOf(scheduler))));
        }
        List<HeatMap> maps = new ArrayList<>();
        maps.add(HeatMap.of("Rate", "TFLOP/s, sustained, in the final", rates));
        if (!ratios.isEmpty()) {
            maps.add(HeatMap.of(
                    "Beside the best peer", "ratio of rates with its 95 % interval, above 1 is faster", ratios));
        }
        maps.add(HeatMap.of("Winning tile scheduler", "that of the best config", winners));
        ConfigWords words = ConfigWords.of(
                families,
                group.getFirst().study().options().family(),
                group.stream().map(raced -> raced.best().config()).toList());
        return new ShapesView(
                anchor,
                title,
                maps,
                schedulers,
                group.stream().map(raced -> row(raced, words)).toList());
    }

    /** From the slowest to the fastest of the group. */
    private static int shade(double rate, DoubleSummaryStatistics all) {
        double range = Math.max(1, all.getMax() - all.getMin());
        return Math.min(SHADES - 1, (int) (SHADES * (rate - all.getMin()) / range));
    }

    /** Beside a peer nothing is faster whose interval has the 1 in it. */
    private static String look(Ratio ratio) {
        return ratio.low() > 1 ? "ahead" : ratio.high() < 1 ? "behind" : "even";
    }

    private static HeatMap.Point point(StudyService.Raced raced, String text, String look) {
        ProblemShape shape = raced.study().problem().shape();
        return new HeatMap.Point(
                shape.m(),
                shape.n(),
                shape.k(),
                new HeatMap.Cell(text, look, "/studies/" + raced.study().id()));
    }

    private static String scheduler(StudyService.Raced raced) {
        return raced.best().config().has(FamilySpace.SCHEDULER)
                ? raced.best().config().value(FamilySpace.SCHEDULER).toString()
                : "none named";
    }

    private static Row row(StudyService.Raced raced, ConfigWords words) {
        StudyDocument.BestDocument best = raced.best();
        return new Row(
                raced.study().problem().shapes(),
                raced.study().id(),
                best.id(),
                words.brief(best.config()),
                words.settings(best.config()),
                "tilewright export --trial " + best.id() + " --to DIR",
                Figures.tflops(best.tflops()),
                Figures.us(best.medianNs()),
                Figures.interval(best.ciLowNs(), best.ciHighNs()),
                Figures.ratio(raced.standing().toDefault()),
                Figures.ratio(raced.standing().toBestPeer()),
                peer(raced));
    }

    private static String peer(StudyService.Raced raced) {
        return raced.standing().bestPeer() == null
                ? Figures.NONE
                : raced.standing().bestPeer().arm().name();
    }
}
