package dev.tilewright.worker.cli.gate.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.gate.decision.GateExit.FailOn;
import java.util.List;
import org.junit.jupiter.api.Test;

class GateTableTest {

    @Test
    void aLineACaseThenTheReasons() {
        List<String> lines = new GateTable(GateRuns.ofEverything(), FailOn.REGRESSION).lines();
        assertThat(lines)
                .containsSubsequence(
                        " case           effect        interval  blocks  verdict",
                        " ours/pass     +0.10 %  [-0.20, +0.40]      20  pass",
                        " ours/same                                      unchanged_binary",
                        " ours/known    +1.70 %  [+1.40, +2.00]      20  fail, waived",
                        "fail: ours/fail: said of fail; tuned again, recovered",
                        "  tuned again, recovered: static 128x192x64: +0.10 % [-0.20, +0.40] in 10 blocks: not slower by 1 % (job "
                                + GateRuns.ID + ")",
                        "inconclusive: ours/unclear: said of inconclusive",
                        "measured on NVIDIA H200 (driver 580.65, ptxas 13.0.88), 12.5 s of GPU time, seed 7, decision 1",
                        "sentinel-slowed: fail, +2.01 % [+1.71, +2.31]",
                        "gate gemm failed (invalid): said of the run");
        assertThat(lines).noneMatch(line -> line.startsWith("pass:"));
    }

    @Test
    void aRunWithoutAVerdictSaysWhy() {
        assertThat(new GateTable(GateRuns.failed("no worker offers cuda:0"), FailOn.REGRESSION).lines())
                .contains("nothing was measured; asked for cuda:0", "gate gemm no verdict: no worker offers cuda:0");
    }
}
