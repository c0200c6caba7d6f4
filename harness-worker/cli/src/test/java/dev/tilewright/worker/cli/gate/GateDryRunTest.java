package dev.tilewright.worker.cli.gate;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code gate --dry-run}: no service is there that could be asked. */
class GateDryRunTest {

    private static final Path BUNDLE = Path.of("..", "..", "docs", "examples", "bundles", "ptx-bias-relu");

    private static final String FILE = """
            gate: gemm
            baseline: {branch: main}
            kernels:
              hand: {bundle: hand, config: {tile: 16}}
            problems: {small: 45x70x33}
            """;

    @TempDir
    private Path folder;

    private GateVerbs verbs;

    @BeforeEach
    void repository() throws Exception {
        verbs = new GateVerbs(folder);
        verbs.git("init", "-q");
        verbs.write(".gitignore", "home/\n");
        verbs.write("tilewright.yaml", FILE);
        verbs.write("hand/kernel.yaml", Files.readString(BUNDLE.resolve("kernel.yaml")));
        verbs.write("hand/gemm.ptx", Files.readString(BUNDLE.resolve("gemm.ptx")));
        verbs.commit("main");
    }

    private int dryRun(String... more) {
        String[] arguments = new String[more.length + 3];
        arguments[0] = "--dry-run";
        arguments[1] = "--file";
        arguments[2] = folder.resolve("tilewright.yaml").toString();
        System.arraycopy(more, 0, arguments, 3, more.length);
        return verbs.gate(arguments);
    }

    @Test
    void saysOfEachCaseWhatARunWouldDo() throws Exception {
        assertThat(dryRun()).as(verbs.said()).isEqualTo(3);
        assertThat(verbs.said())
                .contains("gate gemm, a dry run: nothing is measured, and no service is asked; device auto")
                .contains("case hand/small: 45x70x33 f32")
                .containsPattern(
                        "candidate: bundle:ptx-bias-relu@[0-9a-f]{16} tile=16: proved at [0-9x]+, 4 SMs, seeds 1..2")
                .contains("  baseline: the same kernel")
                .contains("time nothing: both have the same module (unchanged_binary)")
                .contains("1 case: 1 kernel proved, 0 not known here, 0 refuted, 0 refused");
    }

    /** The baseline is built in a checkout of the branch, and proved too. */
    @Test
    void aChangedKernelStandsBesideTheOneOfTheBranch() throws Exception {
        verbs.git("checkout", "-qb", "feature");
        verbs.write("hand/gemm.ptx", "// edited\n" + Files.readString(BUNDLE.resolve("gemm.ptx")));
        verbs.commit("edit");
        assertThat(dryRun("--device", "cuda:0")).as(verbs.said()).isEqualTo(3);
        assertThat(verbs.said())
                .containsPattern("baseline: bundle:ptx-bias-relu@[0-9a-f]{16} tile=16: proved at ")
                .contains(
                        "a run with a GPU would verify both, time them in turn, warn above 0.5 % and fail above 1.0 %")
                .contains("device cuda:0");
    }

