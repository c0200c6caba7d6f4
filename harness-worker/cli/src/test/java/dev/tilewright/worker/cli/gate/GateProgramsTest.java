package dev.tilewright.worker.cli.gate;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.tilewright.gate.document.GateVerdict;
import dev.tilewright.testing.Python;
import dev.tilewright.worker.cli.gate.report.GateRuns;
import dev.tilewright.worker.cli.program.ProgramStandIns;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs of a file in a repository of git. Their own clock says what a step takes, and nothing else moves it. */
@Timeout(120)
class GateProgramsTest {

    private static final String FILE = """
            gate: decode
            baseline: {branch: main}
            programs:
              decode: {run: [env, PYTHONDONTWRITEBYTECODE=1, PYTHON, program.py, "1000000"], pack: pack}
            """;

    private static final String TORCH = """
            import os, types
            cuda = types.SimpleNamespace(
                is_available=lambda: "NO_GPU" not in globals(), synchronize=lambda: None,
                is_current_stream_capturing=lambda: False, _lazy_call=lambda call: call(),
                current_device=lambda: 0, get_device_properties=lambda index: None,
                get_device_name=lambda: "stand-in " + os.environ.get("CUDA_VISIBLE_DEVICES", "of all"))
            """ + ProgramStandIns.MODULES;

    private static final String PACK = ProgramStandIns.PACK + "FACTOR = 0.94\n";

    private static final String PROGRAM = ProgramStandIns.CLOCK + """
            import torch
            STEP_NS = 2e6
            drawn = random.Random(STEP_NS)
            class Model(torch.nn.Module):
                def forward(self):
                    pack = sys.modules.get("tilewright_pack")
                    factor = pack.FACTOR if pack and pack.serves() else 1
                    now[0] += int(STEP_NS * factor * drawn.gauss(1, 0.002))
            model = Model()
            for _ in range(int(sys.argv[1])):
                model()
            print("the program is done")
            """;

    @TempDir
    private Path folder;

    private GateVerbs verbs;

    @BeforeEach
    void repository() throws Exception {
        verbs = new GateVerbs(folder);
        verbs.git("init", "-q");
        verbs.write(".gitignore", "home/\nreport.*\npack/\n");
        verbs.write("tilewright.yaml", FILE.replace("PYTHON", Python.program()));
        verbs.write("torch.py", TORCH);
        verbs.write("program.py", PROGRAM);
        verbs.write("pack/pack.json", "{}");
        verbs.write("pack/__init__.py", PACK);
        verbs.commit("main");
        verbs.git("checkout", "-qb", "feature");
    }

    @AfterEach
    void leavesNoWorktree() throws Exception {
        assertThat(verbs.git("worktree", "list").lines()).hasSize(1);
    }

    private int gate(String... arguments) {
        List<String> all = new ArrayList<>(
                List.of("--file", folder.resolve("tilewright.yaml").toString()));
        all.addAll(List.of(arguments));
        return verbs.gate(all.toArray(String[]::new));
    }

    @ParameterizedTest
    @CsvSource({"2e6, 0, pass", "2.06e6, 1, fail", "1.9e6, 0, faster"})
    void aChangeThatMakesTheProgramSlowerFails(String stepNs, int exit, String verdict) throws Exception {
        verbs.write("program.py", PROGRAM.replace("STEP_NS = 2e6", "STEP_NS = float(" + stepNs + ")"));
        String head = verbs.commit("change");
        Path report = folder.resolve("report.json");

        assertThat(gate(
                        "--report",
                        "json=" + report,
                        "--report",
                        "junit=" + folder.resolve("report.xml"),
                        "--report",
                        "markdown=" + folder.resolve("report.md"),
                        "--report",
                        "sarif=" + folder.resolve("report.sarif"),
                        "--report",
                        "github=" + folder.resolve("report.github"),
                        "--report",
                        "gitlab=" + folder.resolve("report.gitlab")))
                .as(verbs.said())
                .isEqualTo(exit);
        String main = verbs.git("rev-parse", "main").substring(0, 12);
        assertThat(verbs.said())
                .contains("git has no pack of " + main + ", so the baseline uses pack of this checkout")
                .contains("program decode: " + verdict + ", ")
                .contains("programs alone, on the machine of this command")
                .contains("1 case: 1 " + verdict + "; no service has this run");
        String written = Files.readString(report);
        assertThat(written)
                .contains("program.py 1000000 here, pack 0123456789abcdef")
                .contains("program.py 1000000 at " + main + ", pack 0123456789abcdef")
                .contains("sentinel equal: pass", "on stand-in of all")
                .contains("\"commit\" : \"" + head);
        assertThat(SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                        .getSchema(Files.readString(Path.of("..", "..", "docs", "gate-run.schema.json")))
                        .validate(written, InputFormat.JSON))
                .isEmpty();
        assertThat(Files.readString(folder.resolve("report.xml"))).contains("name=\"decode\"");
        assertThat(Files.readString(folder.resolve("report.md")))
                .contains("| decode |")
                .contains(verdict);
        assertThat(Files.readString(folder.resolve("report.github")))
                .contains("\"conclusion\" : \"" + (exit == 0 ? "success" : "failure"));
        assertThat(Files.readString(folder.resolve("report.gitlab"))).contains(exit == 0 ? "[ ]" : "critical");
        assertThat(Files.readString(folder.resolve("report.sarif"))).contains("\"exitCode\" : " + exit);
    }

