package dev.tilewright.api.web;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TrialProgressTest {

    @Test
    void aStudyThatRunsIsMeasuredByWhatItMayHave() {
        assertThat(TrialProgress.of(false, 3, 2, 10, 40))
                .isEqualTo(new TrialProgress(3, 40, "3 of at most 40 trials, 2 completed"));
    }

    @Test
    void oneThatIsOverHasAllThatItWillHave() {
        assertThat(TrialProgress.of(true, 10, 9, 10, 40))
                .isEqualTo(new TrialProgress(10, 10, "10 of 10 trials, 9 completed"));
    }

    /** It was cancelled before a worker took it: there is no trial, and the bar has some length all the same. */
    @Test
    void oneThatNeverBeganHasNone() {
        assertThat(TrialProgress.of(true, 0, 0, 0, 40))
                .isEqualTo(new TrialProgress(0, 1, "0 of 0 trials, 0 completed"));
    }
}
