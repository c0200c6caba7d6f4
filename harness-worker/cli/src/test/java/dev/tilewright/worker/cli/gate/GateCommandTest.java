package dev.tilewright.worker.cli.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.gate.document.CaseResult;
import dev.tilewright.gate.document.GateKernel;
import dev.tilewright.gate.document.GateRequest;
import dev.tilewright.gate.document.GateVerdict;
import dev.tilewright.gate.document.Margins;
import dev.tilewright.model.exchange.ConfigRequest;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.TestbedKind;
import dev.tilewright.worker.cli.gate.report.AnnouncedCheck;
import dev.tilewright.worker.cli.gate.report.GateRuns;
import dev.tilewright.worker.link.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** {@code gate --api} against a service that answers from a script. */
@Timeout(60)
class GateCommandTest {

    private static final String FILE = """
        gate: gemm
        device: cuda:1
        budgetSeconds: 60
        baseline: {kernel: vendor}
        kernels:
          ours: {family: some-family, config: {tile: 128, order: alongM}}
          vendor: {peer: some-peer, algorithm: "3"}
        problems: {square: 384x640x256}
        """;

    @TempDir
    private Path folder;

    private GateDouble service;
    private GateVerbs verbs;

    @BeforeEach
    void open() throws IOException {
        service = new GateDouble();
        verbs = new GateVerbs(folder);
    }

    @AfterEach
    void close() {
        service.close();
    }

    private int gate(String... more) throws IOException {
        Path file = verbs.write("tilewright.yaml", FILE);
        String[] arguments = new String[more.length + 4];
        System.arraycopy(new String[] {"--api", service.url(), "--file", file.toString()}, 0, arguments, 0, 4);
        System.arraycopy(more, 0, arguments, 4, more.length);
        return verbs.gate(arguments);
    }

    @Test
    void asksForWhatTheFileSaysAndTellsWhatCameOfIt() throws IOException {
        assertThat(gate("--seed", "5", "--branch", "feature")).isEqualTo(1);
        GateRequest asked = service.asked.getFirst();
        assertThat(asked.device()).isEqualTo("cuda:1");
        assertThat(asked.budgetSeconds()).isEqualTo(60);
        assertThat(asked.seed()).isEqualTo(5);
        assertThat(asked.branch()).isEqualTo("feature");
        assertThat(asked.commit()).as("it is in no repository").isNull();
        GateRequest.Case one = asked.cases().getFirst();
        assertThat(one.name()).isEqualTo("ours/square");
        assertThat(one.candidate())
                .isEqualTo(new GateKernel(
                        "some-family",
                        ConfigRequest.of(Config.parse("tile=128 order=alongM")),
                        null,
                        null,
                        null,
                        null));
        assertThat(one.baseline().kernel()).isEqualTo(new GateKernel(null, null, null, "some-peer", "3", null));
        assertThat(one.margins()).isEqualTo(Margins.STANDARD);
        assertThat(one.source()).isEqualTo("tilewright.yaml:6");
        assertThat(service.keys.getFirst()).matches("\"[0-9a-f-]{36}\"");
        assertThat(verbs.said())
                .contains("gate gemm: running, 0 of 8 cases measured")
                .contains("gate gemm: running, 6 of 8 cases measured")
                .contains(" ours/fail     +2.40 %  [+2.10, +2.70]      20  fail")
                .contains("gate gemm failed (invalid): said of the run");
    }

    @ParameterizedTest
    @CsvSource({
        "PASS, regression, 0",
        "WARN, regression, 0",
        "WARN, warn, 1",
        "FAIL, regression, 1",
        "INVALID, regression, 1",
        "INCONCLUSIVE, regression, 3",
        "INCONCLUSIVE, inconclusive, 1",
        "UNCHANGED_BINARY, inconclusive, 0",
        "FASTER, warn, 0"
    })
    void theExitCodeSaysHowItWent(GateVerdict verdict, String failOn, int exit) throws IOException {
        service.answer = GateRuns.run(verdict, GateRuns.one("ours/square", verdict, 0.9));
        assertThat(gate("--fail-on", failOn)).isEqualTo(exit);
    }

