package dev.tilewright.gate.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class ShareBoundsTest {

    @Test
    void agreesWithWhatCanBeSaidInClosedForm() {
        // With none of n the upper bound solves (1 - p)^n = error, with all of n the lower one p^n = error.
        ShareBounds none = ShareBounds.of(0, 300, 0.05);
        assertThat(none.low()).isZero();
        assertThat(none.high()).isCloseTo(1 - Math.pow(0.05, 1 / 300.0), within(1e-9));
        ShareBounds all = ShareBounds.of(100, 100, 0.05);
        assertThat(all.high()).isEqualTo(1);
        assertThat(all.low()).isCloseTo(Math.pow(0.05, 0.01), within(1e-9));
    }

    @Test
    void agreesWithATextbookExample() {
        // 4 of 20, 95 % two-sided: 0.0573 to 0.4366.
        ShareBounds some = ShareBounds.of(4, 20, 0.025);
        assertThat(some.share()).isEqualTo(0.2);
        assertThat(some.low()).isCloseTo(0.0573, within(1e-4));
        assertThat(some.high()).isCloseTo(0.4366, within(1e-4));
    }

    @Test
    void refusesWhatIsNoShare() {
        assertThatThrownBy(() -> ShareBounds.of(3, 2, 0.05)).hasMessageContaining("3 of 2");
        assertThatThrownBy(() -> ShareBounds.of(0, 0, 0.05)).hasMessageContaining("0 of 0");
    }
}
