package dev.tilewright.api.study.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.platform.process.FatalErrors;
import dev.tilewright.api.search.RandomStrategy;
import dev.tilewright.api.search.SearchAnswer;
import dev.tilewright.api.search.SearchQuestion;
import dev.tilewright.api.search.SearchStrategy;
import dev.tilewright.api.search.Strategies;
import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.Awaiting;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.RunningService.Service;
import dev.tilewright.api.testing.ScriptedWorker;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;
import tools.jackson.databind.JsonNode;

/** An error on the thread that drives a study, where no question is put. */
class StudyDriverErrorTest {

    private static final int TRIALS = 3;

    /** Throws on the driver's own thread, once for each time that it is armed. */
    private static final class Armed implements SearchStrategy {

        private final AtomicReference<@Nullable Error> next = new AtomicReference<>();

        @Override
        public String name() {
            return "armed";
        }

        @Override
        public boolean learns() {
            Error error = next.getAndSet(null);
            if (error != null) {
                throw error;
            }
            return false;
        }

        @Override
        public SearchAnswer ask(SearchQuestion question) {
            return new RandomStrategy().ask(question);
        }
    }

    /** Notes that it would halt the process. */
    static final class Noted extends FatalErrors {

        private final List<Integer> halts = new CopyOnWriteArrayList<>();

        @Override
        protected void halt(int code) {
            halts.add(code);
        }
    }

    static class Replacement {

        @Bean
        Armed armed() {
            return new Armed();
        }

        @Bean
        @Primary
        Strategies armedAlone(Armed armed) {
            return new Strategies(List.of(armed));
        }

        @Bean
        @Primary
        Noted noted() {
            return new Noted();
        }
    }

    @Test
    void noErrorKeepsAStudyDrivenAndOneThatLeavesTheStateUnknownHalts() {
        try (Service service = RunningService.start(Map.of("db-scheduler.enabled", "false"), Replacement.class)) {
            Api api = service.api();
            Armed armed = service.bean(Armed.class);
            Noted noted = service.bean(Noted.class);
            ScriptedWorker worker = ScriptedWorker.simulated(api);

            armed.next.set(new StackOverflowError("scripted"));
            JsonNode failed = studyOf(api, worker);
            assertThat(failed.get("error").asString())
                    .isEqualTo("the service failed to move the study on: java.lang.StackOverflowError: scripted");
            assertThat(noted.halts).isEmpty();

            armed.next.set(new NoClassDefFoundError("dev/tilewright/Replaced"));
            studyOf(api, worker);
            assertThat(noted.halts).containsExactly(70);
            assertThat(service.bean(StudyDriver.class).isQuiet()).isTrue();

            assertThat(studyOf(api, worker).get("state").asString()).isEqualTo("finished");
        }
    }

    private static JsonNode studyOf(Api api, ScriptedWorker worker) {
        String job = api.submit("simulated:h200", "armed", TRIALS, "640x384x256");
        Awaiting.until(() -> {
            worker.workOff(1000, 1);
            return List.of("finished", "failed")
                    .contains(api.job(job).get("state").asString());
        });
        return api.job(job).get("studies").get(0);
    }
}