    @Test
    void noCaseASimulatedGpuAndNoVerdictNeverPass() throws IOException {
        CaseResult pass = GateRuns.one("ours/square", GateVerdict.PASS, 0.1);
        service.answer = GateRuns.run(GateVerdict.PASS);
        assertThat(gate()).isEqualTo(3);
        service.answer = GateRuns.run(GateVerdict.PASS, TestbedKind.SIMULATED, List.of(pass));
        assertThat(gate("--device", "simulated:h200")).isEqualTo(3);
        assertThat(verbs.said()).contains("simulated: nothing was measured on a GPU, so nothing can pass");
        service.answer = GateRuns.failed("nobody offers cuda:1");
        assertThat(gate()).isEqualTo(4);
        assertThat(verbs.said()).contains("gate gemm no verdict: nobody offers cuda:1");
    }

    @Test
    void aVerdictIsToldBeforeWhatFailedIsTunedAgain() throws IOException {
        CaseResult lost = GateRuns.one("ours/square", GateVerdict.FAIL, 2.4);
        service.answer = GateRuns.run(GateVerdict.FAIL, GateRuns.retuned(lost, GateRuns.tuning()));
        service.then = GateRuns.run(GateVerdict.FAIL, lost);
        Path json = folder.resolve("gate.json");
        assertThat(gate("--report", "json=" + json)).isEqualTo(1);
        assertThat(verbs.said())
                .containsSubsequence(
                        "gate gemm failed (fail): said of the run",
                        "its verdict stands; what failed is tuned again",
                        "ours/square: tuned again, recovered: static 128x192x64");
        assertThat(Json.mapper()
                        .readTree(Files.readString(json))
                        .at("/cases/0/retune/state")
                        .asString())
                .isEqualTo("recovered");
    }

    @Test
    void aServiceThatGoesAwayWhileItTunesChangesNoExitCode() throws IOException {
        CaseResult lost = GateRuns.one("ours/square", GateVerdict.FAIL, 2.4);
        service.answer = GateRuns.run(GateVerdict.FAIL, GateRuns.retuned(lost, GateRuns.tuning()));
        service.goneAfterVerdict = true;
        Path json = folder.resolve("gate.json");
        assertThat(gate("--report", "json=" + json)).isEqualTo(1);
        assertThat(verbs.said()).contains("what is tuned again is not followed any more: ");
        assertThat(json).as("written at the verdict").exists();
    }

    @Test
    void writesSeveralReportsAtOnce() throws IOException {
        Path json = folder.resolve("gate.json");
        Path junit = folder.resolve("junit.xml");
        assertThat(gate("--report", "json=" + json, "--report", "junit=" + junit, "--report", "sarif=" + folder + "/s"))
                .isEqualTo(1);
        assertThat(Json.mapper().readTree(Files.readString(json)).at("/verdict").asString())
                .isEqualTo("invalid");
        assertThat(Files.readString(junit)).contains("<testsuite ");
        assertThat(folder.resolve("s")).exists();
    }

    @Test
    void whatIsWrongIsSaidBeforeAnythingIsAsked() throws IOException {
        assertThat(gate("--fail-on", "everything")).isEqualTo(2);
        assertThat(gate("--report", "pdf=x")).isEqualTo(2);
        assertThat(gate("--report", "json")).isEqualTo(2);
        assertThat(gate("--report", "json=" + folder + "/none/x")).isEqualTo(2);
        assertThat(gate("--device", "gpu")).isEqualTo(2);
        assertThat(verbs.gate("--file", folder + "/none.yaml", "--api", service.url()))
                .isEqualTo(2);
        assertThat(service.said).isEmpty();
        assertThat(verbs.said())
                .contains("--fail-on: must be one of regression, warn, inconclusive, got 'everything'")
                .contains("--report: unknown format 'pdf'; known: json, markdown, junit, sarif, github, gitlab")
                .contains("tilewright gate init writes one");
    }

