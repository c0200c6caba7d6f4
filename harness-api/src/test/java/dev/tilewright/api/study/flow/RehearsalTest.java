package dev.tilewright.api.study.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import org.junit.jupiter.api.Test;

class RehearsalTest {

    @Test
    void runsToItsEnd() {
        assertThatCode(Rehearsal::run).doesNotThrowAnyException();
    }

    @Test
    void takesNoCoreOfASmallMachine() {
        assertThat(Rehearsal.begin(4)).isEmpty();
    }

    @Test
    void keepsNoProcessAlive() {
        assertThat(Rehearsal.begin(8))
                .hasValueSatisfying(thread -> assertThat(thread.isDaemon()).isTrue());
    }
}
