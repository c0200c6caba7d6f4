package dev.tilewright.worker.cli.board;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.model.exchange.ResultDocument.StudyResult;
import dev.tilewright.model.exchange.StudyDocument;
import dev.tilewright.model.exchange.TrialCounts;
import dev.tilewright.model.exchange.TrialDocument;
import dev.tilewright.model.trial.Measurement;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.model.trial.TestbedKind;
import dev.tilewright.worker.link.json.Json;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** The winner's scheduler compared with its twins and with the best of every other scheduler. */
class WorthLinesTest {

    private static final String SAME = "the scheduler is worth, same config: ";
    private static final String BEST = "the scheduler is worth, best against best: ";

    private static Measurement predicted(double ns) {
        return TiedTrialsTest.time(Stage.SCREEN, ns, null, null);
    }

    private static Measurement measured(Stage stage, double ns) {
        return TiedTrialsTest.time(stage, ns, ns - 1, ns + 1);
    }

    /** @param asked how many trials the study has, of which these were timed */
    private static List<String> lines(TestbedKind kind, int asked, TrialDocument... trials) {
        StudyResult study = TiedTrialsTest.study(kind, List.of(trials));
        ObjectNode document = Json.mapper().valueToTree(study.document());
        document.set("counts", Json.mapper().valueToTree(new TrialCounts(asked, 0, 0, asked, asked, 0)));
        return WorthLines.of(
                new StudyResult(Json.mapper().treeToValue(document, StudyDocument.class), List.of(trials)));
    }

    @Test
    void bothComparisonsHaveALineWithTheirName() {
        TrialDocument winner = TiedTrialsTest.trial("scheduler=static tileM=128 gridSize=128", predicted(99.999));
        TrialDocument atomic = TiedTrialsTest.trial("scheduler=atomic tileM=128 gridSize=0", predicted(102));
        TrialDocument single = TiedTrialsTest.trial("scheduler=single tileM=128 gridSize=0", predicted(100));
        TrialDocument other = TiedTrialsTest.trial("scheduler=atomic tileM=64 gridSize=0", predicted(101));

        assertThat(lines(TestbedKind.SIMULATED, 4, winner, atomic, single, other))
                .containsExactly(
                        SAME + "static 41.9 TFLOP/s, single no difference that the model sees, atomic -2.0 %"
                                + " (but for gridSize)",
                        BEST
                                + "static 41.9 TFLOP/s, single tileM=128 no difference that the model sees; atomic tileM=64 -1.0 %"
                                + " (each of them had at least 1 of 4 trials)");
        assertThat(lines(TestbedKind.SIMULATED, 2, winner, single))
                .first()
                .isEqualTo(SAME + "nothing here (but for gridSize), the model sees no difference between static and"
                        + " single");
        assertThat(lines(TestbedKind.SIMULATED, 2, winner, other))
                .first()
                .isEqualTo(SAME + "no other scheduler was timed with the config of the winner");
        assertThat(lines(TestbedKind.SIMULATED, 1, winner)).isEmpty();
    }

    @Test
    void withoutAFairSearchTheLineSaysSoInPlaceOfWorth() {
        List<TrialDocument> trials = new ArrayList<>();
        trials.add(TiedTrialsTest.trial("scheduler=clc tileM=256", predicted(100)));
        trials.add(TiedTrialsTest.trial("scheduler=static tileM=256", predicted(129)));
        for (int each = 0; each < 22; each++) {
            trials.add(TiedTrialsTest.trial("scheduler=clc tileM=128 tileN=" + each, predicted(101 + each)));
        }

        assertThat(lines(TestbedKind.SIMULATED, 24, trials.toArray(TrialDocument[]::new)))
                .last()
                .asString()
                .startsWith(
                        "best trial of each scheduler, but not all had a fair search (of 24 trials 3 are a fair share,"
                                + " static 1): clc 41.9 TFLOP/s, static ")
                .endsWith(" -22.5 %");
        trials.add(TiedTrialsTest.trial("scheduler=static tileM=64", predicted(103.6)));
        trials.add(TiedTrialsTest.trial("scheduler=static tileM=32", predicted(110)));
        assertThat(lines(TestbedKind.SIMULATED, 24, trials.toArray(TrialDocument[]::new)))
                .last()
                .asString()
                .startsWith(BEST + "clc 41.9 TFLOP/s, static ")
                .endsWith(" -3.5 % (each of them had at least 3 of 24 trials)");
    }

    @Test
    void ofEquallyFastTrialsTheOneThatWasAskedFirstIsTheWinner() {
        TrialDocument first = TiedTrialsTest.trial("scheduler=static l2Hint=none", predicted(100));
        TrialDocument equal = TiedTrialsTest.trial("scheduler=static l2Hint=keepA", predicted(100));
        TrialDocument twin = TiedTrialsTest.trial("scheduler=atomic l2Hint=none", predicted(102));

        assertThat(lines(TestbedKind.SIMULATED, 3, equal, twin, first))
                .first()
                .isEqualTo(SAME + "static 41.9 TFLOP/s, atomic -2.0 %");
    }

    @Test
    void comparesTimesOfOneStageAlone() {
        TrialDocument winner = TiedTrialsTest.trial(
                "scheduler=static tileM=128", measured(Stage.SCREEN, 90), measured(Stage.FINAL, 100));
        TrialDocument screened = TiedTrialsTest.trial("scheduler=atomic tileM=128", measured(Stage.SCREEN, 85));
        TrialDocument noisy = TiedTrialsTest.trial(
                "scheduler=single tileM=128", measured(Stage.SCREEN, 95), measured(Stage.FINAL, 101));

        assertThat(lines(TestbedKind.CUDA, 3, winner, screened, noisy))
                .first()
                .isEqualTo(SAME
                        + "static 41.9 TFLOP/s, single no difference beyond noise, atomic +5.9 % by their screens");
        assertThat(lines(TestbedKind.CUDA, 3, winner, noisy))
                .first()
                .isEqualTo(SAME + "nothing here, there is no difference beyond noise between static and single");
    }
}
