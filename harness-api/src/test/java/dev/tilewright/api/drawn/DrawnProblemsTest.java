package dev.tilewright.api.drawn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.RunningService.Service;
import dev.tilewright.testing.ResultFile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Every problem gets an answer: a study of 160 trials ends with as many configs that are distinct and keep the rules,
 * or with the whole space, and nobody waits for the search meanwhile. Each run draws the same problems.
 */
@ExtendWith(RunningService.class)
class DrawnProblemsTest {

    private static final List<String> STRATEGIES = List.of("random", "model");
    private static final Path DOCUMENT = Path.of("../docs/results/drawn-problems.md");
    private static final int SAMPLE = 8;
    private static final int ALL = 500;

    /** The times of a sample are printed: a busy machine makes them worthless. */
    @Test
    void aSampleOfDrawnProblemsEndsWithDistinctValidConfigs(Service service) throws Exception {
        DrawnProblems drawn = DrawnProblems.ofThisRun();
        for (String strategy : STRATEGIES) {
            DrawnRun run = DrawnRun.of(drawn, 0, SAMPLE, strategy, service);
            System.out.println(run);
            assertThat(run.failures()).isEmpty();
            assertThat(run.asks("first").count()).as("what the timer saw").isGreaterThanOrEqualTo(SAMPLE);
        }
    }

    /** The first question of a study has a row of its own in the document: over 50 ms where the space is large. */
    @Test
    @Tag("full")
    void allDrawnProblemsEndAndNobodyWaits(Service service) throws Exception {
        DrawnProblems drawn = DrawnProblems.ofThisRun();
        int count = DrawnProblems.count(ALL);
        List<DrawnRun> runs = new ArrayList<>();
        for (String strategy : STRATEGIES) {
            runs.add(DrawnRun.of(drawn, 0, count, strategy, service));
            System.out.println(runs.getLast());
        }
        new DrawnReport(drawn.seed(), count, runs).write(ResultFile.of(DOCUMENT));
        assertThat(runs).allSatisfy(run -> {
            assertThat(run.failures()).isEmpty();
            assertThat(run.asks("next").percentile(99)).isLessThanOrEqualTo(Duration.ofMillis(50));
            assertThat(run.asks("first", "next").longest()).isLessThanOrEqualTo(Duration.ofSeconds(1));
            assertThat(run.heartbeats().percentile(99)).isLessThanOrEqualTo(Duration.ofMillis(50));
            assertThat(run.polls().percentile(99)).isLessThanOrEqualTo(Duration.ofMillis(50));
        });
    }
}
