package dev.tilewright.worker.cli.board;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.model.exchange.ProblemDocument;
import dev.tilewright.model.exchange.ResultDocument;
import dev.tilewright.model.exchange.ResultDocument.StudyResult;
import dev.tilewright.model.exchange.StudyDocument;
import dev.tilewright.model.exchange.StudyDocument.PeerDocument;
import dev.tilewright.model.exchange.TrialDocument;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scenario;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.SchedulerEvidence;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.worker.link.json.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

class LeaderboardTest {

    /** Golden texts; {@code -Dgolden.accept} writes them anew. */
    @ParameterizedTest
    @ValueSource(strings = {"cuda", "simulated", "emulated"})
    void readsAsExpected(String name) throws IOException {
        Path golden = Path.of("src/test/resources/results", name + ".expected.txt");
        String text = String.join(
                        "\n",
                        Samples.result(name + ".json").studies().stream()
                                .flatMap(study -> new Leaderboard(study, 10).lines().stream())
                                .toList())
                + "\n";
        if (System.getProperty("golden.accept") != null) {
            Files.writeString(golden, text);
        }

        assertThat(text).isEqualTo(Files.readString(golden, StandardCharsets.UTF_8));
    }

    @Test
    void ranksTheFinalBeforeScreensHoweverFastTheseWere() {
        assertThat(Leaderboard.ranked(Samples.result("cuda.json").studies().getFirst()))
                .extracting(trial -> trial.id().toString().substring(35))
                .containsExactly("1", "2", "3", "4", "5");
    }

    /**
     * Held SMs are in the document with 0 tiles; in a histogram they would look as if the scheduler had left them out.
     */
    @Test
    void heldSmsAreNotInTheHistogram() {
        ObjectNode document = (ObjectNode) Samples.document("cuda.json");
        ObjectNode trial = (ObjectNode) document.at("/studies/0/trials/0");
        SchedulerEvidence evidence =
                new SchedulerEvidence(List.of(3, 0, 2, 0, 3), List.of(), List.of(), 0.1, null).holding(List.of(1, 3));
        trial.set("evidence", Json.mapper().valueToTree(evidence));
        trial.set("tilesPerSm", Json.mapper().valueToTree(evidence.tilesPerSm()));
        TrialDocument read = Json.mapper()
                .treeToValue(document, ResultDocument.class)
                .studies()
                .getFirst()
                .trials()
                .getFirst();
        assertThat(read.tilesPerSm()).containsExactly(3, 0, 2, 0, 3);
        assertThat(read.tilesPerFreeSm()).containsExactly(3, 2, 3);
        assertThat(Leaderboard.tiles(read)).startsWith("2:1 3:2");
    }

    @Test
    void saysHowRowsAreRankedOnlyWhereItIsNotPlain() {
        String hint = "rows are ranked by stage: final before screen";
        StudyResult study = Samples.result("cuda.json").studies().getFirst();

        assertThat(new Leaderboard(study, 3).lines()).contains(hint);
        assertThat(new Leaderboard(study, 2).lines()).as("two finals").doesNotContain(hint);
        assertThat(new Leaderboard(Samples.result("simulated.json").studies().getFirst(), 10).lines())
                .as("screens alone")
                .doesNotContain(hint);
    }

    @Test
    void listsOnlyTheTop() {
        List<String> lines =
                new Leaderboard(Samples.result("cuda.json").studies().getFirst(), 2).lines();

        assertThat(lines).contains("(3 more; --top N shows them, --json FILE has all)");
        assertThat(lines).noneMatch(line -> line.contains("spill ") && line.startsWith("  "));
    }

    @Test
    void saysSimulatedWhereverANumberShows() {
        StudyResult study = Samples.result("simulated.json").studies().getFirst();

        assertThat(new Leaderboard(study, 10).lines()).anyMatch(line -> line.contains("*** SIMULATED"));
        assertThat(Leaderboard.origin(study)).startsWith("simulated: predictions of the model h200");
        assertThat(Leaderboard.origin(Samples.result("cuda.json").studies().getFirst()))
                .isEqualTo("measured on NVIDIA H200 (driver 580.95.05, 132 SMs, ptxas 13.0.88)");
    }

    @Test
    void ofEquallyFastTrialsTheOneThatWasAskedFirstIsFirst() {
        StudyResult study = Samples.result("simulated.json").studies().getFirst();
        TrialDocument one = Leaderboard.ranked(study).getFirst();
        TrialDocument other = Samples.with(
                one, trial -> trial.put("id", new UUID(1, 2).toString()).put("ordinal", one.ordinal() + 1));
        assertThat(Leaderboard.ranked(withTrials(study, List.of(other, one), one)))
                .first()
                .isEqualTo(one);
    }

    private static StudyResult withTrials(StudyResult study, List<TrialDocument> trials, TrialDocument best) {
        StudyDocument document = Samples.with(
                study.document(),
                json -> ((ObjectNode) json.get("best")).put("id", best.id().toString()));
        return new StudyResult(document, trials);
    }

    @Test
    void anEmulatedStudyHasProofsAndNoTimes() {
        StudyResult study = Samples.result("emulated.json").studies().getFirst();

        List<String> lines = new Leaderboard(study, 10).lines();
        assertThat(lines)
                .contains("*** EMULATED: proved on the CPU, no times ***")
                .noneMatch(line -> line.contains("TFLOP/s") || line.contains("won"));
        assertThat(Leaderboard.ranked(study))
                .extracting(trial -> trial.checked().verdict().toString())
                .startsWith("proved", "proved");
        assertThat(Leaderboard.origin(study)).startsWith("emulated: proofs on 4 SMs of the emulator build ");
        assertThat(study.trials()).anyMatch(TrialDocument::isCompleted).noneMatch(TrialDocument::isTimed);
    }

