package dev.tilewright.worker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.worker.cli.WorkerWatch.Details;
import org.junit.jupiter.api.Test;

class WorkerWatchTest {

    private static final String DEATH =
            "the local worker ended with exit code 4: no runner; it is started again in 0.5 s";

    private final WorkerWatch watch = new WorkerWatch(
            () -> {
                throw new AssertionError("no service is asked");
            },
            System.err);

    @Test
    void aWorkerThatComesUpIsNotWorthALine() {
        assertThat(watch.notice(new Details("starting", "process 7 is coming up", 0)))
                .isEmpty();
        assertThat(watch.notice(new Details("running", "process 7", 0))).isEmpty();
        assertThat(watch.notice(new Details("running", "process 7", 0))).isEmpty();
    }

    @Test
    void eachDeathIsSaidOnceAndSoIsTheReturn() {
        watch.notice(new Details("running", "process 7", 0));

        assertThat(watch.notice(new Details("restarting", DEATH, 1))).contains(DEATH);
        assertThat(watch.notice(new Details("restarting", DEATH, 1))).isEmpty();
        assertThat(watch.notice(new Details("starting", "process 8 is coming up", 1)))
                .isEmpty();
        assertThat(watch.notice(new Details("restarting", DEATH, 2))).contains(DEATH);
        assertThat(watch.notice(new Details("running", "process 9", 2)))
                .contains("the local worker is back: process 9");
        assertThat(watch.notice(new Details("running", "process 9", 2))).isEmpty();
    }

    @Test
    void aDeathBetweenTwoLooksIsSaidToo() {
        watch.notice(new Details("running", "process 7", 0));

        assertThat(watch.notice(new Details("running", "process 8; before, it ended", 1)))
                .contains("the local worker is back: process 8; before, it ended");
    }

    @Test
    void aWorkerThatIsGivenUpIsSaidOnce() {
        assertThat(watch.notice(new Details("failed", "no launcher is known", 0)))
                .contains("no launcher is known");
        assertThat(watch.notice(new Details("failed", "no launcher is known", 0)))
                .isEmpty();
    }

    @Test
    void anAnswerThatSaysNothingIsNoNews() {
        assertThat(watch.notice(new Details(null, null, 0))).isEmpty();
        assertThat(watch.notice(new Details("off", "no local worker was asked for", 0)))
                .isEmpty();
    }
}
