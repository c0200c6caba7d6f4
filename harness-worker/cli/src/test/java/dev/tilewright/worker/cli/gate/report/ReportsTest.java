package dev.tilewright.worker.cli.gate.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.tilewright.gate.decision.GateExit;
import dev.tilewright.gate.decision.GateExit.FailOn;
import dev.tilewright.gate.document.GateRun;
import dev.tilewright.gate.document.GateVerdict;
import dev.tilewright.gate.document.Retune;
import dev.tilewright.model.trial.TestbedKind;
import dev.tilewright.worker.link.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.SchemaFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import tools.jackson.databind.JsonNode;

/** Every report of every kind of run is what its official schema says. */
class ReportsTest {

    @TempDir
    private Path folder;

    static Stream<GateRun> runs() {
        return Stream.of(
                GateRuns.ofEverything(),
                GateRuns.run(GateVerdict.PASS),
                GateRuns.run(GateVerdict.PASS, GateRuns.one("ours/pass", GateVerdict.PASS, 0.1)),
                GateRuns.run(
                        GateVerdict.INCONCLUSIVE,
                        TestbedKind.SIMULATED,
                        List.of(GateRuns.one("ours/pass", GateVerdict.INCONCLUSIVE, 0.1))),
                GateRuns.failed("no worker <offers> \"cuda:0\"\u0007 & co"),
                GateRuns.many(70, 20));
    }

    static String resource(String name) {
        try (InputStream in = ReportsTest.class.getResourceAsStream("/report-schemas/" + name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new AssertionError(unreadable);
        }
    }

    private static String written(ReportFormat format, GateRun run) {
        return format.write(run, FailOn.REGRESSION);
    }

    private static JsonNode json(ReportFormat format, GateRun run) {
        return Json.mapper().readTree(written(format, run));
    }

    @ParameterizedTest
    @MethodSource("runs")
    void theDocumentKeepsItsSchemaAndReadsBack(GateRun run) throws IOException {
        String schema = Files.readString(Path.of("..", "..", "docs", "gate-run.schema.json"));
        assertThat(SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                        .getSchema(schema)
                        .validate(written(ReportFormat.JSON, run), InputFormat.JSON))
                .isEmpty();
        assertThat(Json.mapper().readValue(written(ReportFormat.JSON, run), GateRun.class))
                .isEqualTo(run);
    }

    @ParameterizedTest
    @MethodSource("runs")
    void sarifKeepsTheSchemaOfOasis(GateRun run) {
        assertThat(SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_4)
                        .getSchema(resource("sarif-schema-2.1.0.json"))
                        .validate(written(ReportFormat.SARIF, run), InputFormat.JSON))
                .isEmpty();
    }

    @ParameterizedTest
    @MethodSource("runs")
    void junitKeepsTheCommonSchema(GateRun run) throws Exception {
        SchemaFactory.newInstance(XMLConstants.W3C_XML_SCHEMA_NS_URI)
                .newSchema(new StreamSource(new StringReader(resource("JUnit.xsd"))))
                .newValidator()
                .validate(new StreamSource(new StringReader(written(ReportFormat.JUNIT, run))));
    }

    @ParameterizedTest
    @MethodSource("runs")
    void gitlabKeepsTheSchemaOfGitlab(GateRun run) {
        JsonNode issues = json(ReportFormat.GITLAB, run);
        assertThat(issues.isArray()).isTrue();
        issues.forEach(issue -> assertThat(SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_7)
                        .getSchema(resource("gitlab-codeclimate.json"))
                        .validate(issue.toString(), InputFormat.JSON))
                .isEmpty());
        assertThat(issues.findValuesAsString("severity")).isSubsetOf("info", "minor", "major", "critical", "blocker");
        assertThat(issues.findValuesAsString("fingerprint")).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @MethodSource("runs")
    void githubKeepsTheParametersOfCreateACheckRun(GateRun run) {
        JsonNode check = json(ReportFormat.GITHUB, run);
        assertThat(CheckRunSchema.of(resource("github-checks-create.json"))
                        .validate(check.toString(), InputFormat.JSON))
                .allSatisfy(error -> assertThat(error.getMessage()).contains("head_sha"))
                .hasSize(run.commit() == null ? 1 : 0);
        assertThat(check.at("/output/summary").asString().length()).isLessThan(65_536);
        assertThat(check.at("/output/annotations").size()).isLessThanOrEqualTo(50);
    }

