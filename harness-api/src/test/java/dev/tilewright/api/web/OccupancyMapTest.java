package dev.tilewright.api.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import dev.tilewright.model.trial.SchedulerEvidence;
import java.util.List;
import org.junit.jupiter.api.Test;

class OccupancyMapTest {

    @Test
    void aRowForEachSmWithItsBarAndWhatItWasIdle() {
        SchedulerEvidence evidence = new SchedulerEvidence(
                        List.of(3, 2, 0, 0), List.of(0L, 500L, 0L, 0L), List.of(2000L, 1500L, 0L, 0L), 0.1, 1.02)
                .holding(List.of(3));
        OccupancyMap map = OccupancyMap.of(evidence, 4);
        assertThat(map.rows()).extracting(OccupancyMap.Row::state).containsExactly("busy", "busy", "idle", "held");
        OccupancyMap.Row second = map.rows().get(1);
        assertThat(second.x()).isCloseTo(250, within(1e-9));
        assertThat(second.width()).isCloseTo(500, within(1e-9));
        assertThat(second.tailX()).isCloseTo(750, within(1e-9));
        assertThat(second.tailWidth()).isCloseTo(250, within(1e-9));
        assertThat(second.y()).isCloseTo(4, within(1e-9));
        assertThat(second.says()).isEqualTo("SM 1: 2 tiles from 0.500 µs to 1.500 µs, then idle for 0.500 µs");
        assertThat(map.rows().getLast().says()).isEqualTo("SM 3: held by somebody else");
        assertThat(map.height()).isEqualTo(16);
        assertThat(map.ends()).isEqualTo("2.000 µs");
        assertThat(map.histogram())
                .extracting(OccupancyMap.Bin::tiles, OccupancyMap.Bin::sms, OccupancyMap.Bin::share)
                .containsExactly(tuple(0, 1, 1 / 3.0), tuple(2, 1, 1 / 3.0), tuple(3, 1, 1 / 3.0));
    }

    /** An emulated GPU gives none. */
    @Test
    void withoutTimesThereIsAHistogramAlone() {
        OccupancyMap map = OccupancyMap.of(SchedulerEvidence.untimed(List.of(4, 4, 5, 4)), 4);
        assertThat(map.rows()).isEmpty();
        assertThat(map.histogram()).hasSize(2);
        assertThat(map.tilesSaid()).isEqualTo("3 SMs have 4 tiles, 1 SM has 5 tiles.");
    }
}
