package dev.tilewright.system.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

/**
 * Sweeps of one installation, one after the other.
 *
 * @param undisturbed those during which nothing happened
 */
record FaultSeries(List<FaultStory.Outcome> undisturbed, List<FaultStory.Outcome> disturbed) {

    /** So much longer than undisturbed a job may take, beside the time that the fault itself lasts. */
    static final double MOST_EXTRA_SECONDS = 60;

    /** What the median of the undisturbed sweeps takes. */
    double usualSeconds() {
        List<Double> sorted =
                undisturbed.stream().map(FaultStory.Outcome::seconds).sorted().toList();
        return sorted.get(sorted.size() / 2);
    }

    /** How much longer a sweep took than it does undisturbed, beside the time that its fault lasted. */
    double extraSeconds(FaultStory.Outcome outcome) {
        return outcome.seconds() - outcome.fault().length().toMillis() / 1e3 - usualSeconds();
    }

    void assertNothingIsLost() {
        assertThat(undisturbed).allSatisfy(outcome -> {
            assertRight(outcome);
            assertThat(outcome.record().attempts())
                    .as("attempts lost undisturbed")
                    .isZero();
        });
        assertThat(disturbed).allSatisfy(outcome -> {
            assertRight(outcome);
            assertThat(outcome.record().attempts())
                    .as("attempts lost for no trial in flight: %s", outcome)
                    .isLessThanOrEqualTo(
                            outcome.fault().mayCostAttempts() ? outcome.record().inFlight() : 0);
            assertThat(outcome.record().late())
                    .as("attempts lost that began after the fault: %s", outcome)
                    .isZero();
        });
    }

    /** A speed: it holds only on a machine that does nothing else. */
    void assertSoonOver() {
        assertThat(disturbed)
                .allSatisfy(outcome -> assertThat(extraSeconds(outcome))
                        .as("seconds beside the %.1f s that it takes undisturbed: %s", usualSeconds(), outcome)
                        .isLessThanOrEqualTo(MOST_EXTRA_SECONDS));
    }

    private static void assertRight(FaultStory.Outcome outcome) {
        assertThat(outcome.record().odd()).as("%s", outcome).isEmpty();
        assertThat(outcome.record().lost()).as("lost: %s", outcome).isZero();
        assertThat(outcome.record().twice()).as("done twice: %s", outcome).isZero();
    }
}
