package dev.tilewright.worker.cli.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.gate.document.GateCandidate;
import dev.tilewright.gate.document.GateKernel;
import dev.tilewright.gate.document.GateRequest;
import dev.tilewright.gate.document.GateVerdict;
import dev.tilewright.model.exchange.ConfigRequest;
import dev.tilewright.model.exchange.ProblemDocument;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.space.Config;
import dev.tilewright.worker.cli.gate.report.GateRuns;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Baselines that are commits, in repositories of git, with builds of a user. */
@Timeout(120)
class GateOfCommitTest {

    private static final Path BUNDLE = Path.of("..", "..", "docs", "examples", "bundles", "ptx-bias-relu");

    private static final String FILE = """
            gate: gemm
            baseline: {branch: main}
            kernels:
              ours: {config: {tile: 128}}
              hand: {bundle: kernels/hand, config: {tile: 16}}
              built: {build: ./make.sh, bundle: out/bundle, config: {tile: 8}}
            problems: {square: 384x640x256}
            """;

    @TempDir
    private Path folder;

    private GateDouble service;
    private GateVerbs verbs;
    private Path sub;

    @BeforeEach
    void repository() throws Exception {
        service = new GateDouble();
        service.answer = GateRuns.run(GateVerdict.PASS, GateRuns.one("ours/square", GateVerdict.PASS, 0.1));
        verbs = new GateVerbs(folder);
        sub = Files.createDirectories(folder.resolve("gpu"));
        verbs.git("init", "-q");
        verbs.write(".gitignore", "out/\nhome/\n");
        verbs.write("gpu/tilewright.yaml", FILE);
        copy(BUNDLE, sub.resolve("kernels/hand"));
        script("""
                mkdir -p out/bundle
                cp kernels/hand/* out/bundle/
                sed -i 's/^name: .*/name: built-'$(cat version)/ out/bundle/kernel.yaml
                pwd >> "$BUILDS"
                """);
        verbs.write("gpu/version", "one\n");
        verbs.commit("main");
    }

