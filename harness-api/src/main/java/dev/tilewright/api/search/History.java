package dev.tilewright.api.search;

import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.TestbedKind;
import dev.tilewright.model.trial.TrialOutcome;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Knowledge of a study, in stored order: every config that was asked, also with a queued, running or failed trial.
 *
 * @param problem that is tuned
 * @param seed of the job
 * @param sought what the fastest is looked for by
 * @param asked in the order in which they were asked
 */
public record History(Problem problem, long seed, Sought sought, List<Asked> asked) {

    /** The measure by which the fastest is chosen. */
    public enum Sought {
        /** The speed that is measured: a screen's, while the clock still falls. */
        MEASURED,
        /** The same where what is measured is the speed in steady state, as a model gives it. */
        SETTLED,
        /** The speed in steady state; what is measured are speeds as if at one clock, which tell a part of it. */
        STEADY_STATE;

        /** The measure of a study on such a testbed. */
        public static Sought on(TestbedKind kind) {
            return switch (kind) {
                case CUDA -> STEADY_STATE;
                case SIMULATED -> SETTLED;
                case EMULATED -> MEASURED;
            };
        }
    }

    public History {
        asked = List.copyOf(asked);
    }

    /**
     * One config that was asked.
     *
     * @param outcome {@code null} while the trial has not ended
     * @param speed sustained, in a unit that is the same for all of a history; {@code null} without a measurement
     */
    public record Asked(
            Config config,
            @Nullable TrialOutcome outcome,
            @Nullable Double speed) {}

    /** A study that has not asked yet. */
    public static History empty(Problem problem, long seed) {
        return new History(problem, seed, Sought.MEASURED, List.of());
    }

    /** The same history after some more configs were asked, their trials still to end. */
    public History andAsked(List<Config> configs) {
        List<Asked> longer = new ArrayList<>(asked);
        configs.forEach(config -> longer.add(new Asked(config, null, null)));
        return with(longer);
    }

    /** The same study, having asked these. */
    public History with(List<Asked> configs) {
        return new History(problem, seed, sought, configs);
    }

    /** The configs that were asked, whatever came of them. */
    public Set<Config> configs() {
        Set<Config> configs = new HashSet<>();
        asked.forEach(entry -> configs.add(entry.config()));
        return configs;
    }
}
