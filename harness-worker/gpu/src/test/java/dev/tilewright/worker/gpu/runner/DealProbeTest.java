package dev.tilewright.worker.gpu.runner;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DealProbeTest {

    /** SMs 0, 1, 4, 5 are one GPC and the others are another; pairs go to them in turn. */
    @Test
    void smsThatAChainOfClustersJoinsAreOneGpc() {
        Map<Integer, List<Integer>> sms = Map.of(
                1, List.of(2, 0, 1, 3, 6, 4, 5, 7),
                2, List.of(0, 1, 2, 3, 4, 5, 6, 7),
                3, List.of(1, 4, 5, 6, 7, 3));
        assertThat(DealProbe.gpcs(sms))
                .containsEntry(1, List.of(2, 0, 0, 2, 2, 0, 0, 2))
                .containsEntry(2, List.of(0, 2, 0, 2))
                .containsEntry(3, List.of(0, 2));
    }

    /** Without larger clusters nobody knows more than that. */
    @Test
    void smsThatNoClusterJoinsAreApart() {
        assertThat(DealProbe.gpcs(Map.of(1, List.of(3, 1, 2)))).containsExactly(Map.entry(1, List.of(3, 1, 2)));
    }

    /** Of three clusters of two the last one found no room: it has the SMs of the first. */
    @Test
    void aClusterThatBeginsLaterIsNotResident() {
        assertThat(DealProbe.resident(Map.of(2, List.of(0, 1, 2, 3, 0, 1), 4, List.of(0, 1, 2, 3))))
                .isEqualTo(Map.of(2, 2, 4, 1));
    }
}