    private void script(String text) throws IOException {
        Path file =
                verbs.write("gpu/make.sh", "#!/bin/sh\nset -e\nBUILDS=" + folder.resolve("home-builds") + "\n" + text);
        assertThat(file.toFile().setExecutable(true)).isTrue();
        verbs.write(".git/info/exclude", "home-builds\n");
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.createDirectories(to);
        try (Stream<Path> files = Files.list(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(file.getFileName().toString()));
            }
        }
    }

    @AfterEach
    void close() {
        service.close();
    }

    private int gate() {
        return verbs.gate(
                "--api", service.url(), "--file", sub.resolve("tilewright.yaml").toString());
    }

    private GateRequest asked() {
        return service.asked.getLast();
    }

    private GateKernel baseline(int number) {
        return Objects.requireNonNull(asked().cases().get(number).baseline().kernel());
    }

    private String worktrees() throws Exception {
        return verbs.git("worktree", "list");
    }

    @Test
    void comparesWithTheKernelsOfTheCommitInWhichTheBranchWasLeft() throws Exception {
        String left = verbs.git("rev-parse", "HEAD");
        verbs.git("checkout", "-qb", "feature");
        verbs.write("gpu/tilewright.yaml", FILE.replace("tile: 128", "tile: 256"));
        verbs.write("gpu/version", "two\n");
        verbs.write(
                "gpu/kernels/hand/kernel.yaml",
                Files.readString(sub.resolve("kernels/hand/kernel.yaml")).replace("name: ptx-bias-relu", "name: mine"));
        String head = verbs.commit("change");
        verbs.git("checkout", "-q", "main");
        verbs.write("other", "main goes on\n");
        verbs.commit("other");
        verbs.git("checkout", "-q", "feature");

        assertThat(gate()).as(verbs.said()).isZero();
        assertThat(asked().commit()).isEqualTo(head);
        assertThat(asked().branch()).isEqualTo("feature");
        assertThat(service.said).contains("GET /api/v1/gates/gemm/candidates?commit=" + left);
        assertThat(asked().cases().get(0).candidate().config()).isEqualTo(ConfigRequest.of(Config.parse("tile=256")));
        assertThat(baseline(0).config()).isEqualTo(ConfigRequest.of(Config.parse("tile=128")));
        assertThat(asked().cases().get(1).candidate().family()).startsWith("bundle:mine@");
        assertThat(baseline(1).family()).startsWith("bundle:ptx-bias-relu@");
        assertThat(asked().cases().get(2).candidate().family()).startsWith("bundle:built-two@");
        assertThat(baseline(2).family()).startsWith("bundle:built-one@");
        assertThat(worktrees().lines()).as("its worktree is gone").hasSize(1);
        assertThat(Files.readAllLines(folder.resolve("home-builds")))
                .as("one build a checkout, the caller's first")
                .hasSize(2)
                .first()
                .isEqualTo(sub.toRealPath().toString());
    }

    @Test
    void aCaseHasItsSourceAndTheTypesOfItsBundle() throws Exception {
        assertThat(gate()).as(verbs.said()).isZero();
        assertThat(asked().cases())
                .extracting(GateRequest.Case::source)
                .containsExactly("gpu/tilewright.yaml:4", "gpu/kernels/hand/gemm.ptx", "gpu/tilewright.yaml:6");
        assertThat(asked().cases())
                .extracting(GateRequest.Case::problem)
                .extracting(ProblemDocument::problem)
                .extracting(problem -> problem.types().a())
                .containsExactly(DataType.BF16, DataType.F32, DataType.F32);
    }

    @Test
    void whatTheServiceHasStoredOfACommitIsNotBuiltAgain() throws Exception {
        verbs.git("checkout", "-qb", "feature");
        verbs.write("gpu/version", "two\n");
        verbs.commit("change");
        GateKernel stored = new GateKernel("bundle:built-one@0123456789abcdef", null, null, null, null, null);
        service.candidates.add(new GateCandidate("built/square", stored, GateRuns.ID));
        service.candidates.add(new GateCandidate("hand/square", stored, GateRuns.ID));

        assertThat(gate()).as(verbs.said()).isZero();
        assertThat(baseline(2)).isEqualTo(stored);
        assertThat(Files.readAllLines(folder.resolve("home-builds"))).hasSize(1);
        assertThat(verbs.said()).doesNotContain("checking");
    }

    @Test
    void onTheBranchItselfItIsTheCommitBefore() throws Exception {
        String before = verbs.git("rev-parse", "HEAD");
        verbs.write("gpu/tilewright.yaml", FILE.replace("tile: 128", "tile: 512"));
        String head = verbs.commit("change");
        gate();
        assertThat(service.said).contains("GET /api/v1/gates/gemm/candidates?commit=" + before);
        assertThat(asked().commit()).isEqualTo(head);

        verbs.write("gpu/tilewright.yaml", FILE.replace("tile: 128", "tile: 64"));
        gate();
        assertThat(service.said)
                .as("changes that are not committed are compared with the last commit")
                .contains("GET /api/v1/gates/gemm/candidates?commit=" + head);
        assertThat(asked().commit()).isNull();
        assertThat(verbs.said()).contains("there are changes that are not committed: the run is of no commit");
    }

    @Test
    void aBundleOfTheServiceIsComparedWithTheVersionThatTheCommitNamed() throws Exception {
        String kept = "  kept: {bundle: mine@0123456789abcdef, config: {tile: 16}}\n";
        verbs.write("gpu/tilewright.yaml", FILE.replace("  ours:", kept + "  ours:"));
        verbs.commit("a kept bundle");
        verbs.git("checkout", "-qb", "feature");
        verbs.write(
                "gpu/tilewright.yaml",
                FILE.replace(
                        "  ours:",
                        kept.replace("0123456789abcdef", "fedcba9876543210")
                                + kept.replace("kept", "fresh")
                                + "  ours:"));
        verbs.commit("the next version of it");

        assertThat(gate()).as(verbs.said()).isZero();
        assertThat(asked().cases().get(0).candidate().family()).isEqualTo("bundle:mine@fedcba9876543210");
        assertThat(baseline(0).family()).isEqualTo("bundle:mine@0123456789abcdef");
        assertThat(baseline(1)).isEqualTo(asked().cases().get(1).candidate());
        assertThat(verbs.said()).contains("kernel 'fresh' is new since").doesNotContain("kernel 'kept' is new since");
    }

    @Test
    void theConfigOfABundleIsThatOfTheCommit() throws Exception {
        verbs.git("checkout", "-qb", "feature");
        verbs.write("gpu/tilewright.yaml", FILE.replace("tile: 16", "tile: 32").replace("tile: 8", "tile: 32"));
        verbs.commit("other tiles");

        assertThat(gate()).as(verbs.said()).isZero();
        for (int number : List.of(1, 2)) {
            assertThat(asked().cases().get(number).candidate().config())
                    .isEqualTo(ConfigRequest.of(Config.parse("tile=32")));
        }
        assertThat(baseline(1).config()).isEqualTo(ConfigRequest.of(Config.parse("tile=16")));
        assertThat(baseline(2).config()).isEqualTo(ConfigRequest.of(Config.parse("tile=8")));
    }

    @Test
    void aFileOfTheCommitThatIsRefusedTodayCountsAsNone() throws Exception {
        verbs.write("gpu/tilewright.yaml", FILE.replace("gate: gemm", "gate: gemm\nspeed: 9"));
        verbs.commit("a key of another day");
        verbs.git("checkout", "-qb", "feature");
        verbs.write("gpu/tilewright.yaml", FILE);
        verbs.commit("without it");

        assertThat(gate()).as(verbs.said()).isZero();
        assertThat(verbs.said())
                .containsPattern("[0-9a-f]{12}:tilewright.yaml:2:1: speed: unknown key 'speed'.*counts as none")
                .contains("kernel 'ours' is new since");
        assertThat(baseline(1).family()).startsWith("bundle:ptx-bias-relu@");
    }

    @Test
    void aNewKernelIsComparedWithItselfThisOnce() throws Exception {
        verbs.git("tag", "v1");
        verbs.git("checkout", "-qb", "feature");
        verbs.write(
                "gpu/tilewright.yaml",
                FILE.replace("{branch: main}", "{tag: v1}")
                        .replace("  ours:", "  fresh: {config: {tile: 32}}\n  ours:"));
        verbs.commit("a kernel more");
        assertThat(gate()).as(verbs.said()).isZero();
        assertThat(baseline(0)).isEqualTo(asked().cases().getFirst().candidate());
        assertThat(verbs.said())
                .containsPattern("kernel 'fresh' is new since [0-9a-f]{12}: this once it is compared with itself");
    }

    @Test
    void aBuildThatFailsShowsWhatItPrintedAndLeavesNoWorktree() throws Exception {
        verbs.git("checkout", "-qb", "feature");
        script("echo compiling; echo 'error: no such type' >&2; exit 9\n");
        verbs.commit("broken");
        assertThat(gate()).isEqualTo(2);
        assertThat(verbs.said())
                .contains(
                        "kernels.built.build: './make.sh' in ",
                        " ended with 9",
                        "  compiling",
                        "  error: no such type");
        assertThat(service.asked).isEmpty();

        script("mkdir -p out/bundle; cp kernels/hand/* out/bundle/; test \"$(cat version)\" = two || exit 7\n");
        verbs.commit("the build of before fails");
        verbs.write(
                "gpu/tilewright.yaml",
                FILE.replace("{branch: main}", "{commit: " + verbs.git("rev-parse", "HEAD") + "}"));
        verbs.write("gpu/version", "two\n");
        verbs.commit("this one does not");
        assertThat(gate()).isEqualTo(2);
        assertThat(verbs.said()).contains("ended with 7");
        assertThat(worktrees().lines()).hasSize(1);
    }

    @Test
    void aBuildThatHangsIsEnded() throws Exception {
        verbs.write("gpu/tilewright.yaml", FILE.replace("bundle: out/bundle", "bundle: out/bundle, limitSeconds: 1"));
        script("echo waiting; sleep 600 & wait\n");
        long start = System.nanoTime();
        assertThat(gate()).isEqualTo(2);
        assertThat(System.nanoTime() - start).isLessThan(30_000_000_000L);
        assertThat(verbs.said()).contains("did not end within 1 s", "  waiting");
    }

    @Test
    void aBuildThatMakesNoBundleSaysSo() throws Exception {
        script("true\n");
        assertThat(gate()).isEqualTo(2);
        assertThat(verbs.said()).contains("has made no out/bundle, which 'bundle' names");
    }

    @Test
    void whatGitDoesNotKnowIsRefused() throws Exception {
        verbs.write("gpu/tilewright.yaml", FILE.replace("{branch: main}", "{branch: trunk}"));
        assertThat(gate()).isEqualTo(2);
        verbs.write("gpu/tilewright.yaml", FILE.replace("{branch: main}", "{tag: v9}"));
        assertThat(gate()).isEqualTo(2);
        assertThat(verbs.said())
                .contains("baseline: git does not know branch 'trunk' here", "git does not know tag 'v9' here");
    }
}
