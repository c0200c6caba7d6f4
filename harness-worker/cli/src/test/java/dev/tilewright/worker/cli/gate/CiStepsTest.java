package dev.tilewright.worker.cli.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.gate.document.GateVerdict;
import dev.tilewright.launch.document.DocumentReader;
import dev.tilewright.launch.document.Node;
import dev.tilewright.worker.cli.gate.report.GateRuns;
import dev.tilewright.worker.link.json.Json;
import dev.tilewright.worker.link.process.ProgramRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/**
 * The shell steps of {@code docs/ci}, as they stand there, with an archive whose launcher has this JVM run the verb, a
 * service that answers from a script, and a {@code gh} that logs its arguments. {@code CiStepsIT} runs the same steps
 * with the program that was built.
 */
@Timeout(300)
class CiStepsTest {

    private static final String LOOK =
            "gh api repos/ann/kernels/issues/17/comments --paginate --jq .[] | select(.body |"
                    + " startswith(\"<!-- tilewright-gate:gemm -->\")) | .id";

    private static final Path CI = Path.of("..", "..", "docs", "ci");

    @TempDir
    private Path folder;

    private GateDouble service;
    private GateVerbs verbs;
    private VerbServer program;
    private final Map<String, String> variables = new TreeMap<>();

    @BeforeEach
    void machine() throws Exception {
        service = new GateDouble();
        Path checkout = Files.createDirectories(folder.resolve("checkout"));
        verbs = new GateVerbs(checkout);
        verbs.git("init", "-q");
        verbs.write("tilewright.yaml", """
                gate: gemm
                baseline: {kernel: vendor}
                kernels: {ours: {config: {tile: 128}}, vendor: {peer: some-peer}}
                problems: {square: 384x640x256}
                """);
        verbs.commit("main");
        Path archive = folder.resolve("archive/tilewright-worker");
        program = VerbServer.start(checkout);
        executable(archive.resolve("tilewright"), program.launcher());
        executable(folder.resolve("bin/gh"), """
                #!/bin/sh
                echo "gh $*" >> '%s/gh.log'
                case "$*" in
                  *--paginate*) cat '%s/known' ;;
                  *'--jq .id') if [ -e '%s/down' ]; then cat '%s/down'; exit 1; fi; echo 4711 ;;
                esac
                while [ $# -gt 0 ]; do
                  if [ "$1" = --input ]; then cat "$2" >> '%s/sent'; fi
                  shift
                done
                """.formatted(folder, folder, folder, folder, folder));
        Files.writeString(folder.resolve("known"), "");
        run(List.of("tar", "-cJf", folder + "/archive.txz", "-C", folder + "/archive", "tilewright-worker"), checkout);
        variables.putAll(Map.of(
                "HOME",
                folder.resolve("home").toString(),
                "PATH",
                folder.resolve("bin") + ":" + System.getenv("PATH"),
                "TILEWRIGHT_API",
                service.url(),
                "TILEWRIGHT_ARCHIVE",
                folder.resolve("archive.txz").toUri().toString(),
                "TILEWRIGHT_TOKEN",
                "secret",
                "ACCEPTED",
                "0",
                "PULL_REQUEST",
                "17",
                "GITHUB_REPOSITORY",
                "ann/kernels",
                "GITHUB_STEP_SUMMARY",
                folder.resolve("summary.md").toString()));
    }

    private static void executable(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        assertThat(Files.writeString(file, text).toFile().setExecutable(true)).isTrue();
    }

    private static ProgramRun.Ended run(List<String> command, Path where) throws Exception {
        return new ProgramRun(command, where, Duration.ofMinutes(2), 1 << 20).run();
    }

    @AfterEach
    void close() {
        service.close();
        program.close();
    }

    /** As the runners of both do: {@code -e}, and what a step exports is gone with it. */
    private ProgramRun.Ended step(String script) throws Exception {
        List<String> command = new ArrayList<>(List.of("env", "-i"));
        variables.forEach((name, value) -> command.add(name + "=" + value));
        command.addAll(List.of("bash", "-e", "-c", script));
        return run(command, verbs.folder);
    }

