package dev.tilewright.worker.cli.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.gate.decision.ProgramDecision;
import dev.tilewright.gate.document.GateVerdict;
import dev.tilewright.gate.document.Margins;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Steps of drawn length: the verdict is that of the gate, and a machine that cannot tell gives none. */
class ProgramRaceTest {

    private static final double STEP_NS = 8e6;
    private static final Duration LONG = Duration.ofDays(1);

    /**
     * A program.
     *
     * @param noise standard deviation of the logarithm of a turn's time
     */
    private record Drawn(double factor, double noise, Random random) implements Arm {
        @Override
        public double run(Turn turn) {
            return turn.steps() * slowed(STEP_NS * factor, turn) * Math.exp(noise * random.nextGaussian());
        }
    }

    private static double slowed(double stepNs, Arm.Turn turn) {
        return stepNs * (1 + turn.slowedPercent() / 100);
    }

    /** Its clock goes on by a nanosecond whenever it is asked. */
    private static ProgramRace race(Arm plain, Arm pack) {
        AtomicLong asked = new AtomicLong();
        return new ProgramRace(
                plain,
                pack,
                ProgramRace.RULE,
                Margins.STANDARD,
                10,
                ProgramRace.BLOCK,
                new Random(3),
                asked::getAndIncrement);
    }

    private static ProgramRace race(double factor, double noise) {
        Random random = new Random(20261128);
        return race(new Drawn(1, noise, random), new Drawn(factor, noise, random));
    }

    /** Both sentinels came out as they must. */
    private static ProgramDecision asTheEffect(ProgramTimes seen) {
        return new ProgramDecision(
                seen.effect().verdict(),
                "the interval of the effect shows that the program is "
                        + switch (seen.effect().verdict()) {
                            case FASTER -> "faster by more than 0.50 %";
                            case PASS -> "not slower by 1 %";
                            case WARN -> "slower by more than 0.50 %";
                            case FAIL -> "slower by more than 1 %";
                            case INCONCLUSIVE, UNCHANGED_BINARY, INVALID -> throw new AssertionError(seen.toString());
                        });
    }

    @ParameterizedTest
    @CsvSource({"0.94,faster", "1,pass", "1.004,pass", "1.008,warn", "1.02,fail"})
    void theVerdictIsThatOfTheGate(double factor, String verdict) throws IOException, InterruptedException {
        ProgramTimes seen = race(factor, 0.002).run(LONG);

        assertThat(seen.decision()).as(seen.toString()).isEqualTo(asTheEffect(seen));
        assertThat(seen.effect().verdict()).hasToString(verdict);
        assertThat(seen.steps()).isEqualTo(100);
        assertThat(seen.candidateNs() / seen.baselineNs()).isBetween(factor - 0.004, factor + 0.004);
    }

    @Test
    void aMachineThatCannotTellGivesNoVerdict() throws IOException, InterruptedException {
        ProgramTimes seen = race(0.94, 1).run(LONG);

        assertThat(seen.decision().verdict()).isEqualTo(GateVerdict.INCONCLUSIVE);
        assertThat(seen.slowed().verdict()).isEqualTo(GateVerdict.INCONCLUSIVE);
    }

    /** Long steps wait at their end instead: those of this program are delayed by nothing. */
    @Test
    void aSlowdownThatIsNotSeenIsNotTrusted() throws IOException, InterruptedException {
        Random random = new Random(1);
        Arm deaf = turn -> turn.steps() * 10 * STEP_NS * (1 + 0.002 * random.nextGaussian());
        ProgramTimes unseen = race(deaf, new Drawn(9.4, 0.002, random)).run(LONG);

        assertThat(unseen.effect().verdict()).isEqualTo(GateVerdict.FASTER);
        assertThat(unseen.steps()).isEqualTo(7);
        assertThat(unseen.decision().verdict()).isEqualTo(GateVerdict.INCONCLUSIVE);
        assertThat(unseen.decision().reason()).startsWith("the times do not show 2 % more to do");

        ProgramTimes seen = race(new Drawn(10, 0.002, random), new Drawn(9.4, 0.002, random))
                .run(LONG);

        assertThat(seen.decision()).as(seen.toString()).isEqualTo(asTheEffect(seen));
    }

    /** As of a model with a cache: the same program on both sides is as fast, however its steps grow. */
    @Test
    void stepsThatGrowAreTheSameOnBothSides() throws IOException, InterruptedException {
        Random random = new Random(7);
        ProgramTimes seen = race(new Growing(random), new Growing(random)).run(LONG);

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
        public double run(Turn turn) {
            double first = taken;
            taken += turn.steps();
            double middle = (first + taken) / 2;
            return turn.steps() * slowed(STEP_NS * (1 + 1e-5 * middle), turn) * (1 + 0.002 * random.nextGaussian());
        }
    }

    /** As on a shared machine: its slowest core takes 1.7 times as long as its fastest. */
    @Test
    void coresThatDifferAreToldFromPrograms() throws IOException, InterruptedException {
        Random random = new Random(11);
        List<OptionalInt> plainCores = new ArrayList<>();
        List<OptionalInt> packCores = new ArrayList<>();
        ProgramTimes seen = race(onCores(1, random, plainCores), onCores(0.94, random, packCores))
                .run(LONG);

        assertThat(seen.decision()).as(seen.toString()).isEqualTo(asTheEffect(seen));
        assertThat(seen.effect().verdict()).isEqualTo(GateVerdict.FASTER);
        assertThat(plainCores.subList(0, 2)).as("compilers may use all").containsOnly(OptionalInt.empty());
        List<OptionalInt> blocks =
                plainCores.stream().filter(OptionalInt::isPresent).distinct().toList();
        assertThat(blocks).as("drawn anew for each block").hasSizeGreaterThan(8);
        assertThat(packCores.stream().filter(OptionalInt::isPresent).distinct())
                .as("of both programs")
                .isSubsetOf(blocks);
    }

