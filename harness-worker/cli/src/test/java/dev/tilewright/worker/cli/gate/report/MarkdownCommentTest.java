package dev.tilewright.worker.cli.gate.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.gate.decision.GateExit.FailOn;
import dev.tilewright.gate.document.CaseResult;
import dev.tilewright.gate.document.GateRun;
import dev.tilewright.gate.document.GateVerdict;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MarkdownCommentTest {

    private static String text(GateRun run) {
        return ReportFormat.MARKDOWN.write(run, FailOn.REGRESSION);
    }

    @Test
    void beginsWithItsMarkerAndTheSummary() {
        assertThat(text(GateRuns.ofEverything()).lines().limit(4))
                .containsExactly(
                        "<!-- tilewright-gate:gemm -->",
                        "### Gate `gemm` failed (invalid)",
                        "",
                        "8 cases: 2 fail, 1 faster, 1 inconclusive, 1 invalid, 1 pass, 1 unchanged_binary, 1 warn of"
                                + " `89abcdef0123456789abcdef0123456789abcdef`: said of the run");
    }

    @Test
    void tellsFailuresFirstWithTheirEvidence() {
        String text = text(GateRuns.ofEverything());
        assertThat(text)
                .containsSubsequence(
                        "#### Failures",
                        "| ours/fail | +2.40 % | [+2.10, +2.70] | fail | said of fail; tuned again, recovered |",
                        "missing fence.proxy.async",
                        "#### Other cases",
                        "| ours/unclear |",
                        "| ours/known | +1.70 % | [+1.40, +2.00] | fail, waived | said of fail; waived by ann until");
        assertThat(text)
                .contains("tuned again, recovered: static 128x192x64: +0.10 %")
                .contains("on such GPUs: 0 of 640 cases failed against themselves (at most 0.47 %)");
    }

    @ParameterizedTest
    @CsvSource({"0, 1000", "50, 950", "300, 700", "600, 400", "1000, 0"})
    void listsEveryFailureHoweverManyCasesThereAre(int failing, int passing) {
        String text = text(GateRuns.many(failing, passing));
        assertThat(text.length()).isLessThan(65_536);
        assertThat(IntStream.range(0, failing).mapToObj(i -> "kernel-with-a-long-name-" + i + "/problem-" + i + " "))
                .allSatisfy(name -> assertThat(text).contains(name));
        assertThat(failing < 600 || text.matches("(?s).*The evidence of [0-9]+ failures did not fit.*"))
                .isTrue();
    }

    @Test
    void saysHowManyFailuresDidNotFitIfNotEvenTheirNamesDo() {
        String text = text(GateRuns.run(
                GateVerdict.FAIL,
                IntStream.range(0, 1000)
                        .mapToObj(i -> GateRuns.one("k".repeat(63) + "/" + "p".repeat(60) + i, GateVerdict.FAIL, 2))
                        .toArray(CaseResult[]::new)));
        assertThat(text.length()).isLessThan(65_536);
        assertThat(text).containsPattern("[1-9][0-9]* more of 1000 cases did not fit");
    }

    @Test
    void whatOthersWroteIsTextAlone() {
        GateRun run = GateRuns.run(GateVerdict.FAIL, GateRuns.one("a|b</td><script>@everyone`", GateVerdict.FAIL, 2));
        assertThat(text(run))
                .contains("a\\|b&lt;/td>&lt;script>&#64;everyone'")
                .doesNotContain("<script>", "@everyone");
    }
}