    @Test
    void aWrongKernelIsRefuted() throws Exception {
        verbs.write(
                "hand/gemm.ptx",
                Files.readString(BUNDLE.resolve("gemm.ptx")).replace("max.f32 %sum, %sum, 0f00000000;", ""));
        assertThat(dryRun()).as(verbs.said()).isEqualTo(1);
        assertThat(verbs.said()).contains("tile=16: mismatch at ", "1 refuted");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            tile: 16 | tile: 17 | config: tile must be one of [8, 16, 32], got 17
            small: 45x70x33 | small: {shape: 45x70x33, dtype: f16} | takes
            bundle: hand | bundle: hands | kernel 'hand': {folder}/hands: there is no such folder or zip
            branch: main | branch: trunk | did you mean 'main'?
            gate: gemm | gates: gemm | unknown key 'gates'
            """)
    void aWrongFileIsRefusedBeforeAnybodyIsAsked(String part, String other, String reason) throws Exception {
        verbs.write("tilewright.yaml", FILE.replace(part, other));
        assertThat(dryRun()).as(verbs.said()).isEqualTo(2);
        assertThat(verbs.said()).contains(reason.replace("{folder}", folder.toString()));
    }

    @Test
    void whatTheServiceAloneKnowsIsSaid() throws Exception {
        verbs.write("tilewright.yaml", """
                gate: gemm
                baseline: {lastPass: main}
                kernels: {winner: {best: true}, kept: {bundle: mine@0123456789abcdef}}
                problems: {small: 45x70x33}
                """);
        assertThat(dryRun()).as(verbs.said()).isEqualTo(3);
        assertThat(verbs.said())
                .contains("candidate: best config: is the best config that the service knows when it is asked")
                .contains("candidate: bundle:mine@0123456789abcdef: is a bundle that the service keeps")
                .contains(
                        "baseline: the service is asked for the candidate of this case in the last pass of branch main");
        assertThat(dryRun("--report", "json=x.json")).isEqualTo(2);
        assertThat(verbs.said()).contains("--report: a dry run has no run that could be reported");
    }

    @Test
    void aConfigInTheWordsOfABoardIsReadByItsFamily() throws Exception {
        verbs.write("tilewright.yaml", """
                gate: gemm
                baseline: {kernel: default}
                kernels:
                  default: {peer: cublaslt}
                  tuned: {config: cublaslt a66 t23 cl3 st35 custom4}
                problems: {small: 512x512x512}
                """);
        assertThat(dryRun()).as(verbs.said()).isEqualTo(3);
        assertThat(verbs.said())
                .contains(
                        "candidate: config cublaslt a66 t23 cl3 st35 custom4: is not proved: the kernels of cublaslt");
        verbs.write("tilewright.yaml", """
                gate: gemm
                baseline: {kernel: default}
                kernels: {default: {peer: cublaslt}, tuned: {config: static 128x128 s6}}
                problems: {small: 512x512x512}
                """);
        assertThat(dryRun()).as(verbs.said()).isEqualTo(2);
        assertThat(verbs.said()).contains("'128x128' is no part of a config. A part is NAME=VALUE or,");
    }

    /** Nobody can look into a library: the kernel is as good as unknown here, which is no fault of it. */
    @Test
    void anAlgorithmOfTheVendorsLibraryIsNotProved() throws Exception {
        verbs.write("tilewright.yaml", """
                gate: gemm
                baseline: {kernel: default}
                kernels:
                  default: {peer: cublaslt}
                  tuned:
                    family: cublaslt
                    config: {algorithmId: 66, tileId: 23, splitKNum: 1, reductionScheme: 0, ctaSwizzling: 0,
                      customOption: 4, stagesId: 35, innerShapeId: 0, clusterShapeId: 3}
                problems: {small: 512x512x512}
                """);
        assertThat(dryRun()).as(verbs.said()).isEqualTo(3);
        assertThat(verbs.said())
                .contains(
                        "is not proved: the kernels of cublaslt are those of an installed library, which has no text of"
                                + " them; a GPU runs it");
    }

    @Test
    void aConfigOfOursIsProvedAsItIs() throws Exception {
        assertThat(verbs.gate(
                        "init", "--to", folder.resolve("ours/tilewright.yaml").toString()))
                .isEqualTo(2);
        Path own = Files.createDirectories(folder.resolve("ours")).resolve("tilewright.yaml");
        assertThat(verbs.gate("init", "--to", own.toString())).as(verbs.said()).isZero();
        Files.writeString(own, Files.readString(own).replace("shape: 4096x4096x4096", "shape: 3072x1024x512"));
        assertThat(verbs.gate("--dry-run", "--file", own.toString()))
                .as(verbs.said())
                .isEqualTo(3);
        assertThat(verbs.said()).contains("kernel 'ours' is new since", "1 kernel proved");
    }
}