    private static Node.Mapping yaml(String name) throws IOException {
        return DocumentReader.read(Files.readString(CI.resolve(name)), false).mapping();
    }

    private static String githubStep(String name) throws IOException {
        return github(name).get("run").text();
    }

    private static Node.Mapping github(String name) throws IOException {
        return yaml("github-actions.yml").get("jobs").mapping().get("gate").mapping().get("steps").items().stream()
                .map(Node::mapping)
                .filter(step -> step.find("name").map(Node::text).equals(java.util.Optional.of(name)))
                .findFirst()
                .orElseThrow();
    }

    private static String gitlabScript() throws IOException {
        return yaml("gitlab-ci.yml").get("gate").mapping().get("script").items().stream()
                .map(Node::text)
                .collect(Collectors.joining("\n"));
    }

    private void answer(String verdict) throws IOException {
        switch (verdict) {
            case "usage" -> verbs.write("tilewright.yaml", "gate: gemm\n");
            case "gone" -> service.answer = GateRuns.failed("nobody offers cuda:0");
            case String known -> {
                GateVerdict of = GateVerdict.valueOf(known.toUpperCase(java.util.Locale.ROOT));
                service.answer = GateRuns.run(of, GateRuns.one("ours/square", of, 1.7));
            }
        }
    }

    /** Which verdict has which code, {@code GateCommandTest} shows. */
    @ParameterizedTest
    @CsvSource({
        "fail, 1, 0",
        "usage, 2, 0",
        "inconclusive, 3, 0",
        "inconclusive, 0, 0 3",
        "gone, 4, 0 3",
    })
    void theStepsOfGithubPassTheCodeOn(String verdict, int exit, String accepted) throws Exception {
        answer(verdict);
        variables.put("ACCEPTED", accepted);
        assertThat(step(githubStep("install")).exit()).isZero();
        if (!verdict.equals("usage")) {
            assertThat(step(githubStep("announce")).exit()).isZero();
        }
        ProgramRun.Ended ended = step(githubStep("gate"));
        assertThat(ended.exit()).as(ended.out() + ended.err()).isEqualTo(exit);
        boolean reported = !verdict.equals("usage");
        assertThat(Files.exists(verbs.folder.resolve("gate-reports/check.json")))
                .isEqualTo(reported);
        if (reported) {
            assertThat(Files.readString(folder.resolve("summary.md"))).startsWith("<!-- tilewright-gate:gemm -->");
        }
    }

    /** What GitHub was sent of a check, in its order. */
    private List<JsonNode> sent() throws IOException {
        try (var values = Json.mapper()
                .readerFor(JsonNode.class)
                .<JsonNode>readValues(folder.resolve("sent").toFile())) {
            return values.readAll();
        }
    }

    @ParameterizedTest
    @CsvSource({"pass, success", "fail, failure", "inconclusive, neutral", "gone, failure", "refused, failure"})
    void theCheckStandsBeforeTheGateRunsAndIsCompleted(String verdict, String conclusion) throws Exception {
        if (verdict.equals("refused")) {
            service.refusal = "{\"status\":422,\"detail\":\"there is no such GPU\",\"errors\":[]}";
        } else {
            answer(verdict);
        }
        step(githubStep("install"));
        assertThat(step(githubStep("announce")).exit()).isZero();
        step(githubStep("gate"));
        ProgramRun.Ended ended = step(githubStep("check"));
        assertThat(ended.exit()).as(ended.err()).isZero();
        assertThat(Files.readAllLines(folder.resolve("gh.log")))
                .containsExactly(
                        "gh api repos/ann/kernels/check-runs --method POST --input gate-reports/check.json --jq .id",
                        "gh api repos/ann/kernels/check-runs/4711 --method PATCH --input gate-reports/check.json --silent");
        JsonNode begun = sent().getFirst();
        JsonNode over = sent().getLast();
        assertThat(begun.get("status").asString()).isEqualTo("in_progress");
        assertThat(begun.get("head_sha").asString()).isEqualTo(verbs.git("rev-parse", "HEAD"));
        assertThat(over.get("status").asString()).isEqualTo("completed");
        assertThat(over.get("conclusion").asString()).isEqualTo(conclusion);
        for (String same : List.of("name", "external_id", "started_at")) {
            assertThat(over.get(same)).as(same).isEqualTo(begun.get(same));
        }
    }

