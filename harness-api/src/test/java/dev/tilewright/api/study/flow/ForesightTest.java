package dev.tilewright.api.study.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.search.RandomStrategy;
import dev.tilewright.api.search.SearchAnswer;
import dev.tilewright.api.search.SearchQuestion;
import dev.tilewright.api.search.SearchStrategy;
import dev.tilewright.api.search.Strategies;
import dev.tilewright.api.testing.Awaiting;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.RunningService.Service;
import dev.tilewright.api.testing.ScriptedWorker;
import dev.tilewright.model.exchange.Lease;
import dev.tilewright.space.SpaceTree;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;

/** What the first question of a study needs is made before its device asks for work. */
class ForesightTest {

    private static final String SHAPE = "640x384x256";

    /** Remembers the spaces that it was shown ahead, and those that it was asked about. */
    private static final class Watched implements SearchStrategy {

        private final List<SpaceTree> ahead = new CopyOnWriteArrayList<>();
        private final List<SpaceTree> asked = new CopyOnWriteArrayList<>();

        @Override
        public String name() {
            return "watched";
        }

        @Override
        public boolean learns() {
            return false;
        }

        @Override
        public void prepare(SearchQuestion first) {
            ahead.add(first.space());
            throw new IllegalStateException("what goes wrong ahead is nobody's business");
        }

        @Override
        public SearchAnswer ask(SearchQuestion question) {
            asked.add(question.space());
            return new RandomStrategy().ask(question);
        }
    }

    static class Replacement {

        @Bean
        Watched watched() {
            return new Watched();
        }

        @Bean
        @Primary
        Strategies watchedAlone(Watched watched) {
            return new Strategies(List.of(watched, new RandomStrategy()));
        }
    }

    @Test
    void aStudyIsPreparedForTheDeviceThatWillTakeItAndAskedAboutTheSameSpace() {
        try (Service service = RunningService.start(Map.of("db-scheduler.enabled", "false"), Replacement.class)) {
            Watched watched = service.bean(Watched.class);
            ScriptedWorker worker = ScriptedWorker.simulated(service.api());
            String job = service.api().submit("simulated:h200", "watched", 3, SHAPE);
            Awaiting.until(() -> !watched.ahead.isEmpty());
            assertThat(watched.asked).as("asks before a device wants work").isEmpty();

            Awaiting.until(() -> {
                for (Lease lease : worker.lease(4)) {
                    worker.complete(lease, 1000);
                }
                return service.api().job(job).get("state").asString().equals("finished");
            });
            assertThat(watched.asked).isNotEmpty().allMatch(space -> space == watched.ahead.getFirst());
        }
    }
}