    @Test
    void aCheckIsAnnouncedAndCompletedAsGithubTakesThem() throws IOException {
        Schema create = CheckRunSchema.of(resource("github-checks-create.json"));
        UUID id = UUID.randomUUID();
        String begun = AnnouncedCheck.text("gemm", List.of("ours/square"), "89abcdef", id, GateRuns.START);
        assertThat(create.validate(begun, InputFormat.JSON)).isEmpty();
        Path file = Files.writeString(folder.resolve("check.json"), begun);
        AnnouncedCheck announced = AnnouncedCheck.in(file).orElseThrow();
        assertThat(announced.externalId()).isEqualTo(id.toString());
        String report = written(ReportFormat.GITHUB, GateRuns.ofEverything());
        for (String over : List.of(announced.completed(report), announced.failed("no service", GateRuns.START))) {
            // Of an update GitHub takes the same parameters but the commit, which it knows.
            assertThat(create.validate(over, InputFormat.JSON))
                    .hasSize(1)
                    .allSatisfy(error -> assertThat(error.getMessage()).contains("head_sha"));
            JsonNode check = Json.mapper().readTree(over);
            assertThat(check.at("/status").asString()).isEqualTo("completed");
            assertThat(check.at("/external_id").asString()).isEqualTo(id.toString());
        }
        Files.writeString(file, announced.completed(report));
        assertThat(AnnouncedCheck.in(file)).as("it is over").isEmpty();
        assertThat(AnnouncedCheck.in(Files.writeString(file, "no JSON"))).isEmpty();
        assertThat(AnnouncedCheck.in(folder.resolve("none"))).isEmpty();
    }

    @Test
    void everyReportForPeopleSaysWhetherTuningAgainRecoversALoss() {
        GateRun run = GateRuns.run(GateVerdict.FAIL, GateRuns.one("ours/fail", GateVerdict.FAIL, 2.4));
        String why = "tuned again, recovered: static 128x192x64: +0.10 % [-0.20, +0.40] in 10 blocks";
        assertThat(written(ReportFormat.MARKDOWN, run)).contains("tuned again, recovered", why);
        assertThat(written(ReportFormat.JUNIT, run)).contains("tuned again, recovered", why);
        assertThat(written(ReportFormat.GITHUB, run)).contains("tuned again, recovered", why);
        assertThat(written(ReportFormat.SARIF, run)).contains("tuned again, recovered");
        assertThat(written(ReportFormat.GITLAB, run)).contains("tuned again, recovered");
        GateRun not = GateRuns.run(
                GateVerdict.FAIL,
                GateRuns.retuned(
                        GateRuns.one("ours/fail", GateVerdict.FAIL, 2.4),
                        Retune.of(Retune.State.UNKNOWN, "it was not asked for")));
        assertThat(written(ReportFormat.MARKDOWN, not))
                .contains("not tuned again: it was not asked for")
                .doesNotContain("unknown");
        JsonNode retune = json(ReportFormat.JSON, run).at("/cases/0/retune");
        assertThat(retune.at("/state").asString()).isEqualTo("recovered");
        assertThat(retune.at("/effect/high").asDouble()).isEqualTo(0.4);
        assertThat(run.isRetuning()).isFalse();
        assertThat(json(ReportFormat.JSON, run).has("retuning")).isFalse();
    }

