package dev.tilewright.worker.gpu.measure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.model.trial.Stage;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;

class SettlingTest {
    private static final SettleRule RULE = new SettleRule(0.5e9, 3e9, 15e9, 0.005, 0.02);

    private static final double RUN = 2e6;

    /** Seconds until it is decided. */
    private static double watch(Settling settling, DoubleUnaryOperator clockAtSeconds) {
        double now = 0;
        while (settling.state() == Settling.State.SETTLING) {
            settling.saw(RUN, OptionalDouble.of(clockAtSeconds.applyAsDouble(now / 1e9)));
            now += RUN;
        }
        return now / 1e9;
    }

    @Test
    void aSteadyClockHasSettledAfterTheLeastTime() {
        Settling settling = new Settling(RULE);
        assertThat(watch(settling, now -> 1500)).isBetween(3.0, 3.01);
        assertThat(settling.state()).isEqualTo(Settling.State.SETTLED);
    }

    @Test
    void readingsThatJumpDoNotMatterWhereTheirMeanStands() {
        Settling settling = new Settling(RULE);
        watch(settling, now -> (long) (now * 1e9 / RUN) % 2 == 0 ? 1440 : 1560);
        assertThat(settling.state()).isEqualTo(Settling.State.SETTLED);
    }

    @Test
    void aClockThatDecaysIsWaitedFor() {
        Settling settling = new Settling(RULE);
        double seconds = watch(settling, now -> 1400 + 400 * Math.exp(-now / 1.5));
        assertThat(settling.state()).isEqualTo(Settling.State.SETTLED);
        assertThat(seconds)
                .as("when the slope is below half a percent a second")
                .isBetween(5.0, 8.0);
    }

    @Test
    void aClockThatFallsForEverIsUnsettledAtTheCap() {
        Settling settling = new Settling(RULE);
        assertThat(watch(settling, now -> 1500 - 15 * now)).isBetween(15.0, 15.01);
        assertThat(settling.state()).isEqualTo(Settling.State.UNSETTLED);
        assertThat(settling)
                .hasToString("unsettled after 15.0 s: the SM clock changed by -1.17 % a second and swung by 0.53 %");
    }

    @Test
    void aClockThatSwingsIsUnsettled() {
        Settling settling = new Settling(RULE);
        watch(settling, now -> 1500 + 40 * Math.sin(2 * Math.PI * now / 0.5));
        assertThat(settling.state()).isEqualTo(Settling.State.UNSETTLED);
    }

    @Test
    void aClockThatCannotBeReadIsSaidAtOnce() {
        Settling settling = new Settling(RULE);
        for (int run = 0; run < 1600; run++) {
            settling.saw(RUN, OptionalDouble.empty());
        }
        assertThat(settling.state()).isEqualTo(Settling.State.UNSETTLED);
        assertThat(settling.toString()).contains("could not be followed");
    }

    @Test
    void theAlternatingLoadIsWhatSettlesAndWhatDoesNotIsNoted() {
        SettleRule rule = new SettleRule(20e6, 40e6, 200e6, 0.5, 0.02);
        VirtualGpu calm = new VirtualGpu(now -> 1, 0, 1);
        SameClock settled = new SameClock(calm.stopwatch(), TimingPlan.STANDARD, Stage.CONTEND, 1);
        assertThat(settled.settle(List.of(calm.arm("a", 1e5), calm.arm("b", 2e5)), rule))
                .isEmpty();
        assertThat(calm.nowNs()).isBetween(40e6, 50e6);

        VirtualGpu falling = new VirtualGpu(now -> 1 - now / 1e9, 0, 1);
        SameClock unsettled = new SameClock(falling.stopwatch(), TimingPlan.STANDARD, Stage.CONTEND, 1);
        assertThat(unsettled.settle(List.of(falling.arm("a", 1e5), falling.arm("b", 2e5)), rule))
                .hasValueSatisfying(why -> assertThat(why).startsWith("unsettled after 0.2 s"));
        assertThat(unsettled.timed().notes()).hasSize(1);
    }
}
