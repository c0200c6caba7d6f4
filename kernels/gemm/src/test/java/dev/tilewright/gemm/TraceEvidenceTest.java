package dev.tilewright.gemm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.model.trial.SchedulerEvidence;
import dev.tilewright.model.trial.TileTimes;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TraceEvidenceTest {

    @Test
    void sumsUpByHand() {
        List<TileRecord> records = List.of(
                new TileRecord(0, 0, 0, 0, 100, 150, false, 0, 0),
                new TileRecord(0, 0, 1, 0, 150, 180, false, 0, 0),
                new TileRecord(2, 1, 2, 0, 110, 200, false, 0, 0),
                new TileRecord(2, 1, 3, 0, 200, 201, true, 0, 0));
        SchedulerEvidence evidence = TraceEvidence.of(records, 4, false, 1.02);
        assertThat(evidence.tilesPerSm()).containsExactly(2, 0, 1, 0);
        // Idle until the end at 101 ns: 21 + 101 + 0 + 101 of 4 * 101.
        assertThat(evidence)
                .isEqualTo(new SchedulerEvidence(
                        List.of(2, 0, 1, 0),
                        List.of(0L, 0L, 10L, 0L),
                        List.of(80L, 0L, 101L, 0L),
                        223.0 / 404,
                        1.02,
                        List.of(),
                        null,
                        List.of(),
                        List.of(List.of(0L, 50L, 50L, 80L), List.of(), List.of(10L, 100L, 100L, 101L), List.of())));
        assertThat(evidence.withoutTimes().tileNs()).isNull();
    }

    @Test
    void aHeldSmHasNoTilesAndIsNotIdle() {
        List<TileRecord> records = List.of(
                new TileRecord(0, 0, 0, 0, 100, 200, false, 0, 0), new TileRecord(2, 1, 1, 0, 100, 150, false, 0, 0));
        SchedulerEvidence evidence = TraceEvidence.of(records, 4, List.of(3, 1), false, null);
        assertThat(evidence.tilesPerSm()).containsExactly(1, 0, 1, 0);
        assertThat(evidence.heldSms()).containsExactly(1, 3);
        // SM 2 was idle for 50 of 100 ns; SMs 1 and 3 were nobody's to use.
        assertThat(evidence.idleTailFraction()).isEqualTo(50.0 / 200);
        assertThat(TraceEvidence.of(records, 4, false, null).idleTailFraction()).isEqualTo(250.0 / 400);
        assertThatThrownBy(() -> TraceEvidence.of(records, 4, List.of(2), false, null))
                .hasMessage("a trace names SM 2, which was held all the time");
    }

    @Test
    void stealsAndFailuresOfClustersThatAsk() {
        // Clusters of two CTAs: 0 and 1 took tiles 0, 1 and 3, CTAs 2 and 3 their own alone; three queries failed.
        List<TileRecord> records = List.of(
                record(0, 0, 0),
                record(1, 1, 0),
                record(0, 0, 0),
                record(1, 1, 0),
                record(2, 0, 2),
                record(3, 1, 0),
                record(0, 0, 1),
                record(1, 1, 0));
        SchedulerEvidence evidence = TraceEvidence.of(records, 4, true, null);
        assertThat(evidence.stealsPerCluster()).containsExactly(2, 0);
        assertThat(evidence.failedQueries()).isEqualTo(3);
        assertThat(evidence.withoutTimes().firstStartNs()).isEmpty();
        assertThat(evidence.withoutTimes().stealsPerCluster()).containsExactly(2, 0);
        SchedulerEvidence uncounted = TraceEvidence.of(records.subList(0, 4), 4, true, null);
        assertThat(uncounted.stealsPerCluster()).containsExactly(1);
        assertThat(uncounted.failedQueries()).isNull();
        assertThat(TraceEvidence.of(records, 4, false, null).stealsPerCluster()).isEmpty();
    }

    /** The buffer of a trace is in the order of tiles, not of time. */
    @Test
    void tilesOfAnSmAreInTheOrderOfTheirStarts() {
        List<TileRecord> records = List.of(
                new TileRecord(1, 1, 0, 0, 160, 190, false, 0, 0),
                new TileRecord(0, 0, 1, 0, 100, 150, false, 0, 0),
                new TileRecord(1, 1, 2, 0, 120, 170, false, 0, 0));
        assertThat(TraceEvidence.of(records, 2, false, null).tileNs())
                .containsExactly(List.of(0L, 50L), List.of(20L, 70L, 60L, 90L));
    }

    /** All or none: a part would look like gaps. */
    @Test
    void ofManyTilesThereAreNoTimesOfSingleOnes() {
        List<TileRecord> most = IntStream.range(0, TileTimes.MOST)
                .mapToObj(tile -> new TileRecord(tile % 3, 0, tile, 0, 100 + tile, 150 + tile, tile % 2 == 0, 0, 0))
                .toList();
        SchedulerEvidence whole = TraceEvidence.of(most, 3, false, null);
        assertThat(whole.tileNs()).hasSize(3);
        assertThat(whole.tileNs().stream().mapToInt(List::size).sum()).isEqualTo(2 * TileTimes.MOST);
        List<TileRecord> more = new ArrayList<>(most);
        more.add(new TileRecord(0, 0, 0, 1, 100, 150, true, 0, 0));
        SchedulerEvidence sums = TraceEvidence.of(more, 3, false, null);
        assertThat(sums.tileNs()).isNull();
        assertThat(sums.lastEndNs()).isEqualTo(whole.lastEndNs());
    }

    private static TileRecord record(int cta, int rank, int failedQueries) {
        return new TileRecord(cta, cta, 0, 0, 100, 150, false, rank, failedQueries);
    }

    @Test
    void refusals() {
        assertThatThrownBy(() -> TraceEvidence.of(List.of(), 132, false, null))
                .hasMessage("a trace without records is no evidence");
        assertThatThrownBy(() ->
                        TraceEvidence.of(List.of(new TileRecord(132, 0, 0, 0, 1, 2, false, 0, 0)), 132, false, null))
                .hasMessage("a trace names SM 132 of a device with 132 SMs");
    }
}