    /** Whoever requires it would wait for ever. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "--fail-on: must be one of regression, warn, inconclusive, got 'WRONG'",
                "--report: unknown format 'pdf'; known: json, markdown, junit, sarif, github, gitlab",
                "--device: unknown device 'gpu'",
            })
    void whatIsWrongCompletesTheCheckThatWasAnnounced(String said) throws IOException {
        String check =
                AnnouncedCheck.text("gemm", List.of("ours/square"), "89abcdef", UUID.randomUUID(), GateRuns.START);
        Path file = Files.writeString(folder.resolve("check.json"), check);
        String option = said.substring(0, said.indexOf(':'));
        String value = switch (option) {
            case "--report" -> "pdf=x";
            case "--device" -> "gpu";
            default -> "WRONG";
        };
        assertThat(gate(option, value, "--report", "github=" + file)).isEqualTo(2);
        JsonNode completed = Json.mapper().readTree(Files.readString(file));
        assertThat(completed.at("/status").asString()).isEqualTo("completed");
        assertThat(completed.at("/conclusion").asString()).isEqualTo("failure");
        assertThat(completed.at("/output/title").asString()).isEqualTo("the gate ended without a verdict");
        assertThat(completed.at("/output/summary").asString()).startsWith(said);
        assertThat(service.said).isEmpty();
    }

    @Test
    void aRefusalNamesTheCaseOfTheFile() throws IOException {
        service.refusal = """
            {"status":422,"detail":"the request has 2 faults","errors":[
            {"pointer":"/cases/0/candidate/config","detail":"tile must be 64, got 128"},
            {"pointer":"/device","detail":"there is no such GPU"}]}\
            """;
        assertThat(gate()).isEqualTo(2);
        assertThat(verbs.said())
                .contains("case ours/square, candidate/config: tile must be 64, got 128")
                .contains("/device: there is no such GPU");
    }

    @Test
    void aRefusedScheduleNamesTheCaseOfTheFile() throws IOException {
        service.refusal = """
            {"status":422,"detail":"/request/cases/0/candidate/config: tile must be 64, got 128","errors":[
            {"pointer":"/request/cases/0/candidate/config","detail":"tile must be 64, got 128"}]}\
            """;
        String file = verbs.write("tilewright.yaml", FILE).toString();
        assertThat(verbs.gate("schedule", "--file", file, "--api", service.url(), "--at", "DAILY|03:00"))
                .isEqualTo(2);
        assertThat(verbs.said()).contains("case ours/square, candidate/config: tile must be 64, got 128");
    }

    @Test
    void aServiceThatIsNotThereIsInfrastructure() throws IOException {
        Path file = verbs.write("tilewright.yaml", FILE.replace("cuda:1", "cuda:0"));
        assertThat(verbs.gate("--file", file.toString()))
                .as("no driver on this machine")
                .isEqualTo(4);
    }

    @Test
    void redecidesWithOtherMargins() throws IOException {
        service.answer = GateRuns.run(GateVerdict.PASS, GateRuns.one("ours/square", GateVerdict.PASS, 0.9));
        assertThat(verbs.gate(
                        "redecide",
                        GateRuns.ID.toString(),
                        "--api",
                        service.url(),
                        "--margin",
                        "1,2",
                        "--looks",
                        "10,20"))
                .isZero();
        assertThat(service.said)
                .contains("decide DecisionRequest[margins=Margins[warn=1.0, fail=2.0], error=null, looks=[10, 20]]");
        assertThat(verbs.gate("redecide", GateRuns.ID.toString(), "--api", service.url(), "--margin", "3,2"))
                .isEqualTo(2);
        assertThat(verbs.gate("redecide", GateRuns.ID.toString(), "--api", service.url(), "--margin", "3"))
                .isEqualTo(2);
        assertThat(verbs.gate("redecide", GateRuns.ID.toString(), "--api", service.url(), "--margin", "a,b"))
                .isEqualTo(2);
        assertThat(verbs.gate("redecide", "last", "--api", service.url())).isEqualTo(2);
    }

    @Test
    void waivesTheModuleOfACaseAndNoWrongOne() {
        String id = GateRuns.ID.toString();
        String[] why = {"--reason", "pays for f8", "--expires", "2026-12-24", "--api", service.url()};
        // The double answers with the whole run from its third look on.
        assertThat(waive(id, "ours/fail", why)).isIn(0, 2);
        assertThat(waive(id, "ours/fail", why)).isIn(0, 2);
        assertThat(waive(id, "ours/fail", why)).isZero();
        assertThat(service.said)
                .contains("waive WaiverRequest[caseName=ours/fail, cubinHash=" + "0123456789abcdef".repeat(4)
                        + ", reason=pays for f8, expiresAt=2026-12-25T00:00:00Z]");
        assertThat(waive(id, "ours/none", why)).isEqualTo(2);
        assertThat(waive(id, "hand/wrong", why)).isEqualTo(2);
        assertThat(verbs.said())
                .contains("has no case 'ours/none'; known: ours/pass")
                .contains("a wrong kernel cannot be waived");
        assertThat(waive(id, "ours/fail", "--reason", " ", "--expires", "2026-12-24"))
                .isEqualTo(2);
        assertThat(waive(id, "ours/fail", "--reason", "x", "--expires", "tomorrow"))
                .isEqualTo(2);
        assertThat(waive(id, "ours/fail", "--reason", "x")).isEqualTo(2);
    }

    private int waive(String run, String name, String... more) {
        String[] arguments = new String[more.length + 3];
        System.arraycopy(new String[] {"waive", run, name}, 0, arguments, 0, 3);
        System.arraycopy(more, 0, arguments, 3, more.length);
        return verbs.gate(arguments);
    }

    @Test
    void setsShowsAndRemovesASchedule() throws IOException {
        String file = verbs.write("tilewright.yaml", FILE).toString();
        assertThat(verbs.gate("schedule", "--file", file, "--api", service.url(), "--at", "0 3 * * *"))
                .isZero();
        assertThat(service.asked.getFirst().cases()).hasSize(1);
        assertThat(verbs.gate("schedule", "--file", file, "--api", service.url()))
                .isZero();
        assertThat(verbs.gate("schedule", "--file", file, "--api", service.url(), "--remove"))
                .isZero();
        assertThat(verbs.said())
                .contains("gate gemm runs at 0 3 * * *, next at 2026-11-25T22:00:00.250Z, in the name of ann")
                .contains("gate gemm runs at DAILY|03:00")
                .contains("gate gemm runs by itself no longer");
    }

    @Test
    void aFolderIsNoFile() {
        assertThat(verbs.gate("trend", "--file", folder.toString(), "--api", service.url()))
                .isEqualTo(2);
        assertThat(verbs.said()).contains(": is a folder; name the file in it, such as ");
    }

    @Test
    void showsWhereABranchHasChanged() throws IOException {
        assertThat(verbs.gate("trend", "--gate", "gemm", "--case", "ours/square", "--api", service.url()))
                .isZero();
        assertThat(service.said).contains("GET /api/v1/gates/gemm/trend?branch=main&case=ours%2Fsquare");
        assertThat(verbs.gate("trend", "--gate", "gemm", "--case", "nothing", "--api", service.url()))
                .isEqualTo(2);
        assertThat(verbs.said())
                .contains("--case: unknown case 'nothing' of gate gemm on branch main; known: ours/square")
                .contains("ours/square on NVIDIA H200: 1 run, last +1.80 % [+1.50, +2.10]")
                .contains("  from run " + GateRuns.ID + " of 89abcdef0123 on: +0.10 % -> +1.80 % (p 1.0e-05)");
    }
}
