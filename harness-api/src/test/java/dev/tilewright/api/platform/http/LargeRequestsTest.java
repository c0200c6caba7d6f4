package dev.tilewright.api.platform.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class LargeRequestsTest {

    private final LargeRequests large = new LargeRequests(1, Duration.ofMillis(1));

    /** Within the check of one large request: what else may be checked. */
    @Test
    void oneLargeRequestTooManyIsBusyAndASmallOneIsNot() {
        String outer = large.check(256, () -> {
            assertThat(large.check(8, () -> "small")).isEqualTo("small");
            assertThatThrownBy(() -> large.check(9, () -> "large"))
                    .asInstanceOf(type(ApiProblem.class))
                    .satisfies(busy -> assertThat(busy.type()).isEqualTo(ProblemType.BUSY))
                    .satisfies(busy -> assertThat(busy.getMessage())
                            .startsWith(
                                    "requests with more than 8 parts are checked 1 at a time, and this one, with 9"));
            return "done";
        });
        assertThat(outer).isEqualTo("done");
        assertThat(large.check(9, () -> "next")).isEqualTo("next");
    }

    @Test
    void aCheckThatFailsGivesItsPermitBack() {
        assertThatThrownBy(() -> large.check(9, () -> {
                    throw new IllegalStateException("refused");
                }))
                .hasMessage("refused");
        assertThat(large.check(9, () -> "next")).isEqualTo("next");
    }
}
