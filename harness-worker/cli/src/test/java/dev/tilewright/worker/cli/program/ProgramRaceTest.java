package dev.tilewright.worker.cli.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.gate.document.GateVerdict;
import dev.tilewright.gate.document.Margins;
import java.io.IOException;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Steps of drawn length: the verdict is that of the gate, and a machine that cannot tell gives none. */
class ProgramRaceTest {

    private static final double STEP_NS = 8e6;

    /**
     * A program.
     *
     * @param noise standard deviation of a turn, as a part of its time
     */
    private record Drawn(double factor, double noise, Random random) implements Arm {
        @Override
        public double run(int steps, double slowedNs) {
            return steps * (STEP_NS * factor + slowedNs) * (1 + noise * random.nextGaussian());
        }
    }

    private static ProgramRace race(Arm plain, Arm pack) {
        return new ProgramRace(plain, pack, ProgramRace.RULE, Margins.STANDARD, 10, ProgramRace.BLOCK, new Random(3));
    }

    private static ProgramRace race(double factor, double noise) {
        Random random = new Random(20261128);
        return race(new Drawn(1, noise, random), new Drawn(factor, noise, random));
    }

    @ParameterizedTest
    @CsvSource({"0.94,faster", "1,pass", "1.004,pass", "1.008,warn", "1.02,fail"})
    void theVerdictIsThatOfTheGate(double factor, String verdict) throws IOException, InterruptedException {
        ProgramRace.Seen seen = race(factor, 0.002).run(() -> false);

        assertThat(seen.isTrusted()).as(seen.toString()).isTrue();
        assertThat(seen.effect().verdict()).hasToString(verdict);
        assertThat(seen.steps()).isEqualTo(100);
        assertThat(seen.packNs() / seen.plainNs()).isBetween(factor - 0.004, factor + 0.004);
    }

    @Test
    void aMachineThatCannotTellGivesNoVerdict() throws IOException, InterruptedException {
        ProgramRace.Seen seen = race(0.94, 0.2).run(() -> false);

        assertThat(seen.isTrusted()).isFalse();
        assertThat(seen.slowed().verdict()).isEqualTo(GateVerdict.INCONCLUSIVE);
    }

    /** Long steps wait at their end instead: those of this program are delayed by nothing. */
    @Test
    void aSlowdownThatIsNotSeenIsNotTrusted() throws IOException, InterruptedException {
        Random random = new Random(1);
        Arm deaf = (steps, _) -> steps * 10 * STEP_NS * (1 + 0.002 * random.nextGaussian());
        ProgramRace.Seen unseen = race(deaf, new Drawn(9.4, 0.002, random)).run(() -> false);

        assertThat(unseen.effect().verdict()).isEqualTo(GateVerdict.FASTER);
        assertThat(unseen.steps()).isEqualTo(7);
        assertThat(unseen.isTrusted()).isFalse();

        ProgramRace.Seen seen = race(new Drawn(10, 0.002, random), new Drawn(9.4, 0.002, random))
                .run(() -> false);

        assertThat(seen.isTrusted()).as(seen.toString()).isTrue();
    }

    /** As of a model with a cache: the same program on both sides is as fast, however its steps grow. */
    @Test
    void stepsThatGrowAreTheSameOnBothSides() throws IOException, InterruptedException {
        Random random = new Random(7);
        ProgramRace.Seen seen = race(new Growing(random), new Growing(random)).run(() -> false);

        assertThat(seen.effect().verdict()).as(seen.toString()).isEqualTo(GateVerdict.PASS);
    }

    /** A step takes 0.001 % longer than the one before. */
    private static final class Growing implements Arm {
        private final Random random;
        private int taken;

        Growing(Random random) {
            this.random = random;
        }

        @Override
        public double run(int steps, double slowedNs) {
            double first = taken;
            taken += steps;
            double middle = (first + taken) / 2;
            return steps * (STEP_NS * (1 + 1e-5 * middle) + slowedNs) * (1 + 0.002 * random.nextGaussian());
        }
    }

    /** Twice as fast is decided at the first look, and the sentinels take longer: they need no turn of the pack. */
    @Test
    void whatIsDecidedIsRunNoLonger() throws IOException, InterruptedException {
        Random random = new Random(5);
        Counting plain = new Counting(new Drawn(1, 0.012, random));
        Counting pack = new Counting(new Drawn(0.5, 0.012, random));
        ProgramRace.Seen seen = race(plain, pack).run(() -> false);

        assertThat(seen.effect().verdict()).isEqualTo(GateVerdict.FASTER);
        assertThat(seen.effect().blocks()).isEqualTo(10);
        assertThat(seen.equal().blocks()).isGreaterThan(20);
        // Warm-up, the first block, and ten blocks with three turns of 1 and 100 steps, and two steps more.
        assertThat(pack.steps).isEqualTo(10 + 1 + 10 * (3 * 101 + 2));
        assertThat(plain.steps).isGreaterThan(2 * pack.steps);
    }

    private static final class Counting implements Arm {
        private final Arm arm;
        private int steps;

        Counting(Arm arm) {
            this.arm = arm;
        }

        @Override
        public double run(int steps, double slowedNs) throws IOException, InterruptedException {
            this.steps += steps;
            return arm.run(steps, slowedNs);
        }
    }

    @Test
    void whenTimeIsUpWhatWasSeenIsDecided() throws IOException, InterruptedException {
        ProgramRace.Seen seen = race(0.94, 0.002).run(() -> true);

        assertThat(seen.effect().verdict()).isEqualTo(GateVerdict.INCONCLUSIVE);
        assertThat(seen.effect().reason()).isEqualTo("only 1 block counts, the first look is at 10");
    }

    @Test
    void aProgramThatEndsEndsTheRace() {
        Arm brief = (_, _) -> {
            throw new IOException("the program ended");
        };
        assertThatThrownBy(() -> race(brief, brief).run(() -> false)).hasMessage("the program ended");
    }
}
