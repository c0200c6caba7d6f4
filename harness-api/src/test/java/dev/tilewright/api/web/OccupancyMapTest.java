package dev.tilewright.api.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.tilewright.api.web.OccupancyMap.State;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.model.trial.SchedulerEvidence;
import dev.tilewright.model.trial.TileTimes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OccupancyMapTest {

    /** SM 0 has two tiles with a gap, SM 1 one and one of padding, SM 2 was held, of SM 3 nobody had a use. */
    private static final SchedulerEvidence WHOLE = TileTimes.evidence(
            List.of(
                    new TileTimes.Tile(0, 1000, 1800, false),
                    new TileTimes.Tile(0, 2000, 3000, false),
                    new TileTimes.Tile(1, 1500, 2000, false),
                    new TileTimes.Tile(1, 2000, 2500, true)),
            4,
            List.of(2));

    /** As it was stored before the times of single tiles were kept. */
    private static SchedulerEvidence withoutTiles(SchedulerEvidence evidence) {
        return new SchedulerEvidence(evidence.tilesPerSm(), evidence.firstStartNs(), evidence.lastEndNs(), 0.1, 1.02)
                .holding(evidence.heldSms());
    }

    private static OccupancyMap map(SchedulerEvidence evidence) {
        return OccupancyMap.of(evidence, Config.of(Map.of("scheduler", ParameterValue.of("clc"))));
    }

    @Test
    void aRowForEachSmWithItsTilesAndThoseOfOthersLast() {
        OccupancyMap map = map(WHOLE);
        assertThat(map.rows())
                .extracting(OccupancyMap.Row::sm, OccupancyMap.Row::state, OccupancyMap.Row::tilesSaid)
                .containsExactly(
                        tuple(0, State.BUSY, "2"),
                        tuple(1, State.BUSY, "1 + 1 of padding"),
                        tuple(3, State.IDLE, "0"),
                        tuple(2, State.HELD, "0"));
        assertThat(map.rows())
                .extracting(
                        OccupancyMap.Row::from,
                        OccupancyMap.Row::to,
                        OccupancyMap.Row::gaps,
                        row -> row.idle(map.endNs()))
                .containsExactly(
                        tuple("0.000 µs", "2.000 µs", "0.200 µs", "0.000 µs"),
                        tuple("0.500 µs", "1.500 µs", "0.500 µs", "0.500 µs"),
                        tuple("–", "–", "–", "–"),
                        tuple("–", "–", "–", "–"));
        assertThat(map.rows().getFirst().times()).containsExactly(0L, 800L, 1000L, 2000L);
        assertThat(map.lanes()).isEqualTo(1);
        assertThat(map.says())
                .isEqualTo("3 tiles on 3 SMs in 2.000 µs. Gaps take 11.7 % of the SMs' time, the longest 0.500 µs. At"
                        + " the end 41.7 % of the SMs' time is idle.");
        assertThat(map.keys())
                .extracting(OccupancyMap.Key::look, OccupancyMap.Key::means)
                .containsExactly(
                        tuple("busy", "a tile"),
                        tuple("gap", "a gap: no tile, and more to come"),
                        tuple("tail", "idle at the end"),
                        tuple("idle", "no tile at all"),
                        tuple("held", "held by somebody else"));
        assertThat(map.withoutTiles()).isNull();
    }

    /** Two warpgroups in turns: the second begins its tile before the first has stored its own. */
    @Test
    void tilesThatOverlapInTimeHaveLanesOfTheirOwn() {
        OccupancyMap map = map(TileTimes.evidence(
                List.of(
                        new TileTimes.Tile(0, 0, 500, false),
                        new TileTimes.Tile(0, 400, 900, false),
                        new TileTimes.Tile(0, 500, 1000, false),
                        new TileTimes.Tile(1, 0, 1000, false)),
                2,
                List.of()));
        assertThat(map.lanes()).isEqualTo(2);
        assertThat(map.rows()).extracting(OccupancyMap.Row::laneOf).containsExactly(List.of(0, 1, 0), List.of(0));
        assertThat(map.keys())
                .extracting(OccupancyMap.Key::means)
                .containsExactly("a tile", "a tile that overlaps with another one of its SM");
        assertThat(map.says()).contains(" There is no gap. At the end 0.0 % ");
    }

    @Test
    void withoutTimesOfSingleTilesFromTheFirstToTheLastAndTheReason() {
        OccupancyMap map = map(withoutTiles(WHOLE));
        OccupancyMap.Row second = map.rows().get(1);
        assertThat(second.times()).isEmpty();
        assertThat(second.tilesSaid() + " " + second.from() + " " + second.to() + " " + second.gaps())
                .isEqualTo("1 0.500 µs 1.500 µs –");
        assertThat(map.says()).isEqualTo("3 tiles on 3 SMs in 2.000 µs. At the end 10.0 % of the SMs' time is idle.");
        assertThat(map.keys())
                .extracting(OccupancyMap.Key::means)
                .containsExactly(
                        "from the first tile to the last",
                        "idle at the end",
                        "no tile at all",
                        "held by somebody else");
        assertThat(map.withoutTiles())
                .isEqualTo("The times of single tiles were not kept, in an older result or with more than 4,096 tiles"
                        + " and padding: gaps are not seen.");
        assertThat(map.histogram())
                .extracting(OccupancyMap.Bin::tiles, OccupancyMap.Bin::sms, OccupancyMap.Bin::share)
                .containsExactly(tuple(0, 1, 1 / 3.0), tuple(1, 1, 1 / 3.0), tuple(2, 1, 1 / 3.0));
    }

    @Test
    void ofALargeGridTheyAreMissing() {
        List<TileTimes.Tile> tiles = new ArrayList<>();
        for (int tile = 0; tile <= TileTimes.MOST; tile++) {
            tiles.add(new TileTimes.Tile(tile % 2, 10L * tile, 10L * tile + 20, false));
        }
        OccupancyMap map = map(TileTimes.evidence(tiles, 2, List.of()));
        assertThat(map.rows()).extracting(OccupancyMap.Row::times).containsOnly(List.of());
        assertThat(map.withoutTiles())
                .isEqualTo("The times of single tiles are kept of runs with up to 4,096 tiles, and this one has 4,097:"
                        + " gaps are not seen.");
    }

    /** An emulated GPU gives none. */
    @Test
    void withoutTimesThereIsAHistogramAlone() {
        OccupancyMap map = map(new SchedulerEvidence(List.of(4, 4, 5, 4), List.of(), List.of(), null, null));
        assertThat(map.rows()).isEmpty();
        assertThat(map.keys()).isEmpty();
        assertThat(map.says()).isEmpty();
        assertThat(map.withoutTiles()).isNull();
        assertThat(map.histogram()).hasSize(2);
        assertThat(map.tilesSaid()).isEqualTo("3 SMs have 4 tiles, 1 SM has 5 tiles.");
    }

    /** Two clusters of one SM took two tiles each; with a third one an SM had two of them. */
    @Test
    void anAnswerIsSaidAsFarAsItIsKnown() {
        List<TileTimes.Tile> tiles = List.of(
                new TileTimes.Tile(0, 0, 500, false),
                new TileTimes.Tile(0, 500, 900, false),
                new TileTimes.Tile(1, 0, 500, false),
                new TileTimes.Tile(1, 500, 1000, false));
        SchedulerEvidence run = TileTimes.evidence(tiles, 2, List.of());
        assertThat(map(run.asked(List.of(1, 1), 2)).answers())
                .isEqualTo(new TileAnswers(
                        "its cluster was launched with this tile", "its cluster asked for the tile and got it"));
        assertThat(map(run.asked(List.of(1, 0, 0), 3)).answers().later())
                .isEqualTo("its cluster asked for the tile or was launched with it");
        assertThat(OccupancyMap.of(run, Config.of(Map.of("scheduler", ParameterValue.of("static"))))
                        .answers()
                        .later())
                .isEqualTo("dealt before the launch");
        assertThat(OccupancyMap.of(run, Config.of(Map.of())).answers().first()).isEmpty();
    }
}