    /** The pack that a commit keeps is that commit's. */
    @Test
    void aPackThatIsSlowerThanTheOneOfTheBaselineFails() throws Exception {
        verbs.write(".gitignore", "home/\n");
        verbs.commit("a pack in the repository");
        verbs.git("checkout", "-qB", "main");
        verbs.git("checkout", "-qb", "slower");
        verbs.write(
                "pack/__init__.py",
                PACK.replace("0123456789abcdef", "fedcba9876543210").replace("0.94", "0.97"));
        verbs.commit("another pack");

        assertThat(gate()).as(verbs.said()).isEqualTo(1);
        assertThat(verbs.said()).contains("slower by more than 1 %").doesNotContain("git has no");
    }

    @Test
    void aProgramThatIsNewIsComparedWithItselfWithoutItsPack() throws Exception {
        verbs.git("checkout", "-q", "main");
        verbs.write("tilewright.yaml", "gate: decode\n");
        verbs.commit("no programs");
        verbs.git("checkout", "-qb", "new");
        verbs.write("tilewright.yaml", FILE.replace("PYTHON", Python.program()));
        verbs.commit("a program");

        assertThat(gate()).as(verbs.said()).isZero();
        assertThat(verbs.said())
                .contains("program 'decode' is new since")
                .contains("compared with itself without the pack")
                .contains("1 case: 1 faster");
    }

    private static final String FAILS_SOON = "    model()\n    now[0] > 5e7 and sys.exit(7)\n";

    /** In front of its first step, or behind some. */
    @ParameterizedTest
    @ValueSource(strings = {"    raise SystemExit(7)\n", FAILS_SOON})
    void aProgramThatAChangeBreaksFails(String step) throws Exception {
        verbs.write("program.py", PROGRAM.replace("    model()\n", step));
        verbs.commit("broken");

        assertThat(gate()).as(verbs.said()).isEqualTo(1);
        assertThat(verbs.said()).contains("invalid: decode: the program here ended with 7");
    }

    /** The candidate takes its first steps before the baseline does. */
    @Test
    void aFaultThatTheBaselineHasTooIsInconclusive() throws Exception {
        verbs.git("checkout", "-q", "main");
        verbs.write("program.py", PROGRAM.replace("    model()\n", FAILS_SOON));
        verbs.commit("fails soon");
        verbs.git("checkout", "-qb", "as-before");
        verbs.write("other", "a change\n");
        verbs.commit("change");

        assertThat(gate()).as(verbs.said()).isEqualTo(3);
        assertThat(verbs.said())
                .contains("inconclusive: decode: the program here ended with 7; alone the baseline fails as well: the"
                        + " program at ");
    }

    /** As where the memory of a GPU suffices for one of them. */
    @Test
    void twoProgramsThatDoNotRunBesideEachOtherAreInconclusive() throws Exception {
        verbs.write("program.py", PROGRAM.replace("import torch\n", """
                import fcntl, torch
                only = open("ONLY", "w")
                fcntl.flock(only, fcntl.LOCK_EX | fcntl.LOCK_NB)
                """.replace(
                        "ONLY", folder.resolve("home").toString())));
        verbs.commit("one at a time");
        verbs.git("checkout", "-qB", "main");
        verbs.git("checkout", "-qb", "as-before");
        verbs.write("other", "a change\n");
        verbs.commit("change");

        assertThat(gate()).as(verbs.said()).isEqualTo(3);
        assertThat(verbs.said()).contains("; alone it takes as many steps: both must fit on the GPU");
    }

