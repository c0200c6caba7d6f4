package dev.tilewright.api.web.study;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.tilewright.api.web.Figures;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.model.trial.TimeInterval;
import dev.tilewright.space.ranking.SchedulerCrossings;
import dev.tilewright.space.ranking.SchedulerPoint;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The best time of each tile scheduler of a job over its numbers of busy SMs, a curve each.
 *
 * @param points in the order of the cells of a curve
 * @param crossings who leads where, and why another one takes over
 * @param says the chart in a sentence, by its name
 */
record SchedulerCurves(
        List<BusySmsPoint> points,
        List<SchedulerCurve> curves,
        @JsonIgnore SchedulerCrossings crossings,
        boolean simulated,
        Map<String, String> says) {

    static final String CHART = "busySms";

    /**
     * A number of busy SMs.
     *
     * @param study that has the maps of the SMs
     */
    record BusySmsPoint(int busySms, UUID study) {}

    /** @param cells one for each point */
    record SchedulerCurve(String scheduler, List<CurveTime> cells) {}

    /**
     * The best of a scheduler at a point; without a time if none was timed.
     *
     * @param speed beside that of the fastest, for people
     * @param stage of both times; {@code null} of a prediction
     */
    record CurveTime(
            @Nullable Double us,
            @Nullable Double lowUs,
            @Nullable Double highUs,
            String speed,
            @Nullable Stage stage) {

        private static final CurveTime NONE = new CurveTime(null, null, null, Figures.NONE, null);

        private static CurveTime of(SchedulerPoint.Entry entry) {
            TimeInterval time = entry.side().time();
            return new CurveTime(
                    time.medianNs() / 1e3,
                    us(time.lowNs()),
                    us(time.highNs()),
                    entry.speed().words(),
                    entry.side().simulated() ? null : entry.stage());
        }

        private static @Nullable Double us(@Nullable Double ns) {
            return ns == null ? null : ns / 1e3;
        }

        /** The time for people. */
        @JsonIgnore
        public String time() {
            return us == null ? Figures.NONE : Figures.us(1e3 * us);
        }
    }

    /** The crossings as the terminal says them. */
    public List<String> lines() {
        return crossings.lines();
    }

    /** @param studies by their number of busy SMs */
    static SchedulerCurves of(List<SchedulerPoint> all, Map<Integer, UUID> studies, boolean simulated) {
        SchedulerCrossings crossings = new SchedulerCrossings(all);
        List<SchedulerPoint> points = crossings.points();
        List<SchedulerCurve> curves = crossings.schedulers().stream()
                .map(name -> new SchedulerCurve(
                        name,
                        points.stream()
                                .map(point ->
                                        point.entry(name).map(CurveTime::of).orElse(CurveTime.NONE))
                                .toList()))
                .toList();
        return new SchedulerCurves(
                points.stream()
                        .map(point -> new BusySmsPoint(point.busySms(), studies.get(point.busySms())))
                        .toList(),
                curves,
                crossings,
                simulated,
                Map.of(CHART, points.isEmpty() ? "" : words(points, curves, simulated)));
    }

    private static String words(List<SchedulerPoint> points, List<SchedulerCurve> curves, boolean simulated) {
        return "The time of a launch with the best config of each tile scheduler while others hold SMs, from "
                + points.getFirst().busySms() + " to " + points.getLast().busySms() + " of them: "
                + curves.stream()
                        .map(curve -> curve.scheduler() + " "
                                + curve.cells().getFirst().time() + " to "
                                + curve.cells().getLast().time())
                        .collect(Collectors.joining(", "))
                + "."
                + (simulated ? " All of it is predicted." : " Strokes are 95 % intervals.");
    }
}
