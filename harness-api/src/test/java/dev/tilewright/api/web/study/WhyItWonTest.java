package dev.tilewright.api.web.study;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.model.trial.SchedulerEvidence;
import dev.tilewright.model.trial.Stage;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class WhyItWonTest {

    private static StudyTrial.Time time(double medianNs, double halfWidth, @Nullable Double clock) {
        return new StudyTrial.Time(
                Stage.FINAL, medianNs, medianNs - halfWidth, medianNs + halfWidth, 1e6 / medianNs, clock);
    }

    private static StudyTrial.Time predicted(double ns) {
        return new StudyTrial.Time(Stage.SCREEN, ns, null, null, 1e6 / ns, null);
    }

    private static SchedulerEvidence evidence(List<Integer> tiles, List<Long> starts, List<Long> ends, double tail) {
        return new SchedulerEvidence(tiles, starts, ends, tail, null);
    }

    private static WhyItWon.Side side(
            String scheduler, StudyTrial.Time time, @Nullable SchedulerEvidence evidence, boolean simulated) {
        return new WhyItWon.Side(scheduler, time, evidence, simulated);
    }

    private static final SchedulerEvidence EVEN = evidence(List.of(3, 3), List.of(0L, 0L), List.of(100L, 100L), 0.0);

    @Test
    void intervalsThatMeetAreNoDifference() {
        assertThat(WhyItWon.sentence(
                        side("static", time(10_000, 200, null), EVEN, false),
                        side("atomic", time(10_300, 200, null), EVEN, false)))
                .isEqualTo("No difference beyond noise between static and atomic: their intervals [9.800, 10.20 µs] and"
                        + " [10.10, 10.50 µs] overlap.");
    }

    @Test
    void ofPredictionsTheModelSpeaks() {
        assertThat(WhyItWon.sentence(
                        side("static", predicted(10_000), EVEN, true), side("single", predicted(10_001), EVEN, true)))
                .isEqualTo("No difference that the model sees between static and single.");
    }

    @Test
    void theIdleTailIsNamedWithTheBusiestSm() {
        SchedulerEvidence uneven = evidence(List.of(4, 3), List.of(0L, 0L), List.of(110L, 90L), 0.091);
        assertThat(WhyItWon.sentence(
                        side("atomic", time(10_000, 50, 1700.0), EVEN, false),
                        side("static", time(11_000, 50, 1700.0), uneven, false)))
                .isEqualTo("atomic is faster than static by 10.0 % [9.0 %, 11.1 %]: at the end of static 9.1 % of the"
                        + " SMs' time is idle, at that of atomic 0.0 %, and its busiest SM computes 4 tiles, that of"
                        + " atomic 3.");
    }

    @Test
    void wavesAloneAreNamedToo() {
        SchedulerEvidence more = evidence(List.of(4, 4), List.of(0L, 0L), List.of(100L, 100L), 0.0);
        assertThat(WhyItWon.sentence(
                        side("static", predicted(10_000), EVEN, true), side("single", predicted(12_500), more, true)))
                .isEqualTo(
                        "static is faster than single by 25.0 %: its busiest SM computes 4 tiles, that of static 3.");
    }

    @Test
    void lateStartsClockAndSpreadComeNext() {
        SchedulerEvidence late = evidence(List.of(3, 3), List.of(0L, 20L), List.of(100L, 100L), 0.0);
        assertThat(WhyItWon.sentence(
                        side("static", time(10_000, 10, null), EVEN, false),
                        side("single", time(10_500, 10, null), late, false)))
                .contains("SMs of single begin 10.0 % of its time after the first on average, those of static 0.0 %");
        assertThat(WhyItWon.sentence(
                        side("static", time(10_000, 10, 1700.0), EVEN, false),
                        side("atomic", time(10_500, 10, 1620.0), EVEN, false)))
                .endsWith(": the GPU clocks at 1620 MHz under atomic and at 1700 MHz under static.");
        SchedulerEvidence spread = evidence(List.of(3, 3), List.of(0L, 0L), List.of(100L, 80L), 0.0);
        assertThat(WhyItWon.sentence(
                        side("static", time(10_000, 10, null), EVEN, false),
                        side("atomic", time(10_500, 10, null), spread, false)))
                .contains("the ends of its SMs are spread over 20.0 % of its time, those of static over 0.0 %");
    }

    @Test
    void whatTheTracesDoNotShowIsNotInvented() {
        assertThat(WhyItWon.sentence(
                        side("static", time(10_000, 10, 1700.0), EVEN, false),
                        side("atomic", time(10_500, 10, 1700.0), EVEN, false)))
                .endsWith("neither idle tail, tiles of the busiest SM, first tiles nor clock say why: what is left is"
                        + " what a tile costs, in traffic to L2 or in asking for the next one.");
        assertThat(WhyItWon.sentence(
                        side("static", time(10_000, 10, null), EVEN, false),
                        side("atomic", time(10_500, 10, null), null, false)))
                .endsWith("; why is not known, for atomic was not traced.");
    }
}
