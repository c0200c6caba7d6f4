package dev.tilewright.api.web.study;

import dev.tilewright.api.web.ConfigWords;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.SchedulerEvidence;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.model.trial.Testbed;
import dev.tilewright.model.trial.TestbedKind;
import dev.tilewright.simulator.LaunchModels;
import dev.tilewright.space.device.LaunchModel;
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

    /** The known facts of a trial of this stage whose family names a scheduler. */
    WhyItWon.Side side(StudyTrial trial, Stage stage) {
        return new WhyItWon.Side(
                trial.scheduler().orElseThrow(),
                trial.at(stage).orElseThrow(),
                evidence.get(trial.id()),
                readsOfL2(trial.config()).orElse(null),
                simulated);
    }

    /**
     * Bytes that a launch reads from L2. DRAM traffic is left out: the cost model is good enough for an order, not to a
     * few percent.
     */
    private Optional<Double> readsOfL2(Config config) {
        try {
            return model.map(known -> known.settled(problem, config)).map(LaunchModel.Cost::l2Bytes);
        } catch (IllegalArgumentException beyondTheModel) {
            return Optional.empty();
        }
    }
}
