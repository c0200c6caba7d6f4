package dev.tilewright.worker.cli.board;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.model.exchange.ResultDocument.StudyResult;
import dev.tilewright.model.exchange.StudyDocument;
import dev.tilewright.model.exchange.TrialDocument;
import dev.tilewright.model.trial.Measurement;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.model.trial.TestbedKind;
import dev.tilewright.worker.link.json.Json;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** Boards of a job that was cancelled before all of its finals: each number says its stage. */
class WithoutFinalTest {

    private static final String NONE = "no final: the times are of screens, and no config is called the best";

    private static Measurement measured(Stage stage, double us) {
        return TiedTrialsTest.time(stage, 1000 * us, 990 * us, 1010 * us);
    }

    private static TrialDocument screened(String scheduler, double us) {
        return TiedTrialsTest.trial("scheduler=" + scheduler + " tileM=128", measured(Stage.SCREEN, us));
    }

    private static TrialDocument raced(String scheduler, double screenUs, double us) {
        return TiedTrialsTest.trial(
                "scheduler=" + scheduler + " tileM=128", measured(Stage.SCREEN, screenUs), measured(Stage.FINAL, us));
    }

    private static StudyResult study(TestbedKind kind, int busySms, TrialDocument... trials) {
        StudyResult study = TiedTrialsTest.study(kind, List.of(trials));
        ObjectNode document = Json.mapper().valueToTree(study.document());
        ((ObjectNode) document.get("problem"))
                .set("scenario", Json.mapper().createObjectNode().put("busySms", busySms));
        return new StudyResult(Json.mapper().treeToValue(document, StudyDocument.class), List.of(trials));
    }

    @Test
    void aLeaderboardCallsNothingBest() {
        List<String> lines = new Leaderboard(
                        study(TestbedKind.CUDA, 0, screened("static", 10), screened("atomic", 12)), 9)
                .lines(160);

        assertThat(lines)
                .contains(NONE)
                .noneMatch(line -> line.startsWith("best:"))
                .anyMatch(line -> line.startsWith("the scheduler is worth, same config: static ")
                        && line.contains(" TFLOP/s by its screen, atomic -16.7 %"));
        assertThat(new Leaderboard(study(TestbedKind.CUDA, 0, raced("static", 11, 10)), 9).lines(160))
                .doesNotContain(NONE);
        assertThat(new Leaderboard(study(TestbedKind.SIMULATED, 0, screened("static", 10)), 9).lines(160))
                .as("a model runs no finals")
                .doesNotContain(NONE);
    }

    @Test
    void theTotalOfShapesCountsThoseWithoutAFinal() {
        List<StudyResult> studies = List.of(
                study(TestbedKind.CUDA, 0, raced("static", 11, 10)),
                study(TestbedKind.CUDA, 0, screened("static", 10)),
                study(TestbedKind.CUDA, 0));
        List<ListedShape> weighted =
                studies.stream().map(_ -> new ListedShape(null, 1.0)).toList();

        assertThat(new ShapesTable(studies, weighted).lines(160))
                .anyMatch(line -> line.contains("of 2 shapes: no time of 1, no final of 1"))
                .anyMatch(line -> line.contains("no final, screen alone"));
    }

    @Test
    void schedulersHaveTheStageOfEachNumberOfBusySms() {
        List<StudyResult> studies = List.of(
                study(TestbedKind.CUDA, 0, raced("static", 21, 20), raced("atomic", 22, 25), screened("single", 42)),
                study(TestbedKind.CUDA, 8, screened("static", 20), screened("atomic", 16)));

        assertThat(SchedulersBoard.of(studies).lines(160))
                .contains(
                        "each tile scheduler tuned on its own: us, and its speed beside that of the fastest, by the"
                                + " stage at the head",
                        "no final: at 8 busy SMs the times are of screens")
                .anyMatch(line -> line.matches(" busy SMs +0 +final +8 +screen *"))
                .anyMatch(line -> line.matches(" single +42\\.0 +0\\.500 \\[.*] screen +- *"))
                .anyMatch(line -> line.matches(" static +20\\.0 +1\\.000 \\[.*] +20\\.0 +0\\.800 \\[.*]"));
        assertThat(SchedulersBoard.of(List.of(study(TestbedKind.SIMULATED, 8, screened("static", 20))))
                        .lines(160))
                .as("predictions")
                .noneMatch(line -> line.contains("screen") || line.contains("no final"));
    }
}
