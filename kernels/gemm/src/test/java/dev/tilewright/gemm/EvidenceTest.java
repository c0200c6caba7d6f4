package dev.tilewright.gemm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.model.trial.SchedulerEvidence;
import java.util.List;
import org.junit.jupiter.api.Test;

class EvidenceTest {

    @Test
    void sumsUpByHand() {
        List<TileRecord> records = List.of(
                new TileRecord(0, 0, 0, 0, 100, 150, false),
                new TileRecord(0, 0, 1, 0, 150, 180, false),
                new TileRecord(2, 1, 2, 0, 110, 200, false),
                new TileRecord(2, 1, 3, 0, 200, 201, true));
        SchedulerEvidence evidence = Evidence.of(records, 4, 1.02);
        assertThat(evidence.tilesPerSm()).containsExactly(2, 0, 1, 0);
        // Idle until the end at 101 ns: 21 + 101 + 0 + 101 of 4 * 101.
        assertThat(evidence)
                .isEqualTo(new SchedulerEvidence(
                        List.of(2, 0, 1, 0), List.of(0L, 0L, 10L, 0L), List.of(80L, 0L, 101L, 0L), 223.0 / 404, 1.02));
    }

    @Test
    void refusals() {
        assertThatThrownBy(() -> Evidence.of(List.of(), 132, null))
                .hasMessage("a trace without records is no evidence");
        assertThatThrownBy(() -> Evidence.of(List.of(new TileRecord(132, 0, 0, 0, 1, 2, false)), 132, null))
                .hasMessage("a trace names SM 132 of a device with 132 SMs");
    }
}
