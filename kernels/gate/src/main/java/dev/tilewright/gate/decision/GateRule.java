package dev.tilewright.gate.decision;

import dev.tilewright.gate.document.Margins;
import dev.tilewright.model.exchange.StopRule;
import java.util.List;

/**
 * How sure a gate is of what it says, and how long it times a case.
 *
 * @param error greatest probability that a bound misses the truth, over all looks; for the whole gate, that equal
 *     kernels fail
 * @param looks how many blocks there are at each look; the last one ends a case
 * @param cases of the gate. The more there are, the surer a look must be to end a case as failed, or the gate could not
 *     fail it
 */
public record GateRule(double error, List<Integer> looks, int cases) {

    /** One in a hundred; 10, 20 and 40 blocks. A block has two runs of 2 ms. */
    public static final GateRule STANDARD = new GateRule(0.01, List.of(10, 20, 40));

    /** The version stored beside a verdict. A change of a rule in this package that changes verdicts counts it up. */
    public static final String VERSION = "1";

    public GateRule {
        looks = List.copyOf(looks);
        StopRule.requireLooks(looks);
        StopRule.requireError(error);
        if (cases < 1) {
            throw new IllegalArgumentException("a rule is for at least one case, got " + cases);
        }
    }

    /** The rule for one case. */
    public GateRule(double error, List<Integer> looks) {
        this(error, looks, 1);
    }

    /** The same for a gate of so many cases. */
    public GateRule among(int number) {
        return new GateRule(error, looks, Math.max(1, number));
    }

    /** The stop rule of the runner: it times until it is clear whether the case fails, and whether it is faster. */
    public StopRule stopRule(Margins margins) {
        return new StopRule(
                looks, List.of(-threshold(margins.warn()), threshold(margins.fail())), error / cases, error);
    }

    /** The logarithm of a slowdown in percent. */
    static double threshold(double percent) {
        return Math.log1p(percent / 100);
    }
}
