package dev.tilewright.space.ranking;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.SchedulerEvidence;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.model.trial.TimeInterval;
import dev.tilewright.space.ranking.SchedulerCrossings.Span;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class SchedulerCrossingsTest {

    private static final SchedulerEvidence UNEVEN =
            new SchedulerEvidence(List.of(4, 3), List.of(0L, 0L), List.of(110L, 90L), 0.091, null);
    private static final SchedulerEvidence EVEN =
            new SchedulerEvidence(List.of(3, 3), List.of(0L, 0L), List.of(100L, 100L), 0.0, null);

    /** Times in nanoseconds by scheduler; intervals are so many nanoseconds to either side, or there are none. */
    private static SchedulerPoint point(int busySms, double halfWidth, Map<String, Double> times) {
        return point(busySms, halfWidth, halfWidth == 0 ? Stage.SCREEN : Stage.FINAL, times);
    }

    private static SchedulerPoint point(int busySms, double halfWidth, Stage stage, Map<String, Double> times) {
        List<Map.Entry<String, Double>> sorted = new ArrayList<>(times.entrySet());
        sorted.sort(Map.Entry.comparingByValue(Comparator.naturalOrder()));
        return new SchedulerPoint(
                busySms,
                sorted.stream()
                        .map(each -> new SchedulerPoint.Entry(
                                new UUID(0, 1),
                                Config.of(Map.of()),
                                stage,
                                new WhyItWon.Side(
                                        each.getKey(),
                                        time(each.getValue(), halfWidth),
                                        null,
                                        each.getKey().equals("static") ? UNEVEN : EVEN,
                                        null,
                                        halfWidth == 0),
                                time(sorted.getFirst().getValue(), halfWidth)))
                        .toList());
    }

    private static TimeInterval time(double ns, double halfWidth) {
        return halfWidth == 0 ? new TimeInterval(ns, null, null) : new TimeInterval(ns, ns - halfWidth, ns + halfWidth);
    }

    @Test
    void whoeverTakesOverIsNamedWithTheReason() {
        SchedulerCrossings crossings = new SchedulerCrossings(List.of(
                point(16, 0, Map.of("static", 1200.0, "clc", 1100.0)),
                point(0, 0, Map.of("static", 1000.0, "clc", 1020.0)),
                point(8, 0, Map.of("static", 1100.0, "clc", 1050.0))));

        assertThat(crossings.spans()).containsExactly(new Span("static", 0, 0), new Span("clc", 1, 2));
        assertThat(crossings.lines())
                .containsExactly(
                        "static leads up to 0 busy SMs, clc from 8 on",
                        "at 8: clc is faster than static by 4.8 %: at the end of static 9.1 % of the SMs' time is idle,"
                                + " at that of clc 0.0 %, and its busiest SM computes 4 tiles, that of clc 3.");
    }

    /** Neither 0.4 % nor what intervals do not tell apart is a crossing; both are said. */
    @Test
    void aLeadThatIsNoneIsNoCrossing() {
        assertThat(new SchedulerCrossings(List.of(
                                point(0, 0, Map.of("static", 1000.0, "clc", 1100.0)),
                                point(4, 0, Map.of("static", 1004.0, "clc", 1000.0))))
                        .lines())
                .containsExactly("static leads from 0 to 4 busy SMs", "as fast, within 0.5 % or noise: clc at 4");
        assertThat(new SchedulerCrossings(List.of(
                                point(0, 5, Map.of("static", 1000.0, "clc", 1100.0)),
                                point(4, 30, Map.of("static", 1050.0, "clc", 1000.0)),
                                point(8, 5, Map.of("static", 1050.0, "clc", 1000.0, "single", 1001.0)),
                                point(12, 5, Map.of("single", 900.0))))
                        .lines())
                .contains(
                        "static leads up to 4 busy SMs, clc at 8, single from 12 on",
                        "as fast, within 0.5 % or noise: clc at 4; single at 8");
    }

    /** As after a job was cancelled in the race of 8, before the final of 16. */
    @Test
    void aPointWithoutAFinalIsNamedWithItsStage() {
        assertThat(new SchedulerCrossings(List.of(
                                point(0, 5, Map.of("static", 1000.0)),
                                point(8, 5, Stage.CONTEND, Map.of("static", 1000.0)),
                                point(16, 5, Stage.SCREEN, Map.of("static", 1000.0)),
                                point(24, 5, Stage.SCREEN, Map.of("static", 1000.0))))
                        .lines())
                .containsExactly(
                        "static leads from 0 to 24 busy SMs",
                        "no final: at 16, 24 busy SMs the times are of screens; at 8 busy SMs the times are of contends");
    }

    @Test
    void aSpeedHasAnIntervalWhereTimesHaveOne() {
        SchedulerPoint point = point(0, 10, Map.of("static", 1000.0, "clc", 1250.0));

        assertThat(point.entry("clc").orElseThrow().speed())
                .isEqualTo(new SchedulerPoint.Speed(0.8, 990.0 / 1260, 1010.0 / 1240));
        assertThat(point(0, 0, Map.of("static", 1000.0))
                        .entry("static")
                        .orElseThrow()
                        .speed())
                .isEqualTo(new SchedulerPoint.Speed(1, null, null));
        assertThat(point.entry("atomic")).isEmpty();
    }

    @Test
    void wherePointsAreMissingNothingIsSaid() {
        assertThat(new SchedulerCrossings(List.of(new SchedulerPoint(0, List.of()))).lines())
                .isEmpty();
        assertThat(new SchedulerCrossings(List.of(point(4, 0, Map.of("static", 1.0)))).lines())
                .containsExactly("static leads at 4 busy SMs");
    }
}
