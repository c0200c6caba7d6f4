package dev.tilewright.api.study;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.model.exchange.Budget;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When a study that stops by itself asks for nothing more. */
class SpendingTest {

    @ParameterizedTest
    @CsvSource({
        "40, 0, 16, 10, 50 such trials last 20 s",
        "40, 8, 16,  2, eight of them are open",
        "40, 0, 21,  0, the time is over",
        "40, 0,  2, 360, trials are short"
    })
    void twinsOfTheBestAreAskedForAsLongAsThereIsTime(int completed, int open, int seconds, int twins, String because) {
        Duration spent = Duration.ofSeconds(seconds);
        assertThat(new Spending(new Budget(null, null, 1)).twinsInTime(completed, open, spent))
                .as(because)
                .isEqualTo(twins);
        assertThat(new Spending(new Budget(500, null, 1)).twinsInTime(completed, open, spent))
                .as("a number of trials is exact")
                .isEqualTo(Integer.MAX_VALUE);
    }

    @ParameterizedTest
    @CsvSource({
        " 7, 32,   9, 0.0000, true,  little is known",
        "31, 32,   5, 0.0000, true,  too few have completed",
        " 8, 32,   5, 0.5000, false, 40 such trials last 25 s",
        "32, 32,   5, 0.0010, true,  64 such trials last 10 s",
        "32, 32,   5, 0.0009, false, nothing is to be gained",
        "32, 32,   6, 0.5000, false, 64 such trials last 12 s",
        "32,  0,  11, 0.5000, true,  nothing is open",
        "99, 32,  10, 0.5000, false, 131 such trials last 13 s"
    })
    void aStudyStopsByItselfByGainAndByTime(
            int completed, int open, int seconds, double gain, boolean worthIt, String because) {
        Spending byItself = new Spending(new Budget(null, null, 1));
        assertThat(byItself.isWorthIt(completed, open, Duration.ofSeconds(seconds), gain))
                .as(because)
                .isEqualTo(worthIt);
        assertThat(new Spending(new Budget(500, null, 1)).isWorthIt(completed, open, Duration.ofSeconds(seconds), gain))
                .as("a number of trials is exact")
                .isTrue();
    }

    @Test
    void aStudyThatStopsByItselfGivesUpOnAGpuThatIsDisturbed() {
        Spending byItself = new Spending(new Budget(null, null, 1));
        assertThat(byItself.givesUp(31, 31)).as("few were tried").isFalse();
        assertThat(byItself.givesUp(32, 31)).as("one was no noise").isFalse();
        assertThat(byItself.givesUp(32, 32)).isTrue();
        assertThat(new Spending(new Budget(500, null, 1)).givesUp(32, 32))
                .as("a number of trials is exact")
                .isFalse();
    }
}
