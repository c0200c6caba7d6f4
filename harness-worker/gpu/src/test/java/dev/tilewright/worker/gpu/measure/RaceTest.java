package dev.tilewright.worker.gpu.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.worker.gpu.stats.race.Elimination;
import dev.tilewright.worker.gpu.stats.race.SpentError;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RaceTest {

    private static final Elimination RULE = new Elimination(0, new SpentError(0.05));
    private static final RacePlan PLAN = new RacePlan(4, 4, 24, RULE);

    private static SameClock rounds(VirtualGpu virtual, long seed) {
        return new SameClock(virtual.stopwatch(), TimingPlan.STANDARD, Stage.CONTEND, seed);
    }

    /** Arms that take so much longer than the fastest. */
    private static List<Arm> arms(VirtualGpu virtual, double... behind) {
        List<Arm> arms = new ArrayList<>();
        for (int i = 0; i < behind.length; i++) {
            arms.add(virtual.arm("arm" + i, 200_000 * (1 + behind[i])));
        }
        return arms;
    }

    @Test
    void thoseThatAreClearlySlowerLeaveAndTheFastestStays() {
        VirtualGpu virtual = new VirtualGpu(now -> 1 - 0.02 * now / 1e9, 0.005, 1);
        List<Arm> arms = arms(virtual, 0.05, 0.002, 0.1, 0, 0.04, 0.03);
        SameClock rounds = rounds(virtual, 1);
        Race.Outcome<Arm> outcome = new Race(rounds, PLAN).run(arms, null, 2);
        assertThat(outcome.noisy()).isFalse();
        assertThat(outcome.arms()).extracting(Arm::name).containsExactlyInAnyOrder("arm3", "arm1");
        assertThat(outcome.log())
                .hasSize(4)
                .allSatisfy(line -> assertThat(line)
                        .containsPattern("arm\\d left after 4 blocks: \\d+\\.\\d % behind arm\\d, interval \\["));
        assertThat(rounds.timed().runs("arm2", Mode.SUSTAINED))
                .as("who left does not run on")
                .hasSizeLessThan(rounds.timed().runs("arm3", Mode.SUSTAINED).size() + 1);
    }

    @Test
    void nobodyLeavesWithinTheMargin() {
        VirtualGpu virtual = new VirtualGpu(now -> 1, 0.002, 1);
        Race race = new Race(rounds(virtual, 1), new RacePlan(4, 4, 24, new Elimination(0.07, RULE.error())));
        Race.Outcome<Arm> outcome = race.run(arms(virtual, 0, 0.06, 0.05, 0.12), null, 1);
        assertThat(outcome.arms()).extracting(Arm::name).containsExactly("arm0", "arm2", "arm1");
    }

    @Test
    void neverMoreLeaveThanMust() {
        VirtualGpu virtual = new VirtualGpu(now -> 1, 0.001, 1);
        Race.Outcome<Arm> outcome = new Race(rounds(virtual, 1), PLAN).run(arms(virtual, 0.3, 0.2, 0, 0.1), null, 3);
        assertThat(outcome.arms()).extracting(Arm::name).containsExactly("arm2", "arm3", "arm1");
    }

    @Test
    void theBestOfEqualArmsLeavesNoMoreOftenThanPromised() {
        int lost = 0;
        int races = 100;
        for (int seed = 0; seed < races; seed++) {
            VirtualGpu virtual = new VirtualGpu(now -> 1, 0.005, seed);
            List<Arm> arms = arms(virtual, 0, 0, 0, 0, 0);
            lost += new Race(rounds(virtual, seed), PLAN)
                            .run(arms, null, 1)
                            .arms()
                            .contains(arms.get(2))
                    ? 0
                    : 1;
        }
        assertThat(lost).as("of " + races + " at 5 %").isLessThanOrEqualTo(9);
    }

    @Test
    void theAnchorRunsInEveryBlockAndNeverLeaves() {
        VirtualGpu virtual = new VirtualGpu(now -> 1, 0.005, 1);
        SameClock rounds = rounds(virtual, 1);
        Arm anchor = virtual.arm("anchor", 300_000);
        Race.Outcome<Arm> outcome = new Race(rounds, PLAN).run(arms(virtual, 0.05, 0, 0.04), anchor, 1);
        assertThat(outcome.arms()).extracting(Arm::name).containsExactly("arm1");
        assertThat(rounds.timed().runs("anchor", Mode.SUSTAINED))
                .hasSameSizeAs(rounds.timed().runs("arm1", Mode.SUSTAINED));
        assertThat(rounds.timed()
                        .paired("arm1", "anchor", Mode.SUSTAINED)
                        .ratio()
                        .value())
                .isBetween(1.48, 1.52);
    }

    @Test
    void withoutRivalsToLoseNothingIsRun() {
        VirtualGpu virtual = new VirtualGpu(now -> 1, 0, 1);
        List<Arm> arms = arms(virtual, 0.1, 0);
        assertThat(new Race(rounds(virtual, 1), PLAN).run(arms, null, 2).arms()).isEqualTo(arms);
        assertThat(virtual.nowNs()).isZero();
    }

    @Test
    void noiseStopsARace() {
        VirtualGpu virtual = new VirtualGpu(now -> 1, 0, 1);
        virtual.reasons = now -> 0x80;
        Race.Outcome<Arm> outcome = new Race(rounds(virtual, 1), PLAN).run(arms(virtual, 0.1, 0, 0.2), null, 1);
        assertThat(outcome.noisy()).isTrue();
        assertThat(outcome.ranked()).as("nobody is known to be slower").hasSize(3);
    }

    @Test
    void aPlanMakesSense() {
        assertThatThrownBy(() -> new RacePlan(1, 1, 8, RULE)).hasMessageContaining("at least 2 blocks");
        assertThatThrownBy(() -> new RacePlan(4, 1, 3, RULE)).hasMessageContaining("got 4, 1 and 3");
    }
}
