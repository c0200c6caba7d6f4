package dev.tilewright.model.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.model.exchange.GpuTask.Side;
import dev.tilewright.model.space.Config;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GpuTaskTest {

    private static final Config CONFIG = Config.of(Map.of());

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, -1, 0, Side.Own.MOST_WAIT + 1, Long.MAX_VALUE})
    void aWaitIsOfSomeStepsAndNoMoreThanAKernelMayTake(long steps) {
        assertThatThrownBy(() -> new Side.Own("bundle:theirs", CONFIG, 0.01, steps))
                .hasMessage("a wait is of 1 to 100000000 steps and of a kernel that is slowed, got " + steps);
    }

    @Test
    void aWaitIsOfAKernelThatIsSlowed() {
        assertThat(new Side.Own("bundle:theirs", CONFIG, 0.01, Side.Own.MOST_WAIT).waitSteps())
                .isEqualTo(100_000_000L);
        assertThatThrownBy(() -> new Side.Own("bundle:theirs", CONFIG, null, 300L))
                .hasMessage("a wait is of 1 to 100000000 steps and of a kernel that is slowed, got 300");
    }
}
