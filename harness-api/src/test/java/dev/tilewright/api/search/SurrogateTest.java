package dev.tilewright.api.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.space.Parameter;
import dev.tilewright.space.SearchSpace;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SurrogateTest {

    private static final Problem PROBLEM = Problem.of(new ProblemShape(512, 1024, 256), DataType.BF16);
    private static final SearchSpace SPACE = new SearchSpace(
            "family",
            List.of(Parameter.text("a", 1, 2, 3), Parameter.text("b", 1, 2, 3), Parameter.text("c", 1, 2, 3)),
            List.of());

    private static Config config(int a, int b, int c) {
        return Config.parse("a=" + a + " b=" + b + " c=" + c);
    }

    /** The model knows of a alone. */
    private static final ToDoubleFunction<Config> MODEL = config -> 10 + 0.1 * config.whole("a");

    private static History.Asked measured(Config config, double speed) {
        return new History.Asked(config, TrialOutcome.COMPLETED, speed);
    }

    private static History.Asked ended(Config config, @Nullable TrialOutcome outcome) {
        return new History.Asked(config, outcome, null);
    }

    private static Surrogate after(History.Asked... asked) {
        return new Surrogate(SPACE.parameters(), history(asked), MODEL, MODEL);
    }

    private static History history(History.Asked... asked) {
        return History.empty(PROBLEM, 1).with(List.of(asked));
    }

    @Test
    void beforeAnythingIsMeasuredThePredictionDecides() {
        Surrogate none = after();
        assertThat(none.candidate(config(1, 3, 3)).improvement())
                .isGreaterThan(none.candidate(config(2, 1, 1)).improvement());
    }

    @Test
    void whatIsSlowerThanPredictedMakesOthersLikeItExpectedSlower() {
        // By the model equally fast; those with b = 2 take a tenth longer.
        Surrogate learned =
                after(measured(config(1, 1, 1), 1), measured(config(1, 1, 2), 1), measured(config(1, 2, 1), 1 / 1.1));
        assertThat(learned.candidate(config(1, 2, 3)).expected())
                .isGreaterThan(learned.candidate(config(1, 1, 3)).expected() + 0.01);
        assertThat(learned.candidate(config(1, 2, 3)).improvement())
                .isLessThan(learned.candidate(config(1, 1, 3)).improvement());
    }

    /** By the model those with a = 1 look equally fast, and in steady state those with b = 2 take a tenth longer. */
    @Test
    void whatAMeasurementSaysOfTheModelIsSaidOfWhatCounts() {
        ToDoubleFunction<Config> wanted = config -> MODEL.applyAsDouble(config) + (config.whole("b") == 2 ? 0.1 : 0);
        Surrogate seen = new Surrogate(
                SPACE.parameters(),
                history(measured(config(1, 1, 1), 1), measured(config(1, 2, 1), 1), measured(config(2, 1, 1), 0.8)),
                MODEL,
                wanted);
        assertThat(seen.candidate(config(1, 2, 3)).expected())
                .isCloseTo(seen.candidate(config(1, 1, 3)).expected() + 0.1, within(0.02));
        assertThat(seen.candidate(config(1, 1, 3)).improvement())
                .isGreaterThan(seen.candidate(config(1, 2, 3)).improvement());
        assertThat(seen.candidate(config(2, 1, 3)).expected())
                .as("slower than predicted")
                .isGreaterThan(seen.candidate(config(1, 1, 3)).expected() + 0.11);
    }

    @Test
    void theUnitOfSpeedDoesNotMatter() {
        Surrogate ratios = after(measured(config(1, 1, 1), 0.9), measured(config(2, 2, 1), 1.2));
        Surrogate rates = after(measured(config(1, 1, 1), 630), measured(config(2, 2, 1), 840));
        for (Config asked : List.of(config(1, 2, 3), config(3, 1, 1), config(2, 2, 2))) {
            assertThat(rates.candidate(asked).improvement())
                    .isCloseTo(ratios.candidate(asked).improvement(), within(1e-9));
        }
    }

    @Test
    void whatIsUnderWayIsNotWorthAskingAgainNorWhatIsLikeIt() {
        Config asked = config(1, 2, 3);
        Surrogate idle = after(measured(config(1, 1, 1), 1));
        Surrogate busy = after(measured(config(1, 1, 1), 1), ended(asked, null));
        assertThat(busy.candidate(asked).improvement())
                .isLessThan(idle.candidate(asked).improvement() / 2);
        assertThat(busy.candidate(config(1, 2, 2)).improvement())
                .isLessThan(idle.candidate(config(1, 2, 2)).improvement());
        assertThat(busy.candidate(asked).expected())
                .isCloseTo(idle.candidate(asked).expected(), within(1e-9));
    }

    @Test
    void beforeTheFirstAnswerAnUnlikeConfigIsWorthMoreThanAnEqualOneThatIsLikeWhatIsUnderWay() {
        Surrogate waiting = after(ended(config(1, 1, 1), null));
        assertThat(waiting.candidate(config(1, 2, 2)).expected())
                .isCloseTo(waiting.candidate(config(1, 1, 2)).expected(), within(1e-9));
        assertThat(waiting.candidate(config(1, 2, 2)).improvement())
                .isGreaterThan(waiting.candidate(config(1, 1, 2)).improvement())
                .isPositive();
    }

    @Test
    void aConfigThatCannotRunWarnsOfOthersLikeItAndADisturbedOneDoesNot() {
        double before =
                after(measured(config(1, 1, 1), 1)).candidate(config(1, 2, 3)).expected();
        assertThat(after(measured(config(1, 1, 1), 1), ended(config(1, 2, 2), TrialOutcome.MISMATCH))
                        .candidate(config(1, 2, 3))
                        .expected())
                .isGreaterThan(before + 0.1);
        assertThat(after(measured(config(1, 1, 1), 1), ended(config(1, 2, 2), TrialOutcome.NOISE))
                        .candidate(config(1, 2, 3))
                        .expected())
                .isEqualTo(before);
    }
}