    /** A program on a machine of 16 cores; what is bound to none gets any. */
    private static Arm onCores(double factor, Random random, List<OptionalInt> seen) {
        return turn -> {
            seen.add(turn.core());
            int core = turn.core().orElseGet(() -> random.nextInt(16)) % 16;
            return turn.steps()
                    * slowed(STEP_NS * factor * (1 + 0.7 * core / 15), turn)
                    * (1 + 0.002 * random.nextGaussian());
        };
    }

    /** As seen on an H200 node: for seconds at a time all that the host computes takes nearly twice as long. */
    @ParameterizedTest
    @CsvSource({"13,4,4", "14,4,4", "15,1,8", "16,8,1"})
    void aHostThatChangesItsSpeedIsToldFromPrograms(long seed, double fastS, double slowS)
            throws IOException, InterruptedException {
        Host host = new Host(new Random(seed), fastS, slowS);
        ProgramTimes seen = race(host.program(1), host.program(0.94)).run(LONG);

        assertThat(seen.decision().verdict()).as(seen.toString()).isEqualTo(GateVerdict.FASTER);
        assertThat(seen.effect().verdict()).isEqualTo(GateVerdict.FASTER);
        assertThat(seen.turns()).isEqualTo(25);
        assertThat(seen.steps()).isBetween(50, 75);
        assertThat(seen.candidateNs() / seen.baselineNs()).isBetween(0.9, 0.98);
    }

    private static final class Host {
        private final Random random;
        private final double fastS;
        private final double slowS;
        private double untilNs;
        private double nowNs;
        private boolean slow;

        /** It keeps each of its speeds for 1 s, and for up to so many more. */
        Host(Random random, double fastS, double slowS) {
            this.random = random;
            this.fastS = fastS;
            this.slowS = slowS;
        }

        Arm program(double factor) {
            return turn -> {
                double took = 0;
                for (int i = 0; i < turn.steps(); i++) {
                    if (nowNs > untilNs) {
                        slow = !slow;
                        untilNs = nowNs + (1 + (slow ? slowS : fastS) * random.nextDouble()) * 1e9;
                    }
                    double step =
                            slowed(STEP_NS * factor * (slow ? 1.9 : 1), turn) * (1 + 0.08 * random.nextGaussian());
                    took += step;
                    nowNs += step;
                }
                return took;
            };
        }
    }

    /** Twice as fast is decided early, and the sentinels take longer: they need no turn of the pack. */
    @Test
    void whatIsDecidedIsRunNoLonger() throws IOException, InterruptedException {
        Random random = new Random(5);
        Counting plain = new Counting(new Drawn(1, 0.012, random));
        Counting pack = new Counting(new Drawn(0.5, 0.012, random));
        ProgramTimes seen = race(plain, pack).run(LONG);

        assertThat(seen.effect().verdict()).isEqualTo(GateVerdict.FASTER);
        int decided = seen.effect().blocks();
        assertThat(seen.equal().blocks()).isGreaterThan(decided);
        // Warm-up, one step, and blocks with three turns of 1 and 100 steps, and two steps more.
        assertThat(pack.steps).isEqualTo(10 + 1 + decided * (3 * 101 + 2));
        assertThat(plain.steps).isGreaterThan(2 * pack.steps);
    }

    private static final class Counting implements Arm {
        private final Arm arm;
        private int steps;

        Counting(Arm arm) {
            this.arm = arm;
        }

        @Override
        public double run(Turn turn) throws IOException, InterruptedException {
            steps += turn.steps();
            return arm.run(turn);
        }
    }

    @Test
    void whenTimeIsUpWhatWasSeenIsDecided() throws IOException, InterruptedException {
        ProgramTimes seen = race(0.94, 0.002).run(Duration.ZERO);

        assertThat(seen.effect().verdict()).isEqualTo(GateVerdict.INCONCLUSIVE);
        assertThat(seen.effect().reason()).isEqualTo("only 1 block counts, the first look is at 10");
    }

    /** The effect is decided early; time is up while the program beside itself is still open. */
    @Test
    void anEffectBeyondTheErrorOfTheTimesStands() throws IOException, InterruptedException {
        // The clock goes on by a nanosecond a block.
        ProgramTimes seen = race(0.84, 0.012).run(Duration.ofNanos(43));

        assertThat(seen.effect().verdict()).as(seen.toString()).isEqualTo(GateVerdict.FASTER);
        assertThat(seen.effect().blocks()).isLessThan(20);
        assertThat(seen.equal().verdict()).isEqualTo(GateVerdict.INCONCLUSIVE);
        assertThat(seen.equal().blocks()).isEqualTo(40);
        assertThat(seen.decision().verdict()).isEqualTo(GateVerdict.FASTER);
        assertThat(seen.decision().reason()).startsWith("sentinel ").contains(" which shows ");
    }

    /** A race in turns that does not come to its first look says what was seen before. */
    @Test
    void aRaceThatBeginsAnewTooLateHasTheFirstResult() throws IOException, InterruptedException {
        Host host = new Host(new Random(13), 4, 4);
        // Ten blocks, and two in 25 turns.
        ProgramTimes seen = race(host.program(1), host.program(0.94)).run(Duration.ofNanos(10 + 2 * 25));

        assertThat(seen.turns()).isEqualTo(1);
        assertThat(seen.equal().effect()).isNotNull();
    }

    @Test
    void aProgramThatEndsEndsTheRace() {
        Arm brief = _ -> {
            throw new IOException("the program ended");
        };
        assertThatThrownBy(() -> race(brief, brief).run(LONG)).hasMessage("the program ended");
    }
}
