package dev.tilewright.api.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import dev.tilewright.model.trial.SchedulerEvidence;
import dev.tilewright.model.trial.TileTimes;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OccupancyMapTest {

    /** SM 0 has two tiles with a gap, SM 1 one and one of padding, of SM 2 nobody had a use, SM 3 was held. */
    private static final SchedulerEvidence WHOLE = TileTimes.evidence(
            List.of(
                    new TileTimes.Tile(0, 1000, 1800, false),
                    new TileTimes.Tile(0, 2000, 3000, false),
                    new TileTimes.Tile(1, 1500, 2000, false),
                    new TileTimes.Tile(1, 2000, 2500, true)),
            4,
            List.of(3));

    /** As it was stored before the times of single tiles were kept. */
    private static SchedulerEvidence withoutTiles(SchedulerEvidence evidence) {
        return new SchedulerEvidence(evidence.tilesPerSm(), evidence.firstStartNs(), evidence.lastEndNs(), 0.1, 1.02)
                .holding(evidence.heldSms());
    }

    @Test
    void aBarForEachTileWithGapsAndTailMarked() {
        OccupancyMap map = OccupancyMap.of(WHOLE, 4);
        assertThat(map.rows()).extracting(OccupancyMap.Row::state).containsExactly("busy", "busy", "idle", "held");
        OccupancyMap.Row first = map.rows().getFirst();
        assertThat(first.tiles()).isEqualTo("M0 0h400v3.4h-400z");
        assertThat(first.next()).isEqualTo("M500 0h500v3.4h-500z");
        assertThat(first.gaps()).isEqualTo("M400 0h100v3.4h-100z");
        assertThat(first.tailWidth()).isZero();
        OccupancyMap.Row second = map.rows().get(1);
        assertThat(second.tiles()).isEqualTo("M250 4h250v3.4h-250z");
        assertThat(second.next()).isEqualTo("M500 4h250v3.4h-250z");
        assertThat(second.gaps()).as("before its first tile").isEqualTo("M0 4h250v3.4h-250z");
        assertThat(second.tailX()).isCloseTo(750, within(1e-9));
        assertThat(second.tailWidth()).isCloseTo(250, within(1e-9));
        assertThat(map.rows())
                .extracting(OccupancyMap.Row::says)
                .containsExactly(
                        "SM 0: 2 tiles from 0.000 µs to 2.000 µs, gaps of 0.200 µs in all, then idle for 0.000 µs",
                        "SM 1: 1 tile and 1 of padding from 0.500 µs to 1.500 µs, gaps of 0.500 µs in all, then idle"
                                + " for 0.500 µs",
                        "SM 2: no tile",
                        "SM 3: held by somebody else");
        assertThat(map.says())
                .isEqualTo("3 tiles on 3 SMs in 2.000 µs, the whole width. Gaps take 11.7 % of the SMs' time, the"
                        + " longest 0.500 µs. At the end 41.7 % of the SMs' time is idle.");
        assertThat(map.keys())
                .extracting(OccupancyMap.Key::look, OccupancyMap.Key::means)
                .containsExactly(
                        tuple("busy", "a tile, and the one after it"),
                        tuple("gap", "a gap: no tile, and more to come"),
                        tuple("tail", "idle at the end"),
                        tuple("idle", "no tile at all"),
                        tuple("held", "held by somebody else"));
        assertThat(map.withoutTiles()).isNull();
    }

    /** Two warpgroups in turns: the second begins its tile before the first has stored its own. */
    @Test
    void tilesThatOverlapInTimeHaveLanesOfTheirOwn() {
        SchedulerEvidence turns = TileTimes.evidence(
                List.of(
                        new TileTimes.Tile(0, 0, 500, false),
                        new TileTimes.Tile(0, 400, 900, false),
                        new TileTimes.Tile(0, 500, 1000, false),
                        new TileTimes.Tile(1, 0, 1000, false)),
                2,
                List.of());
        OccupancyMap map = OccupancyMap.of(turns, 10);
        OccupancyMap.Row row = map.rows().getFirst();
        assertThat(row.tiles()).isEqualTo("M0 0h500v4.25h-500zM400 4.25h500v4.25h-500z");
        assertThat(row.next()).isEqualTo("M500 0h500v4.25h-500z");
        assertThat(row.gaps()).isEmpty();
        assertThat(map.rows().getLast().tiles()).as("rows are alike").isEqualTo("M0 10h1000v4.25h-1000z");
        assertThat(map.says()).contains(" There is no gap. At the end 0.0 % ");
    }

    /** The clock of a GPU goes up in steps. */
    @Test
    void aTileThatSeemsToTakeNoTimeIsSeen() {
        SchedulerEvidence evidence = TileTimes.evidence(
                List.of(new TileTimes.Tile(0, 0, 0, false), new TileTimes.Tile(0, 0, 1000, false)), 1, List.of());
        OccupancyMap.Row row = OccupancyMap.of(evidence, 1).rows().getFirst();
        assertThat(row.tiles()).isEqualTo("M0 0h0.4v0.85h-0.4z");
        assertThat(row.next()).isEqualTo("M0 0h1000v0.85h-1000z");
    }

    @Test
    void withoutTimesOfSingleTilesABarFromTheFirstToTheLastAndTheReason() {
        OccupancyMap map = OccupancyMap.of(withoutTiles(WHOLE), 4);
        assertThat(map.rows()).extracting(OccupancyMap.Row::state).containsExactly("busy", "busy", "idle", "held");
        OccupancyMap.Row second = map.rows().get(1);
        assertThat(second.bars()).isNull();
        assertThat(second.tiles() + second.next() + second.gaps()).isEmpty();
        assertThat(second.x()).isCloseTo(250, within(1e-9));
        assertThat(second.width()).isCloseTo(500, within(1e-9));
        assertThat(second.tailX()).isCloseTo(750, within(1e-9));
        assertThat(second.tailWidth()).isCloseTo(250, within(1e-9));
        assertThat(second.y()).isCloseTo(4, within(1e-9));
        assertThat(second.says()).isEqualTo("SM 1: 1 tile from 0.500 µs to 1.500 µs, then idle for 0.500 µs");
        assertThat(map.height()).isEqualTo(16);
        assertThat(map.says())
                .isEqualTo(
                        "3 tiles on 3 SMs in 2.000 µs, the whole width. At the end 10.0 % of the SMs' time is idle.");
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
    void aLargeGridIsDrawnWithoutThem() {
        List<TileTimes.Tile> tiles = new ArrayList<>();
        for (int tile = 0; tile <= TileTimes.MOST; tile++) {
            tiles.add(new TileTimes.Tile(tile % 2, 10L * tile, 10L * tile + 20, false));
        }
        OccupancyMap map = OccupancyMap.of(TileTimes.evidence(tiles, 2, List.of()), 4);
        assertThat(map.rows()).extracting(OccupancyMap.Row::bars).containsOnlyNulls();
        assertThat(map.withoutTiles())
                .isEqualTo("The times of single tiles are kept of runs with up to 4,096 tiles, and this one has 4,097:"
                        + " gaps are not seen.");
    }

    /** An emulated GPU gives none. */
    @Test
    void withoutTimesThereIsAHistogramAlone() {
        OccupancyMap map =
                OccupancyMap.of(new SchedulerEvidence(List.of(4, 4, 5, 4), List.of(), List.of(), null, null), 4);
        assertThat(map.rows()).isEmpty();
        assertThat(map.keys()).isEmpty();
        assertThat(map.says()).isEmpty();
        assertThat(map.withoutTiles()).isNull();
        assertThat(map.histogram()).hasSize(2);
        assertThat(map.tilesSaid()).isEqualTo("3 SMs have 4 tiles, 1 SM has 5 tiles.");
    }
}
