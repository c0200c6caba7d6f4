package dev.tilewright.worker.cli.board;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.model.exchange.MeasurementDocument;
import dev.tilewright.model.exchange.ProblemDocument;
import dev.tilewright.model.exchange.ResultDocument.StudyResult;
import dev.tilewright.model.exchange.StudyDocument;
import dev.tilewright.model.exchange.TrialDocument;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Scenario;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.Measurement;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.model.trial.Testbed;
import dev.tilewright.model.trial.TestbedKind;
import dev.tilewright.model.trial.TimeInterval;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.space.ranking.AlikeTrials;
import dev.tilewright.testing.Draw;
import dev.tilewright.testing.Draws;
import dev.tilewright.testing.From;
import dev.tilewright.worker.link.json.Json;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Rows that tie. */
class TiedTrialsTest {

    private static final ProblemDocument PROBLEM =
            new ProblemDocument(64, null, 128, 256, DataType.BF16, null, null, null, null, Scenario.QUIET, null, null);

    private static final AtomicInteger IDS = new AtomicInteger();

    static TrialDocument trial(String config, Measurement... measurements) {
        Map<String, Object> said = new HashMap<>(Map.of(
                "id",
                new UUID(7, IDS.get()),
                "ordinal",
                IDS.getAndIncrement(),
                "config",
                Config.parse(config),
                "outcome",
                TrialOutcome.COMPLETED,
                "measurements",
                MeasurementDocument.of(PROBLEM.problem(), List.of(measurements))));
        if (measurements.length > 0) {
            said.put("tflops", 1e6 / measurements[measurements.length - 1].medianNs());
        }
        return Json.mapper().convertValue(said, TrialDocument.class);
    }

    static Measurement time(Stage stage, double ns, @Nullable Double low, @Nullable Double high) {
        return new Measurement(Mode.SUSTAINED, stage, 3, 9, ns, low, high, null);
    }

    private static Measurement predicted(double ns) {
        return time(Stage.SCREEN, ns, null, null);
    }

    private static Measurement measured(Stage stage, double ns, double half) {
        return time(stage, ns, ns - half, ns + half);
    }

    static StudyResult study(TestbedKind kind, List<TrialDocument> trials) {
        Map<String, Object> said = Map.of(
                "problem",
                PROBLEM,
                "family",
                "sm90-gemm",
                "testbed",
                new Testbed(kind, "h200", "1", "x", 132, "model"));
        return new StudyResult(Json.mapper().convertValue(said, StudyDocument.class), trials);
    }

    static List<TrialDocument> trials(Draw draw) {
        return draw.list(1, 20, TiedTrialsTest::drawn);
    }

    private static TrialDocument drawn(Draw draw) {
        int ns = draw.between(100, 120);
        Stage stage = draw.of(Stage.values());
        return trial(
                "scheduler=" + draw.of("static", "atomic") + " l2Hint=" + draw.between(1, 3),
                draw.either() ? measured(stage, ns, draw.between(0, 3)) : time(stage, ns, null, null));
    }

    private static boolean isTied(Measurement one, Measurement other) {
        return new TimeInterval(one.medianNs(), one.ciLowNs(), one.ciHighNs())
                .ties(new TimeInterval(other.medianNs(), other.ciLowNs(), other.ciHighNs()));
    }

    /** Nothing is lost or counted twice, each row ties with its first trial, and no first ties with an earlier one. */
    @Draws
    void everyTrialIsInOneRow(@From("trials") List<TrialDocument> trials) {
        List<TrialDocument> ranked = Leaderboard.ranked(study(TestbedKind.CUDA, trials));
        List<AlikeTrials<TrialDocument>> rows = Leaderboard.tied(ranked);

        assertThat(rows.stream().flatMap(AlikeTrials::trials)).containsExactlyInAnyOrderElementsOf(ranked);
        assertThat(rows.stream().map(AlikeTrials::first)).isSubsetOf(ranked);
        List<Integer> places =
                rows.stream().map(row -> ranked.indexOf(row.first())).toList();
        assertThat(places).isSorted();
        for (AlikeTrials<TrialDocument> row : rows) {
            Measurement first = row.first().lastSustained().orElseThrow();
            for (TrialDocument other : row.alike()) {
                Measurement second = other.lastSustained().orElseThrow();
                assertThat(second.stage()).isEqualTo(first.stage()).isNotEqualTo(Stage.FINAL);
                assertThat(isTied(first, second)).isTrue();
                assertThat(ranked.indexOf(other)).isGreaterThan(ranked.indexOf(row.first()));
            }
        }
        for (int later = 0; later < rows.size(); later++) {
            for (int earlier = 0; earlier < later; earlier++) {
                Measurement one = rows.get(earlier).first().lastSustained().orElseThrow();
                Measurement other = rows.get(later).first().lastSustained().orElseThrow();
                assertThat(one.stage() == other.stage() && one.stage() != Stage.FINAL && isTied(one, other))
                        .isFalse();
            }
        }
    }

    @Test
    void namesTheParametersInWhichTheyDiffer() {
        TrialDocument first = trial("scheduler=static a=1 b=1 c=1 d=1 e=1 f=1", predicted(100));
        TrialDocument second = trial("scheduler=static a=2 b=1 c=1 d=1 e=1 f=1", predicted(100));
        TrialDocument third = trial("scheduler=static a=2 b=1 c=2 d=2 e=2 f=2", predicted(100));

        assertThat(Leaderboard.tied(List.of(first, second)).getFirst().note(TrialDocument::config))
                .isEqualTo(" (+1 alike: a)");
        assertThat(Leaderboard.tied(List.of(first, second, third)).getFirst().note(TrialDocument::config))
                .isEqualTo(" (+2 alike: a, c, d, e and 1 more)");
        assertThat(Leaderboard.tied(List.of(first)).getFirst().note(TrialDocument::config))
                .isEmpty();
    }
}