    /** A schema that lets anything pass would prove nothing. */
    @Test
    void theSchemasRefuse() {
        assertThat(CheckRunSchema.of(resource("github-checks-create.json")).validate("""
                                {"name":"a","head_sha":"b","conclusion":"great",
                                "output":{"title":1,"summary":"s","annotations":[{"path":"p"}]},"odd":1}""", InputFormat.JSON))
                .hasSizeGreaterThanOrEqualTo(6);
        assertThat(SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_4)
                        .getSchema(resource("sarif-schema-2.1.0.json"))
                        .validate(
                                written(ReportFormat.SARIF, GateRuns.ofEverything())
                                        .replace("ruleId", "ruelId"),
                                InputFormat.JSON))
                .isNotEmpty();
    }

    @Test
    void sarifHasARuleForEachVerdictAndPointsAtTheLineOfThePtx() {
        JsonNode run = json(ReportFormat.SARIF, GateRuns.ofEverything()).at("/runs/0");
        assertThat(run.at("/tool/driver/rules").findValuesAsString("id"))
                .containsExactly(
                        "tilewright/pass",
                        "tilewright/warn",
                        "tilewright/fail",
                        "tilewright/faster",
                        "tilewright/inconclusive",
                        "tilewright/unchanged-binary",
                        "tilewright/invalid");
        JsonNode found = run.at("/results")
                .valueStream()
                .filter(result -> result.at("/message/text").asString().contains("fence.proxy.async"))
                .findFirst()
                .orElseThrow();
        assertThat(found.at("/locations/0/physicalLocation/artifactLocation/uri")
                        .asString())
                .isEqualTo("kernels/hand%20written/gemm.ptx");
        assertThat(found.at("/locations/0/physicalLocation/region/startLine").asInt())
                .isEqualTo(361);
        assertThat(run.at("/results").findValuesAsString("ruleId"))
                .containsExactlyInAnyOrder(
                        "tilewright/invalid",
                        "tilewright/invalid",
                        "tilewright/fail",
                        "tilewright/fail",
                        "tilewright/inconclusive",
                        "tilewright/warn");
        assertThat(run.at("/results").valueStream().filter(result -> result.has("suppressions")))
                .hasSize(1);
    }

    @Test
    void whatIsNotInTheRepositoryIsNamedByItsHash() {
        GateRun run = GateRuns.run(GateVerdict.INVALID, GateRuns.one("ours/wrong", GateVerdict.INVALID, 0));
        assertThat(json(ReportFormat.SARIF, run)
                        .at("/runs/0/results/0/locations/0/physicalLocation/artifactLocation/uri")
                        .asString())
                .matches("ptx/[0-9a-f]{64}\\.ptx");
        assertThat(json(ReportFormat.SARIF, run)
                        .at("/runs/0/results/0/relatedLocations/0/physicalLocation/artifactLocation/uri")
                        .asString())
                .isEqualTo("tilewright.yaml");
    }

    private static List<String> tests(GateRun run, FailOn failOn, String element) throws Exception {
        Element suite = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(ReportFormat.JUNIT.write(run, failOn))))
                .getDocumentElement();
        NodeList found = suite.getElementsByTagName(element);
        return java.util.stream.IntStream.range(0, found.getLength())
                .mapToObj(i -> ((Element) found.item(i).getParentNode()).getAttribute("name"))
                .toList();
    }

    @Test
    void junitSaysWhatFailedAndWhatWasSkipped() throws Exception {
        GateRun run = GateRuns.ofEverything();
        assertThat(tests(run, FailOn.REGRESSION, "failure")).containsExactly("ours/fail", "hand/wrong");
        assertThat(tests(run, FailOn.REGRESSION, "skipped")).containsExactly("ours/unclear");
        assertThat(tests(run, FailOn.INCONCLUSIVE, "failure"))
                .containsExactly("ours/warn", "ours/fail", "ours/unclear", "hand/wrong");
        assertThat(tests(GateRuns.failed("gone"), FailOn.REGRESSION, "error")).containsExactly("ours/square");
    }

    @Test
    void aRunWithoutCasesIsNoGreenReport() throws Exception {
        GateRun none = GateRuns.run(GateVerdict.PASS);
        assertThat(tests(none, FailOn.REGRESSION, "skipped")).containsExactly("(the run itself)");
        assertThat(json(ReportFormat.GITHUB, none).at("/conclusion").asString()).isEqualTo("neutral");
        assertThat(json(ReportFormat.GITLAB, none).size()).isEqualTo(1);
        assertThat(written(ReportFormat.MARKDOWN, none)).contains("inconclusive", "0 cases");
    }

    @ParameterizedTest
    @MethodSource("runs")
    void theCheckConcludesAsTheProcessDoes(GateRun run) {
        String wanted = switch (GateExit.of(run, FailOn.REGRESSION)) {
            case PASS -> "success";
            case INCONCLUSIVE -> "neutral";
            case REGRESSION, INFRASTRUCTURE -> "failure";
        };
        assertThat(json(ReportFormat.GITHUB, run).at("/conclusion").asString()).isEqualTo(wanted);
    }
}