    @Test
    void aPackThatIsOffHereAloneFails() throws Exception {
        verbs.write(".gitignore", "home/\n");
        verbs.commit("a pack in the repository");
        verbs.git("checkout", "-qB", "main");
        verbs.git("checkout", "-qb", "off");
        verbs.write("pack/__init__.py", PACK.replace("!= \"off\"", "== \"on\""));
        verbs.commit("off");

        assertThat(gate()).as(verbs.said()).isEqualTo(1);
        assertThat(verbs.said()).contains("invalid: decode: the pack is off");
    }

    /** Without it, a loss of all that the pack wins would pass. */
    @Test
    void aPackThatAChangeTakesAwayIsStillThatOfTheBaseline() throws Exception {
        verbs.write("tilewright.yaml", FILE.replace("PYTHON", Python.program()).replace(", pack: pack", ""));
        verbs.commit("no pack");

        assertThat(gate()).as(verbs.said()).isEqualTo(1);
        assertThat(verbs.said()).contains("so the baseline uses pack of this checkout", "slower by more than 1 %");
        Files.delete(folder.resolve("pack/pack.json"));
        assertThat(gate()).as(verbs.said()).isEqualTo(2);
        assertThat(verbs.said()).contains("neither git nor this checkout has the pack pack of ");
    }

    @Test
    void aModelRunsNoProgram() {
        assertThat(gate("--device", "simulated:h200")).as(verbs.said()).isEqualTo(3);
        assertThat(verbs.said()).contains("inconclusive: decode: a model runs no program");
        assertThat(gate("--device", "cuda:one")).as(verbs.said()).isEqualTo(2);
    }

    @Test
    void aProgramWithoutAGpuIsInconclusive() throws Exception {
        verbs.write("torch.py", TORCH + "NO_GPU = True\n");
        assertThat(gate("--device", "cuda:3")).as(verbs.said()).isEqualTo(3);
        assertThat(verbs.said()).contains("inconclusive: decode: the program uses no GPU");
    }

    @Test
    void aServiceRunsNoProgramByItself() {
        assertThat(verbs.gate(
                        "schedule", "--file", folder.resolve("tilewright.yaml").toString(), "--at", "DAILY|03:00"))
                .isEqualTo(2);
        assertThat(verbs.said()).contains("a service runs no programs");
    }

    @Test
    void aProgramThatEndsTooEarlyIsInconclusive() throws Exception {
        verbs.write("tilewright.yaml", FILE.replace("PYTHON", Python.program()).replace("1000000", "30"));
        verbs.commit("short");

        assertThat(gate()).as(verbs.said()).isEqualTo(3);
        assertThat(verbs.said()).contains("before enough of its steps were timed: let it run longer");
    }

    @Test
    void itsVerdictStandsBesideKernels() throws Exception {
        verbs.write("program.py", PROGRAM.replace("STEP_NS = 2e6", "STEP_NS = 2.06e6"));
        verbs.write(
                "tilewright.yaml",
                FILE.replace("PYTHON", Python.program()).replace("gate: decode", "gate: gemm")
                        + "kernels: {ours: {config: {tile: 128}}}\nproblems: {square: 384x640x256}\n");
        verbs.commit("kernels too");
        try (GateDouble service = new GateDouble()) {
            service.answer = GateRuns.run(GateVerdict.PASS, GateRuns.one("ours/square", GateVerdict.PASS, 0.1));

            assertThat(gate("--api", service.url())).as(verbs.said()).isEqualTo(1);
            assertThat(service.asked.getLast().cases()).hasSize(1);
        }
        assertThat(verbs.said()).contains("2 cases: 1 fail, 1 pass; run ").contains("slower by more than 1 %");
    }

    @Test
    void aDryRunStartsNothing() throws Exception {
        verbs.write("program.py", "raise SystemExit(1)\n");
        verbs.commit("never run");

        assertThat(gate("--dry-run")).as(verbs.said()).isEqualTo(3);
        assertThat(verbs.said())
                .containsPattern("program decode: .* here beside .* at [0-9a-f]{12}, with 300 s for their steps");
    }

    @Test
    void aFolderThatIsNoPackIsRefused() throws IOException {
        Files.delete(folder.resolve("pack/pack.json"));

        assertThat(gate()).isEqualTo(2);
        assertThat(verbs.said()).contains("program 'decode': ").contains("is no pack: it has no pack.json");
    }
}
