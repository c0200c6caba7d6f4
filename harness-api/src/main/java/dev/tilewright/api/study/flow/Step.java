package dev.tilewright.api.study.flow;

import dev.tilewright.model.exchange.Work;
import dev.tilewright.model.space.Config;
import java.util.List;

/** What a driver does next with a study, decided from a snapshot without holding anything. */
sealed interface Step {

    /** What it is, for the log. */
    default String name() {
        return getClass().getSimpleName();
    }

    /** Nothing: workers have enough, or what is open has to come back first. */
    record Wait() implements Step {}

    /** Evaluates these configs. */
    record Queue(List<Config> asked, boolean last) implements Step {

        public Queue {
            asked = List.copyOf(asked);
        }
    }

    /** Asks for no more, since the time of the budget is over. */
    record Stop(String why) implements Step {}

    /** Runs the final. */
    record Race(List<Work.Contender> contenders) implements Step {

        public Race {
            contenders = List.copyOf(contenders);
        }
    }

    /** The study has run to its end. */
    record End() implements Step {}

    /** The study cannot go on. */
    record Fail(String error) implements Step {}
}
