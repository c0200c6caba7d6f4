package dev.tilewright.emulator.gemm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.emulator.PtxEmulator;
import dev.tilewright.emulator.RunEnd;
import dev.tilewright.emulator.gemm.GemmCase.Data;
import dev.tilewright.emulator.hazard.Finding;
import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.run.Options;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.ptx.parse.PtxParser;
import dev.tilewright.testing.DrawnRows;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Kernels of sm90-gemm whose launches overlap touch nothing before the grid ahead of them has ended. */
class OverlappedGemmTest {
    private static final int SEEDS = 3;
    private static final String WAIT = "griddepcontrol.wait;";

    private static RunEnd run(GemmCase gemm, String text, long seed) {
        return new PtxEmulator(PtxParser.parse(text), gemm.kernelLaunch().entry())
                .run(gemm.launch(), Options.seed(seed));
    }

    private static void check(GemmCase gemm) {
        assertThat(gemm.kernelLaunch().overlaps()).isTrue();
        for (int seed = 0; seed < SEEDS; seed++) {
            RunEnd verdict = run(gemm, gemm.kernel().text(), seed);
            assertThat(verdict).as(() -> gemm + ": " + verdict).isInstanceOf(RunEnd.Completed.class);
            assertThat(gemm.firstWrong(((RunEnd.Completed) verdict).buffer("D")))
                    .as("seed " + seed + " of " + gemm)
                    .isEmpty();
        }
    }

    @DrawnRows(count = 3, of = """
        scheduler=static launchOverlap=prologue | 712 | 648 | 200
        scheduler=static launchOverlap=loaded clusterN=2 multicast=both waitDepth=1 | 712 | 776 | 136
        scheduler=static launchOverlap=loaded mode=pingpong tileM=64 | 456 | 520 | 264
        scheduler=atomic launchOverlap=prologue clusterM=2 multicast=both | 712 | 648 | 136
        scheduler=atomic launchOverlap=loaded consumers=1 registers=0 tileM=64 | 328 | 520 | 200
        scheduler=single launchOverlap=prologue clusterM=2 multicast=both | 456 | 520 | 136
        scheduler=single launchOverlap=loaded consumers=1 registers=0 tileM=64 tileN=256 | 200 | 520 | 200
        """)
    void agreesWithTheReference(String parameters, int m, int n, int k) {
        check(new GemmCase(parameters, m, n, k, Data.INTEGERS, false));
        check(new GemmCase(parameters, m, n, k, Data.INTEGERS, true));
    }

    private static GemmCase grouped(String parameters) {
        List<ProblemShape> groups = List.of(new ProblemShape(200, 136, 72), new ProblemShape(456, 72, 264));
        return GemmCase.sm90(
                "tileLocation=table tileOrder=asGiven clcThrottle=none " + parameters, groups, 2, Data.INTEGERS, false);
    }

    @Test
    void severalGemmsAgreeWithTheReference() {
        check(grouped("scheduler=atomic launchOverlap=prologue tileM=64 consumers=1 registers=0 tileN=64"));
        check(grouped("scheduler=static launchOverlap=loaded mode=pingpong tileM=64 tileN=64 registers=232"));
    }

    /** What becomes of the text without each of its waits in turn. */
    private static List<Finding> withoutEachWait(GemmCase gemm) {
        List<Finding> findings = new ArrayList<>();
        String text = gemm.kernel().text();
        for (int at = text.indexOf(WAIT); at >= 0; at = text.indexOf(WAIT, at + 1)) {
            RunEnd verdict = run(gemm, text.substring(0, at) + text.substring(at + WAIT.length()), 3);
            assertThat(verdict).as("without the wait at " + at + " of " + gemm).isInstanceOf(RunEnd.Faulted.class);
            findings.add(((RunEnd.Faulted) verdict).finding());
        }
        return findings;
    }

    @Test
    void eachWaitIsMissedWhereItIsTakenAway() {
        assertMissed(
                new GemmCase("scheduler=static launchOverlap=prologue", 712, 648, 200, Data.INTEGERS, false),
                "cp.async.bulk.tensor.2d.shared::cluster");
        assertMissed(
                new GemmCase("scheduler=atomic launchOverlap=loaded", 456, 520, 136, Data.INTEGERS, false),
                "cp.async.bulk.tensor.2d.shared::cluster",
                "atom.relaxed.gpu.global.inc.u32");
        assertMissed(
                grouped("scheduler=atomic launchOverlap=prologue tileM=64 consumers=1 registers=0 tileN=64"),
                "ld.global.v4.u32",
                "atom.relaxed.gpu.global.inc.u32",
                "ld.global.b32");
    }

    /** @param touches beginnings of the instructions that touch memory too early, one for each wait of the text */
    private static void assertMissed(GemmCase gemm, String... touches) {
        List<Finding> findings = withoutEachWait(gemm);
        assertThat(findings).hasSize(touches.length);
        for (int i = 0; i < touches.length; i++) {
            assertThat(findings.get(i).hazard()).isInstanceOf(Hazard.GridAheadNotAwaited.class);
            assertThat(findings.get(i).site().instruction()).startsWith(touches[i]);
        }
    }
}
