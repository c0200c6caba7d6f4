package dev.tilewright.api.web.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.model.trial.TrialOutcome;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Data of charts and tables, from a handful of trials. */
class ParameterEffectsTest {

    private static final Instant BEGAN = Instant.parse("2026-11-25T10:00:00Z");

    private static StudyTrial trial(int ordinal, int tile, String scheduler, double tflops, TrialOutcome outcome) {
        return new StudyTrial(
                new UUID(0, ordinal),
                ordinal,
                Config.of(Map.of("tile", ParameterValue.of(tile), "scheduler", ParameterValue.of(scheduler))),
                outcome,
                // Those asked first end last.
                BEGAN.plusSeconds(10 - ordinal),
                null,
                List.of(new StudyTrial.Time(Stage.SCREEN, 3, 1e6 / tflops, null, null, tflops, null)));
    }

    private static final List<StudyTrial> TRIALS = List.of(
            trial(0, 128, "static", 400, TrialOutcome.COMPLETED),
            trial(1, 64, "static", 200, TrialOutcome.COMPLETED),
            trial(2, 128, "single", 380, TrialOutcome.COMPLETED),
            trial(3, 128, "static", 300, TrialOutcome.COMPLETED),
            trial(4, 256, "static", 900, TrialOutcome.IMPLAUSIBLE));

    /** In the order in which they ended. */
    private static List<StudyTrial> screened() {
        return TRIALS.reversed().stream()
                .filter(trial -> trial.outcome() == TrialOutcome.COMPLETED)
                .toList();
    }

    @Test
    void whatMattersMostComesFirstAndNumbersAreSortedAsNumbers() {
        List<ParameterEffects.Effect> effects = ParameterEffects.of(TRIALS);
        assertThat(effects).extracting(ParameterEffects.Effect::parameter).containsExactly("tile", "scheduler");
        assertThat(effects.getFirst().worth()).isCloseTo(1.0, within(1e-9));
        assertThat(effects.getFirst().values())
                .extracting(ParameterEffects.Value::value, ParameterEffects.Value::trials)
                .containsExactly(tuple("64", 1), tuple("128", 3));
        assertThat(effects.getFirst().values().getLast().median()).isCloseTo(0.95, within(1e-9));
    }

    private static StudyCharts charts(List<StudyTrial> trials, boolean simulated) {
        return StudyCharts.of(TrialSample.all(trials), BEGAN, simulated, Object::toString);
    }

    /** What is not believed is in no chart. */
    @Test
    void chartsFollowTheOrderInWhichTrialsEnded() {
        StudyCharts charts = charts(screened(), true);
        assertThat(charts.low()).as("where the axis begins").isEqualTo(300);
        assertThat(charts.tflops()).containsExactly(300.0, 380.0, 200.0, 400.0);
        assertThat(charts.best()).containsExactly(300.0, 380.0, 380.0, 400.0);
        assertThat(charts.axes()).extracting(StudyCharts.Axis::name).containsExactly("tile", "scheduler");
        assertThat(charts.axes().getFirst().indices()).containsExactly(1, 1, 0, 1);
    }

    /** For those who do not see the pictures. */
    @Test
    void whatAChartShowsIsSaidInOneSentence() {
        assertThat(charts(screened(), false).says())
                .containsOnly(
                        entry(
                                "trials",
                                "Of 4 trials the first ran at 300.0 TFLOP/s, the best, number 4, at 400.0 TFLOP/s, 10.0 s"
                                        + " after the study began; the last trial ended after 10.0 s. Below the axis:"
                                        + " 1 trial."),
                        entry(
                                "parallel",
                                "4 trials from 200.0 TFLOP/s to 400.0 TFLOP/s; the best has tile=128,"
                                        + " scheduler=static."));
        assertThat(charts(screened(), true).says().get("trials")).contains("at 400.0 TFLOP/s, simulated, 10.0 s after");
        assertThat(charts(List.of(), false).says()).isEmpty();
        assertThat(ParameterEffects.of(TRIALS).getFirst().says())
                .isEqualTo("Effect of tile: the best trial has 128 and is 100.0 % faster than the best with 64.");
    }

    @Test
    void nothingThatAllTrialsShareHasAnEffect() {
        assertThat(ParameterEffects.of(List.of(TRIALS.getFirst(), TRIALS.get(3))))
                .isEmpty();
        assertThat(ParameterEffects.of(List.of())).isEmpty();
    }
}
