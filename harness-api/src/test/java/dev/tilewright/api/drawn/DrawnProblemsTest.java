package dev.tilewright.api.drawn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.RunningService.Service;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Every problem gets an answer: a study of 160 trials ends with as many configs that are distinct and keep the rules,
 * or with the whole space, and nobody waits for the search meanwhile. The problems are drawn anew each time.
 */
@ExtendWith(RunningService.class)
class DrawnProblemsTest {

    private static final List<String> STRATEGIES = List.of("random", "model");
    private static final Path DOCUMENT = Path.of("../docs/results/drawn-problems.md");
    private static final int SAMPLE = 8;
    private static final int ALL = 500;

    /** What a sample says of speed is little, and on a busy machine less: it is printed. */
    @Test
    void aSampleOfDrawnProblemsEndsWithDistinctValidConfigs(Service service) throws Exception {
        DrawnProblems drawn = DrawnProblems.ofThisRun();
        for (String strategy : STRATEGIES) {
            DrawnRun run = DrawnRun.of(drawn, 0, SAMPLE, strategy, service);
            System.out.println(run);
            assertThat(run.failures()).isEmpty();
            assertThat(run.asks("first").count()).as("what the timer saw").isGreaterThanOrEqualTo(SAMPLE);
            assertThat(run.heartbeats().percentile(50)).isLessThan(Duration.ofSeconds(1));
            assertThat(run.polls().percentile(50)).isLessThan(Duration.ofSeconds(1));
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
        new DrawnReport(drawn.seed(), count, runs).write(DOCUMENT);
        assertThat(runs).allSatisfy(run -> {
            assertThat(run.failures()).isEmpty();
            assertThat(run.asks("next").percentile(99)).isLessThanOrEqualTo(Duration.ofMillis(50));
            assertThat(run.asks("first", "next").longest()).isLessThanOrEqualTo(Duration.ofSeconds(1));
            assertThat(run.heartbeats().percentile(99)).isLessThanOrEqualTo(Duration.ofMillis(50));
            assertThat(run.polls().percentile(99)).isLessThanOrEqualTo(Duration.ofMillis(50));
        });
    }
}