    /** The step of the gate is killed with its job, and has not written what became of it. */
    @ParameterizedTest
    @CsvSource({
        "cancelled, cancelled, the job was cancelled, It ended before the gate had a verdict.",
        "failure, failure, the gate ended without a verdict, The log of the job says why.",
    })
    void aCheckThatNothingCompletedEndsWithItsJob(String status, String conclusion, String title, String summary)
            throws Exception {
        step(githubStep("install"));
        assertThat(step(githubStep("announce")).exit()).isZero();
        variables.put("JOB_STATUS", status);
        ProgramRun.Ended ended = step(githubStep("check"));
        assertThat(ended.exit()).as(ended.err()).isZero();
        assertThat(Files.readAllLines(folder.resolve("gh.log")).getLast())
                .isEqualTo("gh api repos/ann/kernels/check-runs/4711 --method PATCH -f status=completed -f conclusion="
                        + conclusion + " -f output[title]=" + title + " -f output[summary]=" + summary + " --silent");
    }

    /** A network that is down prints nothing, a refusal its reason. */
    @ParameterizedTest
    @ValueSource(strings = {"", "{\"message\": \"Not Found\"}"})
    void whatGithubHasNotTakenIsNotCompleted(String printed) throws Exception {
        Files.writeString(folder.resolve("down"), printed);
        step(githubStep("install"));
        assertThat(step(githubStep("announce")).exit()).isEqualTo(1);
        ProgramRun.Ended ended = step(githubStep("check"));
        assertThat(ended.exit()).as(ended.err()).isZero();
        assertThat(ended.out()).contains("GitHub has not taken the check");
        assertThat(Files.readAllLines(folder.resolve("gh.log"))).hasSize(1);
    }

    /** Steps that complete a check run in a job that was cancelled, too. */
    @Test
    void theCheckIsCompletedWhateverBecomesOfTheJob() throws Exception {
        Node.Mapping check = github("check");
        assertThat(check.get("if").text()).startsWith("always() && ");
        long job = yaml("github-actions.yml")
                .get("jobs")
                .mapping()
                .get("gate")
                .mapping()
                .get("timeout-minutes")
                .integer(1, 360);
        assertThat(github("gate").get("timeout-minutes").integer(1, 360))
                .as("a job that runs out of time may run no further step")
                .isLessThan(job);
        assertThat(check.get("env").mapping().get("JOB_STATUS").text()).isEqualTo("${{ job.status }}");
    }

    @Test
    void theCommentIsMadeOnceAndThenBroughtUpToDate() throws Exception {
        answer("fail");
        step(githubStep("install"));
        step(githubStep("gate"));
        assertThat(step(githubStep("comment")).exit()).isZero();
        Files.writeString(folder.resolve("known"), "42\n43\n");
        assertThat(step(githubStep("comment")).exit()).isZero();
        assertThat(Files.readAllLines(folder.resolve("gh.log")))
                .containsExactly(
                        LOOK,
                        "gh api repos/ann/kernels/issues/17/comments --method POST -F body=@gate-reports/gate.md --silent",
                        LOOK,
                        "gh api repos/ann/kernels/issues/comments/42 --method PATCH -F body=@gate-reports/gate.md"
                                + " --silent");
    }

    @ParameterizedTest
    @CsvSource({"fail, 1, 0", "usage, 2, 0", "inconclusive, 0, 0 3"})
    void theScriptOfGitlabPassesTheCodeOn(String verdict, int exit, String accepted) throws Exception {
        answer(verdict);
        variables.put("ACCEPTED", accepted);
        ProgramRun.Ended ended = step(gitlabScript());
        assertThat(ended.exit()).as(ended.out() + ended.err()).isEqualTo(exit);
        assertThat(Files.exists(verbs.folder.resolve("gate-reports/code-quality.json")))
                .isEqualTo(!verdict.equals("usage"));
    }
}
