package dev.tilewright.api.web.study;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.model.trial.TrialOutcome;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class StudyTrialTest {

    private static StudyTrial trial(TrialOutcome outcome) {
        return new StudyTrial(
                new UUID(0, outcome.ordinal()),
                outcome.ordinal(),
                Config.of(Map.of("scheduler", ParameterValue.of("static"))),
                outcome,
                Instant.EPOCH,
                null,
                List.of(
                        new StudyTrial.Time(Stage.SCREEN, 3, 1000, null, null, 500, null),
                        new StudyTrial.Time(Stage.FINAL, 3, 1100, 1090.0, 1110.0, 480, null)));
    }

    @Test
    void theStageThatWasTimedLastSaysMost() {
        StudyTrial completed = trial(TrialOutcome.COMPLETED);
        assertThat(completed.last().orElseThrow().stage()).isEqualTo(Stage.FINAL);
        assertThat(completed.common(completed)).contains(Stage.FINAL);
    }

    /** A kernel that was timed and then found wrong has no rate, and nothing is compared with it. */
    @ParameterizedTest
    @EnumSource(value = TrialOutcome.class, mode = EnumSource.Mode.EXCLUDE, names = "COMPLETED")
    void whatDidNotCompleteHasNoTimes(TrialOutcome outcome) {
        StudyTrial failed = trial(outcome);
        assertThat(failed.last()).isEmpty();
        assertThat(failed.at(Stage.SCREEN)).isEmpty();
        assertThat(failed.common(trial(TrialOutcome.COMPLETED))).isEmpty();
        assertThat(trial(TrialOutcome.COMPLETED).common(failed)).isEmpty();
    }
}
