package dev.tilewright.worker.cli.board;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.model.exchange.ProblemDocument;
import dev.tilewright.model.exchange.RangeDocument;
import dev.tilewright.model.exchange.ResultDocument;
import dev.tilewright.model.exchange.ResultDocument.StudyResult;
import dev.tilewright.model.exchange.StudyDocument;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.RangedProblem;
import dev.tilewright.model.problem.ShapeRange;
import dev.tilewright.model.range.MeanLoss;
import dev.tilewright.model.range.RangePhase;
import dev.tilewright.model.range.Regret;
import dev.tilewright.model.range.Span;
import dev.tilewright.model.space.Config;
import dev.tilewright.worker.link.json.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The table of a range of M that was tuned. */
class RangeBoardTest {

    private static final ShapeRange RANGE = new ShapeRange(1, 4096, 1024, 768);

    private static final ProblemDocument PROBLEM =
            ProblemDocument.of(new RangedProblem(RANGE, Problem.of(RANGE.at(1), DataType.BF16)));

    private static ResultDocument result(String sample, RangeDocument.@Nullable Table table, @Nullable String error) {
        ResultDocument before = Samples.result(sample);
        StudyResult study = Samples.with(
                before.studies().getFirst(),
                json -> json.set(
                        "ofRange", Json.mapper().valueToTree(new StudyDocument.OfRange(0, RangePhase.SEARCH))));
        return new ResultDocument(
                ResultDocument.SCHEMA_VERSION,
                before.job(),
                List.of(new RangeDocument(PROBLEM, "sm90-gemm", RangePhase.OVER, table, error)),
                List.of(study));
    }

    private static RangeDocument.Table table(@Nullable Regret regret) {
        Config config = Samples.result("simulated.json")
                .studies()
                .getFirst()
                .trials()
                .getFirst()
                .config();
        return new RangeDocument.Table(
                320,
                List.of(new Span(1, 128, config, 5.1, 5.2), new Span(129, 4096, config, 5.3, 12.8)),
                List.of(10, 900),
                true,
                7,
                15,
                regret,
                List.of(new MeanLoss(8, 0.046), new MeanLoss(16, 0.021)));
    }

    @Test
    void saysTheKernelForEachMAndTheRegret() {
        Regret regret = Regret.of(List.of(new Regret.Check(10, 5.1, 5.1), new Regret.Check(900, 10.4, 10)));

        assertThat(new RangeBoard(result("simulated.json", table(regret), null), 0).lines())
                .startsWith("1-4096x1024x768 bf16, sm90-gemm on the model of h200: the kernel for each M")
                .anyMatch(line -> line.matches(" +129 +4096 .* 5\\.30 +12\\.8 *"))
                .contains(
                        "regret at 2 drawn M (seed 7), beside the 15 most promising others there:"
                                + " median 2.0 %, 95th percentile 3.8 %, worst 4.0 % at M = 900",
                        "in the mean over log M, 8 kernels take 4.6 % longer than the fastest of those to choose from;"
                                + " 16 would take 2.1 % longer (--kernels 16)",
                        "chosen among 320 configs that were timed; times are of the model");
        assertThat(new RangeBoard(result("simulated.json", table(regret), null), 0).again(" --trials 12"))
                .isEqualTo("again: tilewright tune --shape 1-4096x1024x768 --family sm90-gemm --device simulated:h200"
                        + " --trials 12");
    }

    @Test
    void onAGpuTheTimesAreOfScreens() {
        assertThat(new RangeBoard(result("cuda.json", table(null), null), 0).lines())
                .anyMatch(line -> line.endsWith("times are of screens"))
                .contains("regret: not known, no kernel of the table completed at the M of the checks");
    }

    @Test
    void aJobThatWasCancelledDuringTheChecksSaysSo() {
        assertThat(new RangeBoard(result("simulated.json", table(null), "the job was cancelled"), 0).lines())
                .contains("regret: not known, the job was cancelled");
    }

    @Test
    void saysWhyThereIsNoTable() {
        assertThat(new RangeBoard(result("simulated.json", null, "no kernel was timed at any M"), 0).lines())
                .containsExactly("1-4096x1024x768 bf16: no table of kernels: no kernel was timed at any M");
    }

    /** Studies of a range are no rows of the table of shapes, and have no leaderboard of their own. */
    @Test
    void theReportHasTheTableAndNoStudyOfTheRange() {
        ResultDocument result = result("simulated.json", table(null), null);

        assertThat(result.single()).isEmpty();
        assertThat(new MarkdownReport(null).lines(result))
                .contains("1-4096x1024x768 bf16, sm90-gemm on the model of h200: the kernel for each M");
    }
}
