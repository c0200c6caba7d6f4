package dev.tilewright.api.web.study;

import dev.tilewright.api.web.ConfigWords;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.trial.SchedulerEvidence;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.model.trial.Testbed;
import dev.tilewright.model.trial.TestbedKind;
import dev.tilewright.simulator.LaunchModels;
import dev.tilewright.space.device.LaunchModel;
import dev.tilewright.space.ranking.WhyItWon;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Facts beside their times that a comparison of trials rests on.
 *
 * @param evidence of those that were traced
 * @param model of the GPU of the study; empty of a GPU or a family that is not modelled
 * @param simulated whether a model said the times too
 */
public record Grounds(
        Problem problem, Map<UUID, SchedulerEvidence> evidence, Optional<LaunchModel> model, boolean simulated) {

    /** The grounds of a study on its testbed, if it has one yet. */
    public static Grounds of(
            Problem problem, @Nullable Testbed testbed, ConfigWords words, Map<UUID, SchedulerEvidence> evidence) {
        return new Grounds(
                problem,
                evidence,
                testbed == null ? Optional.empty() : words.family().flatMap(family -> LaunchModels.of(family, testbed)),
                TestbedKind.SIMULATED.isOf(testbed));
    }

    /** Why the first of two trials is faster than the second one in a stage in which both were timed. */
    String between(StudyTrial winner, StudyTrial other, Stage stage) {
        return WhyItWon.between(side(winner, stage), side(other, stage));
    }

    /** The known facts of a trial of this stage whose family names a scheduler. */
    WhyItWon.Side side(StudyTrial trial, Stage stage) {
        StudyTrial.Time time = trial.at(stage).orElseThrow();
        return new WhyItWon.Side(
                trial.scheduler().orElseThrow(),
                time.interval(),
                time.clockMhz(),
                evidence.get(trial.id()),
                WhyItWon.readsOfL2(model, problem, trial.config()),
                simulated);
    }
}
