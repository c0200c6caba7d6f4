package dev.tilewright.emulator.gemm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.emulator.gemm.GemmCase.Data;
import dev.tilewright.ptx.instruction.Barrier;
import dev.tilewright.ptx.type.Sem;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The last meeting of a cluster must release: consumers of a CTA hand stages back to the CTA that loads them, and
 * nobody waits for the last ones.
 */
class ClusterExitTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "scheduler=static clusterM=2 multicast=both",
                "scheduler=atomic clusterN=2 consumers=1 registers=0 tileM=64 tileN=64"
            })
    void aRelaxedLastMeetingIsReported(String config) {
        ChangedGemm gemm = new ChangedGemm(new GemmCase(config, 264, 136, 200, Data.INTEGERS, false));
        assertThat(gemm.findings()).isEmpty();
        List<String> findings = gemm.findings((before, instruction) ->
                instruction instanceof Barrier.ClusterBarrier arrive && arrive.sem() == Sem.RELEASE
                        ? Optional.of(new Barrier.ClusterBarrier(arrive.action(), Sem.RELAXED, arrive.aligned()))
                        : Optional.of(instruction));
        assertThat(findings)
                .hasSize(ChangedGemm.SEEDS)
                .allSatisfy(message -> assertThat(message).startsWith("exit too early: CTA "))
                .anySatisfy(message -> assertThat(message).contains("'barrier.cluster.arrive.relaxed"));
    }
}
