package dev.tilewright.worker.agent.compile;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PtxasLogTest {

    private static final String TWO_ENTRIES = """
            ptxas info    : (C7510) Potential Performance Loss: wgmma.mma_async instructions are serialized due to wait depth
            ptxas info    : 0 bytes gmem
            ptxas info    : Compiling entry function 'gemm' for 'sm_90a'
            ptxas info    : Function properties for gemm
                16 bytes stack frame, 20 bytes spill stores, 28 bytes spill loads
            ptxas info    : Used 168 registers, used 3 barriers, 16 bytes cumulative stack size, 1040 bytes smem
            ptxas info    : Function properties for other
                0 bytes stack frame, 4 bytes spill stores, 0 bytes spill loads
            ptxas info    : Used 232 registers, used 1 barriers
            """;

    @Test
    void readsTheWorstOfAllEntriesAndEveryAlarm() {
        assertThat(new PtxasLog(TWO_ENTRIES).with(new byte[] {1}))
                .isInstanceOfSatisfying(AssemblyResult.Assembled.class, result -> {
                    assertThat(result.assembly().registers()).isEqualTo(232);
                    assertThat(result.assembly().spillBytes()).isEqualTo(20 + 28 + 4);
                    assertThat(result.assembly().staticSharedBytes()).isEqualTo(1040);
                    assertThat(result.assembly().alarms())
                            .singleElement()
                            .asString()
                            .contains("(C7510)", "serialized");
                });
    }

    @Test
    void doesNotInventRegisters() {
        assertThat(new PtxasLog("ptxas info : done").with(new byte[] {1}))
                .isInstanceOfSatisfying(
                        AssemblyResult.Broken.class,
                        broken -> assertThat(broken.reason()).contains("did not say how many registers"));
    }
}
