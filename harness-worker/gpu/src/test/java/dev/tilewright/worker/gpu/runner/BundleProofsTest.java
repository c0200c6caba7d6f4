package dev.tilewright.worker.gpu.runner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.bundle.BundleSpace;
import dev.tilewright.gemm.family.GemmFamilies;
import dev.tilewright.launch.bundle.Bundle;
import dev.tilewright.launch.bundle.BundleFiles;
import dev.tilewright.model.exchange.TrialResult;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.model.trial.Verdict;
import dev.tilewright.proof.EmulatorBuild;
import dev.tilewright.worker.link.runner.RunnerReply;
import dev.tilewright.worker.link.runner.RunnerRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Trials of a bundle on the emulator: the example that is written by hand, as it is and with one thing wrong. */
class BundleProofsTest {

    private static final Path EXAMPLE = Path.of("../../docs/examples/bundles/ptx-bias-relu");
    private static final Config CONFIG = Config.of(Map.of("tile", ParameterValue.of(16)));
    private static final String TEXT = "gemm.ptx";

    private final ProofRequests proofs = new ProofRequests(GemmFamilies.standard(), EmulatorBuild.running(), 4);

    private static BundleFiles example(String file, UnaryOperator<String> change) throws IOException {
        BundleFiles files = BundleFiles.read(EXAMPLE);
        Map<String, byte[]> contents = new TreeMap<>(files.contents());
        contents.put(file, change.apply(files.text(file)).getBytes(StandardCharsets.UTF_8));
        return BundleFiles.of(contents);
    }

    private TrialResult prove(BundleFiles files, int m, int n, int k) throws IOException {
        return prove(files, List.of(), m, n, k);
    }

    private TrialResult prove(BundleFiles files, List<String> accept, int m, int n, int k) throws IOException {
        BundleSpace space = BundleSpace.of(Bundle.read(files));
        ByteArrayOutputStream zip = new ByteArrayOutputStream();
        files.zip(zip);
        Problem problem = space.bundle().problem().of(new ProblemShape(m, n, k), 1);
        RunnerRequest.Prove wanted =
                new RunnerRequest.Prove(space.family(), problem, CONFIG, 3, 2, accept, zip.toByteArray());
        return ((RunnerReply.TrialDone) proofs.answer(wanted, new Phases(() -> 0, phase -> {}))
                        .reply()
                        .get())
                .result();
    }

    @Test
    void aRightKernelIsProvedOnASmallProblemWithTheSameTails() throws IOException {
        TrialResult result = prove(example(TEXT, text -> text), 4100, 8200, 1001);
        assertThat(result.outcome()).as(result.log()).isEqualTo(TrialOutcome.COMPLETED);
        assertThat(result.errorRatio()).isBetween(1e-6, 1.0);
        assertThat(result.measurements()).isEmpty();
        assertThat(result.checked().verdict()).isEqualTo(Verdict.PROVED);
        assertThat(result.checked().shape()).isEqualTo(new ProblemShape(4100, 8200, 1001));
        assertThat(result.checked().runShape()).isEqualTo(new ProblemShape(132, 200, 105));
        assertThat(result.executed().gridX()).isEqualTo(13 * 9);
        assertThat(result.executed().threads()).isEqualTo(16 * 16);
        assertThat(result.log()).contains("ran: 132x200x105 in place of 4100x8200x1001 on 4 SMs");
    }

    @Test
    void aWrongEpilogueIsAMismatchAndARaceAHazard() throws IOException {
        TrialResult wrong =
                prove(example(TEXT, text -> text.replace("max.f32 %sum, %sum, 0f00000000;", "")), 40, 24, 20);
        assertThat(wrong.outcome()).as(wrong.log()).isEqualTo(TrialOutcome.MISMATCH);
        assertThat(wrong.checked().verdict()).isEqualTo(Verdict.REFUTED);
        assertThat(wrong.log()).contains("buffer D", "relu");
        TrialResult racing = prove(example(TEXT, text -> text.replace("bar.sync 0;", "")), 40, 24, 20);
        assertThat(racing.outcome()).as(racing.log()).isEqualTo(TrialOutcome.HAZARD);
    }

