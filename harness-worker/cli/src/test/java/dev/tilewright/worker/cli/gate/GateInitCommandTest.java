package dev.tilewright.worker.cli.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.model.exchange.ConfigRequest;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Config;
import dev.tilewright.worker.cli.gate.file.BaselineEntry;
import dev.tilewright.worker.cli.gate.file.CaseEntry;
import dev.tilewright.worker.cli.gate.file.GateFile;
import dev.tilewright.worker.cli.gate.file.GateFileReader;
import dev.tilewright.worker.cli.gate.file.KernelEntry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GateInitCommandTest {

    private static final Path RESULTS = Path.of("src/test/resources/results");

    @TempDir
    private Path folder;

    @Test
    void writesTheBestConfigOfEachProblemOfAJob() throws IOException {
        GateVerbs verbs = new GateVerbs(folder);
        Path to = folder.resolve("tilewright.yaml");
        assertThat(verbs.gate("init", RESULTS.resolve("cuda.json").toString(), "--to", to.toString(), "--gate", "gemm"))
                .isZero();
        GateFile file = GateFileReader.read(to);
        assertThat(file.gate()).isEqualTo("gemm");
        assertThat(file.cases()).isNotEmpty();
        CaseEntry one = file.cases().getFirst();
        assertThat(one.name())
                .isEqualTo("best-" + one.problem().name() + "/" + one.problem().name());
        assertThat(one.baseline()).isEqualTo(new BaselineEntry.Branch("main"));
        assertThat(one.kernel().config().whole().size()).isGreaterThan(3);
        assertThat(Files.readString(to)).contains("measured on NVIDIA H200", "# percent of the time of a launch");
        assertThat(verbs.said()).contains("gate gemm, ", "run tilewright gate");
    }

    @Test
    void whatAModelPredictedIsNotCalledMeasured() throws IOException {
        Path to = folder.resolve("t.yaml");
        assertThat(new GateVerbs(folder)
                        .gate("init", RESULTS.resolve("simulated.json").toString(), "--to", to.toString()))
                .isZero();
        assertThat(Files.readString(to))
                .contains("simulated on h200, never measured")
                .doesNotContain("measured on h");
    }

    @Test
    void groupsAndTypesComeBack() throws IOException {
        Path to = folder.resolve("t.yaml");
        assertThat(new GateVerbs(folder)
                        .gate("init", RESULTS.resolve("grouped.json").toString(), "--to", to.toString()))
                .isZero();
        assertThat(GateFileReader.read(to).cases().getFirst().problem().shapes())
                .hasSizeGreaterThan(1);
    }

    @Test
    void writesAnExampleThatCanBeRead() throws IOException {
        Path to = folder.resolve("t.yaml");
        assertThat(new GateVerbs(folder).gate("init", "--to", to.toString(), "--branch", "trunk"))
                .isZero();
        GateFile file = GateFileReader.read(to);
        assertThat(file.cases()).extracting(CaseEntry::name).containsExactly("ours/first");
        assertThat(file.cases().getFirst().kernel().config().whole().size()).isGreaterThan(10);
        assertThat(file.cases().getFirst().baseline()).isEqualTo(new BaselineEntry.Branch("trunk"));
    }

    /** A service that was started a minute ago knows no best config. */
    @Test
    void theExampleIsABundleOfTheRepositoryOnItsBranch() throws Exception {
        GateVerbs verbs = new GateVerbs(folder);
        verbs.git("init", "-q", "-b", "master");
        verbs.write("a/kernel.yaml", "no bundle: at all\n");
        verbs.write("kernels/own/kernel.yaml", """
                name: own
                problem: {a: f16, b: f16, d: f16, conditions: [m <= 512]}
                space: {tile: [16, 32]}
                constraints: [tile > 16]
                kernel: own.ptx
                launch: {grid: 1, block: 32, parameters: [pointer: A]}
                """);
        verbs.write(
                "kernels/own/own.ptx", ".version 8.0\n.target sm_90\n.visible .entry own(.param .u64 a) { ret; }\n");
        Path to = folder.resolve("tilewright.yaml");
        assertThat(verbs.gate("init", "--to", to.toString())).as(verbs.said()).isZero();
        CaseEntry one = GateFileReader.read(to).cases().getFirst();
        assertThat(one.baseline()).isEqualTo(new BaselineEntry.Branch("master"));
        assertThat(one.kernel().origin()).isEqualTo(new KernelEntry.OfBundle("kernels/own"));
        assertThat(one.kernel().config()).isEqualTo(ConfigRequest.of(Config.parse("tile=32")));
        assertThat(one.problem().shapes()).containsExactly(new ProblemShape(512, 512, 512));

        verbs.commit("gate");
        verbs.git("checkout", "-qb", "feature");
        verbs.gate("init", "--to", folder + "/other.yaml");
        assertThat(GateFileReader.read(folder.resolve("other.yaml"))
                        .cases()
                        .getFirst()
                        .baseline())
                .as("not the branch that is checked out")
                .isEqualTo(new BaselineEntry.Branch("master"));
    }

    @Test
    void outsideOfARepositoryItSaysThatTheBaselineIsInOne() {
        GateVerbs verbs = new GateVerbs(folder);
        assertThat(verbs.gate("init", "--to", folder + "/x.yaml")).isZero();
        assertThat(verbs.said()).contains("is in no git repository, where the baseline is looked for");
    }

    @Test
    void aBranchMayBeOfAFolderAndLookLikeANumber() throws IOException {
        for (String branch : List.of("release/2.x", "12", "true")) {
            Path to = folder.resolve("t-" + branch.replace('/', '-') + ".yaml");
            GateVerbs verbs = new GateVerbs(folder);
            assertThat(verbs.gate("init", "--to", to.toString(), "--branch", branch, "--gate", "2026"))
                    .as(verbs.said())
                    .isZero();
            assertThat(GateFileReader.read(to).cases().getFirst().baseline())
                    .isEqualTo(new BaselineEntry.Branch(branch));
        }
        GateVerbs verbs = new GateVerbs(folder);
        assertThat(verbs.gate("init", "--to", folder + "/x.yaml", "--branch", "-x"))
                .isEqualTo(2);
        assertThat(verbs.gate("init", "--to", folder + "/x.yaml", "--gate", "my gate"))
                .isEqualTo(2);
        assertThat(verbs.said())
                .contains(
                        "--branch: a branch or a tag is 1 to 200 letters, digits and _./- and begins with a letter, a"
                                + " digit or _, got '-x'",
                        "--gate: must be 1 to 64 letters, digits and ._- and begin with a letter or digit, got 'my gate'");
    }

    @Test
    void writesOverNothing() throws IOException {
        GateVerbs verbs = new GateVerbs(folder);
        Path to = verbs.write("tilewright.yaml", "mine");
        assertThat(verbs.gate("init", "--to", to.toString())).isEqualTo(2);
        assertThat(Files.readString(to)).isEqualTo("mine");
        assertThat(verbs.gate("init", "nonsense", "--to", folder + "/x.yaml")).isEqualTo(2);
        assertThat(verbs.gate("init", to.toString(), "--to", folder + "/x.yaml"))
                .isEqualTo(2);
        assertThat(verbs.gate("init", RESULTS.resolve("nothing-completed.json").toString(), "--to", folder + "/x.yaml"))
                .isEqualTo(1);
        assertThat(folder.resolve("x.yaml")).doesNotExist();
    }
}
