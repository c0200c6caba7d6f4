package dev.tilewright.worker.gpu.runner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.bundle.BundleSpace;
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
import dev.tilewright.worker.link.runner.RunnerRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Trials of a bundle on the emulator: the example that is written by hand, as it is and with one thing wrong. */
class BundleProofsTest {

    private static final Path EXAMPLE = Path.of("../../docs/examples/bundles/ptx-bias-relu");
    private static final Config CONFIG = Config.of(Map.of("tile", ParameterValue.of(16)));
    private static final String TEXT = "gemm.ptx";

    private final BundleProofs proofs = new BundleProofs(EmulatorBuild.running(), 4);

    private static BundleFiles example(String file, UnaryOperator<String> change) throws IOException {
        BundleFiles files = BundleFiles.read(EXAMPLE);
        Map<String, byte[]> contents = new TreeMap<>(files.contents());
        contents.put(file, change.apply(files.text(file)).getBytes(StandardCharsets.UTF_8));
        return BundleFiles.of(contents);
    }

    private TrialResult prove(BundleFiles files, int m, int n, int k) throws IOException {
        BundleSpace space = BundleSpace.of(Bundle.read(files));
        ByteArrayOutputStream zip = new ByteArrayOutputStream();
        files.zip(zip);
        Problem problem = space.bundle().problem().of(new ProblemShape(m, n, k), 1);
        RunnerRequest.Prove wanted = new RunnerRequest.Prove(space.family(), problem, CONFIG, 3, 2, zip.toByteArray());
        return proofs.prove(wanted, zip.toByteArray(), new Phases(() -> 0, phase -> {}));
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
