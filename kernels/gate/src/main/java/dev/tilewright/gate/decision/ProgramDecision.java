package dev.tilewright.gate.decision;

import dev.tilewright.gate.document.Effect;
import dev.tilewright.gate.document.GateVerdict;
import dev.tilewright.gate.document.Margins;
import java.util.Locale;
import java.util.Optional;

/**
 * The decision on a program with a pack, by the effect of the pack and by two sentinels: the program beside itself, and
 * beside itself with 2 % more to do.
 *
 * <p>The truth of a sentinel is known: 0 or 2 %. The end of its interval that is farther from the truth bounds the
 * error of the times. Where equal passes and slowed fails, that error is small enough for the margins. A sentinel that
 * is not so far widens the interval of the effect by its bound, to both sides; of two the greater bound counts. The
 * verdict then stands if the wider interval shows it too, since the times cannot be wrong by as much as the effect is
 * beyond its margin.
 *
 * <p>No effect is large enough where a sentinel shows that the times are wrong. Equal does so if it is slower, or
 * faster, by more than a margin. Slowed does so unless its interval is above 0 and holds 2 %: times that work does not
 * change show no effect, and intervals that hold 0 leave open whether it does.
 *
 * @param verdict that of the effect if it stands, otherwise inconclusive
 * @param remark on the sentinels, in one sentence; empty if both came out as they must, or if the effect has no verdict
 *     by itself and they are not to blame
 */
public record ProgramDecision(GateVerdict verdict, Optional<String> remark) {

    /**
     * Decides.
     *
     * @param margins of the effect
     * @param equal decided with {@link Sentinel#MARGINS}
     * @param slowed likewise
     */
    public static ProgramDecision of(Margins margins, StageDecision effect, StageDecision equal, StageDecision slowed) {
        Effect seen = effect.effect();
        if (seen == null) {
            return new ProgramDecision(GateVerdict.INCONCLUSIVE, Optional.empty());
        }
        Optional<String> fault = fault(equal, slowed);
        if (fault.isPresent() || effect.verdict() == GateVerdict.INCONCLUSIVE) {
            return new ProgramDecision(GateVerdict.INCONCLUSIVE, fault);
        }
        double byEqual = error(Sentinel.EQUAL, equal);
        double bySlowed = error(Sentinel.SLOWED, slowed);
        double error = Math.max(byEqual, bySlowed);
        if (error == 0) {
            return new ProgramDecision(effect.verdict(), Optional.empty());
        }
        // Percents are added: their product would move a margin of 1 % by no more than the error's part of it.
        double low = seen.low() - error;
        double high = seen.high() + error;
        boolean stands = holds(effect.verdict(), margins, low, high);
        String remark = String.format(
                Locale.ROOT,
                "sentinel %s shows the times to be right to +-%.2f %% only; widened by that the effect is [%+.2f, %+.2f],"
                        + " which %s that the program is %s",
                byEqual < bySlowed ? "slowed" : "equal",
                error,
                low,
                high,
                stands ? "still shows" : "does not show",
                StageDecision.claim(effect.verdict(), margins));
        return new ProgramDecision(stands ? effect.verdict() : GateVerdict.INCONCLUSIVE, Optional.of(remark));
    }

    private static Optional<String> fault(StageDecision equal, StageDecision slowed) {
        Effect same = equal.effect();
        Effect more = slowed.effect();
        if (same == null || more == null) {
            return Optional.of("a sentinel has no result: " + (same == null ? equal : slowed).reason());
        }
        if (equal.verdict() != GateVerdict.PASS && equal.verdict() != GateVerdict.INCONCLUSIVE) {
            return Optional.of("the program differs from itself, so that its times are not to be trusted");
        }
        double injected = Sentinel.SLOWED.slowedByPercent();
        boolean shows = more.low() > 0 && more.high() >= injected;
        return slowed.verdict() == Sentinel.SLOWED.expected() || shows
                ? Optional.empty()
                : Optional.of(String.format(
                        Locale.ROOT,
                        "the times do not show %.0f %% more to do: the interval of sentinel slowed must be above 0 and"
                                + " hold %.0f %%",
                        injected,
                        injected));
    }

    /** How far off the times may be, in percent; 0 if the sentinel came out as it must. */
    private static double error(Sentinel sentinel, StageDecision decision) {
        Effect seen = decision.effect();
        if (seen == null || decision.verdict() == sentinel.expected()) {
            return 0;
        }
        double truth = sentinel.slowedByPercent();
        return Math.max(Math.abs(seen.low() - truth), Math.abs(seen.high() - truth));
    }

    private static boolean holds(GateVerdict verdict, Margins margins, double low, double high) {
        return switch (verdict) {
            case FAIL -> low > margins.fail();
            case WARN -> low > margins.warn();
            case FASTER -> high < -margins.warn();
            case PASS -> high < margins.fail();
            case INCONCLUSIVE -> false;
            case UNCHANGED_BINARY, INVALID -> throw new IllegalStateException("blocks do not say " + verdict);
        };
    }
}