    @Test
    void theIntervalOfARateIsThatOfTheTimeTurnedRound() {
        StudyResult study = Samples.result("cuda.json").studies().getFirst();
        TrialDocument trial = study.trials().getFirst();
        double flops = 2.0 * 8192 * 4096 * 512;

        assertThat(Rates.of(study).interval(trial.lastSustained().orElseThrow()))
                .contains(
                        String.format(java.util.Locale.ROOT, "[%.1f, %.1f]", flops / 50600 / 1e3, flops / 49500 / 1e3));
    }

    @Test
    void saysThatNoPeerWasInTheFinalOfUnevenGroups() {
        StudyResult study = Samples.result("cuda.json").studies().getFirst();
        List<ProblemShape> uneven = List.of(new ProblemShape(1024, 1024, 512), new ProblemShape(1024, 1024, 4096));
        StudyResult alone = withoutPeers(study, problem(uneven, 2));

        List<String> lines = new Leaderboard(alone, 3).lines();
        assertThat(lines.getFirst()).startsWith("2 x (1024x1024x512 + 1024x1024x4096) bf16, sm90-gemm on ");
        assertThat(lines)
                .contains("no peer completed the final: ours stand beside each other alone; cublasLt has no kernel for"
                        + " groups of different shapes");
        assertThat(new Leaderboard(study, 3).lines()).noneMatch(line -> line.contains("no peer"));
    }

    private static PeerDocument peer(String family, String config, @Nullable Double ratio) {
        return new PeerDocument(
                (family + " " + config).strip(),
                family,
                Config.of(Map.of()),
                ratio == null ? TrialOutcome.MISMATCH : TrialOutcome.COMPLETED,
                List.of(),
                null,
                ratio,
                ratio == null ? null : List.of(ratio - 0.01, ratio + 0.01),
                "");
    }

    @Test
    void namesTheBestKernelOfEachPeer() {
        StudyResult study = Samples.result("cuda.json").studies().getFirst();
        List<PeerDocument> peers = List.of(
                peer("cublaslt", "algo=66", 0.994),
                peer("cublaslt", "algo=1", 1.1),
                peer("bundle:triton@0123456789abcdef", "variant=1", 1.3),
                peer("bundle:triton@0123456789abcdef", "variant=2", 1.2),
                peer("bundle:triton@0123456789abcdef", "variant=3", null),
                peer("bundle:hand@0123456789abcdef", "", 1.05),
                peer("bundle:wrong@0123456789abcdef", "a=1", null),
                peer("bundle:wrong@0123456789abcdef", "a=2", null));
        StudyResult beside =
                Samples.with(study, json -> json.set("peers", Json.mapper().valueToTree(peers)));
        List<String> lines = new Leaderboard(beside, 3).lines();
        assertThat(lines)
                .contains(
                        "speed over bundle:triton@0123456789abcdef variant=2: 1.200 [1.190, 1.210]",
                        "speed over bundle:hand@0123456789abcdef: 1.050 [1.040, 1.060]",
                        "no kernel of bundle:wrong@0123456789abcdef is a peer: mismatch 2")
                .noneMatch(line -> line.contains("variant=1") || line.contains("algo=1:"));
        List<String> table = new ShapesTable(List.of(beside), List.of(ListedShape.PLAIN)).lines();
        assertThat(String.join("\n", table))
                .contains("to bundle:triton@0123456789abcdef", "1.200 [1.190, 1.210] variant=2", "1.050 [1.040, 1.060]")
                .doesNotContain("wrong", "to cublaslt");
        assertThat(new MarkdownReport(null)
                        .lines(new ResultDocument(
                                ResultDocument.SCHEMA_VERSION,
                                Samples.result("cuda.json").job(),
                                List.of(),
                                List.of(beside))))
                .contains("* " + study.document().problem()
                        + ": speed over bundle:triton@0123456789abcdef variant=2: 1.200 [1.190, 1.210]");
    }

    @Test
    void saysWhyLaunchesThatOverlapHaveNoPeer() {
        StudyResult study = Samples.result("cuda.json").studies().getFirst();
        ProblemDocument overlapped = new ProblemDocument(
                8192, null, 4096, 512, DataType.BF16, null, null, null, null, Scenario.QUIET.overlapping(), null, null);
        StudyResult alone = withoutPeers(study, overlapped);

        assertThat(new Leaderboard(alone, 3).lines())
                .contains("no peer completed the final: ours stand beside each other alone; launches of cublasLt cannot"
                        + " be made to overlap");
    }

    @Test
    void manyGroupsAreCut() {
        List<ProblemShape> many = Collections.nCopies(11, new ProblemShape(64, 128, 256));
        assertThat(problem(many, 1))
                .hasToString(Stream.generate(() -> "64x128x256").limit(8).collect(Collectors.joining(" + "))
                        + " + 3 more bf16");
    }

    /** The same of another problem, compared with no peer. */
    private static StudyResult withoutPeers(StudyResult study, ProblemDocument problem) {
        return Samples.with(study, json -> {
            json.set("problem", Json.mapper().valueToTree(problem));
            Stream.of("ratioToDefault", "ratioToDefaultCi", "ratioToBestPeer", "ratioToBestPeerCi", "bestPeer", "peers")
                    .forEach(json::putNull);
        });
    }

    private static ProblemDocument problem(List<ProblemShape> groups, int batch) {
        return ProblemDocument.of(
                new Problem(groups, batch, OperandTypes.of(DataType.BF16), OperandMajors.DEFAULT, Scenario.QUIET));
    }
}
