package dev.tilewright.model.trial;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TimeIntervalTest {

    @Test
    void intervalsThatMeetAreATie() {
        TimeInterval one = new TimeInterval(100, 98.0, 102.0);
        assertThat(one.ties(new TimeInterval(103, 102.0, 104.0))).isTrue();
        assertThat(new TimeInterval(103, 102.0, 104.0).ties(one)).isTrue();
        assertThat(one.ties(new TimeInterval(103, 102.5, 104.0))).isFalse();
    }

    /** One has too few blocks, or both are predictions. */
    @Test
    void withoutAnIntervalTheMediansMustBeAsGoodAsEqual() {
        TimeInterval one = new TimeInterval(10_000, null, null);
        assertThat(one.ties(new TimeInterval(10_004, null, null))).isTrue();
        assertThat(one.ties(new TimeInterval(10_006, 9_000.0, 11_000.0))).isFalse();
    }
}
