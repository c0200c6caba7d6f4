package dev.tilewright.model.range;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tilewright.model.range.Regret.Check;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The regret of a table. */
class RegretTest {

    @Test
    void isOfTheChecks() {
        Regret regret = Regret.of(List.of(new Check(3, 10, 10), new Check(90, 10.3, 10), new Check(700, 22, 20)));

        assertThat(regret.median()).isCloseTo(0.03, within(1e-12));
        assertThat(regret.p95()).isCloseTo(0.03 + 0.9 * 0.07, within(1e-12));
        assertThat(regret.worst()).isCloseTo(0.1, within(1e-12));
        assertThat(regret.worstAt()).isEqualTo(700);
    }

    /** A check may find no config as fast as that of the table. */
    @Test
    void aFasterTableLosesNothing() {
        assertThat(new Check(8, 9, 10).lost()).isZero();
    }
}