    /**
     * In clusters of two CTAs. Before they end, each arrives at a barrier of the other, and a relaxed barrier does not
     * order the arrival before the other's end.
     */
    private static BundleFiles leavingEarly() throws IOException {
        BundleFiles files = example(
                BundleFiles.DESCRIPTION,
                text -> text.replace(
                        "grid: [\"ceildiv(n, tile)\"", "cluster: [2]\n  grid: [\"2 * ceildiv(n, 2 * tile)\""));
        String text = files.text(TEXT)
                .replace("    .reg .f32 %sum", "    .shared .align 8 .b64 answered;\n    .reg .f32 %sum")
                .replace("    mov.f32 %sum, 0f00000000;\n", """
                            mov.f32 %sum, 0f00000000;
                            or.b32 %i, %tx, %ty;
                            setp.ne.u32 %p7, %i, 0;
                            @%p7 bra STARTED;
                            mov.u32 %i, answered;
                            mbarrier.init.shared::cta.b64 [%i], 1;
                            fence.mbarrier_init.release.cluster;
                        STARTED:
                            barrier.cluster.arrive;
                            barrier.cluster.wait;
                        """)
                .replace("DONE:\n", """
                        DONE:
                            @%p7 bra LEAVE;
                            mov.u32 %i, answered;
                            mov.u32 %r0, %cluster_ctarank;
                            xor.b32 %r0, %r0, 1;
                            mapa.shared::cluster.u32 %i, %i, %r0;
                            mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%i];
                        LEAVE:
                            barrier.cluster.arrive.relaxed;
                            barrier.cluster.wait;
                        """);
        Map<String, byte[]> contents = new TreeMap<>(files.contents());
        contents.put(TEXT, text.getBytes(StandardCharsets.UTF_8));
        return BundleFiles.of(contents);
    }

    @Test
    void whatMayBeBrokenIsSaidAndRefutesNothing() throws IOException {
        TrialResult refuted = prove(leavingEarly(), 40, 24, 20);
        assertThat(refuted.outcome()).as(refuted.log()).isEqualTo(TrialOutcome.HAZARD);
        assertThat(refuted.log()).contains("relaxed-exit-barrier");
        TrialResult accepted = prove(leavingEarly(), List.of("relaxed-exit-barrier"), 40, 24, 20);
        assertThat(accepted.outcome()).as(accepted.log()).isEqualTo(TrialOutcome.COMPLETED);
        assertThat(accepted.checked().verdict()).isEqualTo(Verdict.PROVED);
        assertThat(accepted.checked().finding())
                .startsWith("proved, 1 accepted: no other hazard and nothing wrong in 2 runs\n"
                        + "accepted: relaxed-exit-barrier at ");
        TrialResult none = prove(leavingEarly(), List.of("race"), 40, 24, 20);
        assertThat(none.checked().verdict()).isEqualTo(Verdict.UNSUPPORTED);
        assertThat(none.checked().finding()).startsWith("rule 'race' ends a run and cannot be accepted");
    }

    @Test
    void whatCannotBeRunSaysWhy() throws IOException {
        TrialResult misfit = prove(
                example(BundleFiles.DESCRIPTION, text -> text.replace("block: [tile, tile]", "block: [64, 32]")),
                40,
                24,
                20);
        assertThat(misfit.outcome()).isEqualTo(TrialOutcome.BUILD);
        assertThat(misfit.log()).contains("block", "2048");
        TrialResult large = prove(
                example(
                        BundleFiles.DESCRIPTION,
                        text -> text.replace("max(m * k, k * n) < 2147483648 && m * n < 2147483648", "k >= 100000")),
                4100,
                8200,
                100001);
        assertThat(large.outcome()).isEqualTo(TrialOutcome.UNASSEMBLED);
        assertThat(large.checked().verdict()).isEqualTo(Verdict.UNSUPPORTED);
        assertThat(large.log()).contains("nothing with the tails of 4100x8200x100001 that is small enough");
    }
}
