package dev.tilewright.api.study.flow;

import dev.tilewright.model.exchange.Work;
import dev.tilewright.model.space.Config;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The next step of a study, decided from a snapshot without a lock. */
sealed interface Step {

    /** The name of the step, for the log. */
    default String name() {
        return getClass().getSimpleName();
    }

    /** Nothing: workers have enough, or what is open has to come back first. */
    record Wait() implements Step {}

    /**
     * Evaluates these configs.
     *
     * @param asked the question that they answer; {@code null} where there is nothing more to ask
     */
    record Queue(List<Config> configs, @Nullable Asked asked, boolean last) implements Step {

        public Queue {
            configs = List.copyOf(configs);
        }
    }

    /** Asks for no more, since the time of the budget is over. */
    record Stop(String why) implements Step {}

    /** Runs the final. */
    record Race(List<Work.Contender> contenders, Asked asked) implements Step {

        public Race {
            contenders = List.copyOf(contenders);
        }
    }

    /** The study has run to its end. */
    record End() implements Step {}

    /** The study cannot go on. */
    record Fail(String error) implements Step {}
}
