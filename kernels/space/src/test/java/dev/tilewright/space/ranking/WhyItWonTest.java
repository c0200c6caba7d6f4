package dev.tilewright.space.ranking;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.model.trial.SchedulerEvidence;
import dev.tilewright.model.trial.TileTimes;
import dev.tilewright.model.trial.TimeInterval;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class WhyItWonTest {

    private record Time(TimeInterval interval, @Nullable Double clockMhz) {}

    private static Time time(double medianNs, double halfWidth, @Nullable Double clock) {
        return new Time(new TimeInterval(medianNs, medianNs - halfWidth, medianNs + halfWidth), clock);
    }

    private static Time predicted(double ns) {
        return new Time(new TimeInterval(ns, null, null), null);
    }

    private static SchedulerEvidence evidence(List<Integer> tiles, List<Long> starts, List<Long> ends, double tail) {
        return new SchedulerEvidence(tiles, starts, ends, tail, null);
    }

    private static WhyItWon.Side side(
            String scheduler, Time time, @Nullable SchedulerEvidence evidence, boolean simulated) {
        return new WhyItWon.Side(scheduler, time.interval(), time.clockMhz(), evidence, null, simulated);
    }

    /** Of a run on a real GPU. */
    private static WhyItWon.Side reading(String scheduler, double ns, SchedulerEvidence evidence, double l2Bytes) {
        return new WhyItWon.Side(scheduler, time(ns, 10, null).interval(), null, evidence, l2Bytes, false);
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

    /** Both have two SMs with two tiles each that end together. */
    @Test
    void gapsBetweenTilesAreNamed() {
        SchedulerEvidence close = TileTimes.evidence(
                List.of(
                        new TileTimes.Tile(0, 0, 500, false),
                        new TileTimes.Tile(0, 500, 1000, false),
                        new TileTimes.Tile(1, 0, 490, false),
                        new TileTimes.Tile(1, 500, 1000, false)),
                2,
                List.of());
        SchedulerEvidence apart = TileTimes.evidence(
                List.of(
                        new TileTimes.Tile(0, 0, 450, false),
                        new TileTimes.Tile(0, 550, 1000, false),
                        new TileTimes.Tile(1, 0, 480, false),
                        new TileTimes.Tile(1, 500, 1000, false)),
                2,
                List.of());
        assertThat(WhyItWon.sentence(
                        side("static", time(10_000, 10, null), close, false),
                        side("single", time(10_500, 10, null), apart, false)))
                .endsWith(": before and between their tiles the SMs of single have none for 6.0 % of its time, those of"
                        + " static for 0.5 %.");
        assertThat(WhyItWon.sentence(
                        side("static", time(10_000, 10, null), EVEN, false),
                        side("single", time(10_500, 10, null), apart, false)))
                .as("of one nobody knows")
                .contains("what is left is");
    }

    @Test
    void trafficThatTheModelCountsComesAfterWhatWasMeasured() {
        WhyItWon.Side less = reading("static", 10_000, EVEN, 1.8e9);
        assertThat(WhyItWon.sentence(less, reading("single", 10_500, EVEN, 2.4e9)))
                .endsWith(": the model counts 2.40 GB read from L2 under single and 1.80 GB under static.");
        SchedulerEvidence uneven = evidence(List.of(3, 3), List.of(0L, 0L), List.of(110L, 90L), 0.091);
        assertThat(WhyItWon.sentence(less, reading("single", 10_500, uneven, 2.4e9)))
                .contains("9.1 % of the SMs' time is idle")
                .doesNotContain("model");
    }

    /** The winner may read as much, or more: then something else is the reason. */
    @Test
    void trafficThatSaysNothingIsNoReason() {
        assertThat(WhyItWon.sentence(reading("clc", 10_000, EVEN, 3.24e8), reading("static", 10_500, EVEN, 3.25e8)))
                .endsWith("neither idle tail, tiles of the busiest SM, first tiles, gaps nor clock say why, nor does"
                        + " traffic to L2: the model counts 324.0 MB read from it for both. What is left is traffic to"
                        + " DRAM, or asking for the next tile.");
        assertThat(WhyItWon.sentence(reading("clc", 10_000, EVEN, 2.4e9), reading("static", 10_500, EVEN, 1.8e9)))
                .endsWith("nor does traffic to L2: the model counts 2.40 GB read from it under clc and 1.80 GB under"
                        + " static.");
    }

    @Test
    void whatTheTracesDoNotShowIsNotInvented() {
        assertThat(WhyItWon.sentence(
                        side("static", time(10_000, 10, 1700.0), EVEN, false),
                        side("atomic", time(10_500, 10, 1700.0), EVEN, false)))
                .endsWith(
                        "neither idle tail, tiles of the busiest SM, first tiles, gaps nor clock say why: what is left is"
                                + " what a tile costs, in traffic to L2 or in asking for the next one.");
        assertThat(WhyItWon.sentence(
                        side("static", time(10_000, 10, null), EVEN, false),
                        side("atomic", time(10_500, 10, null), null, false)))
                .endsWith("; why is not known, for atomic was not traced.");
    }
}
