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
 * error of the times, and the interval of the effect is widened by that bound, to both sides. Of two bounds the greater
 * one counts. The verdict is the one that the wider interval shows, so a more favourable interval never has a less
 * favourable verdict. It does not matter whether the effect ended by its rule or with the time: intervals of all looks
 * hold.
 *
 * <p>A sentinel that came out as it must widens nothing. Equal did so if its interval lies within the margins to both
 * sides, where an effect of that size is neither faster nor fails. Slowed did so if its interval is above the margin
 * that fails and holds 2 %. How far it goes above 2 % is not asked, since its blocks end as soon as it fails. One that
 * fails and excludes 2 % is no fault and bounds the error like any other: one step more in fifty is 2 %, but a GPU that
 * is limited by its power makes up for a part of a wait.
 *
 * <p>No effect is large enough where a sentinel shows that the times are wrong. Equal does so if its interval shows it
 * slower, or faster, by more than a margin. Slowed does so unless its interval is above the margin that fails, or above
 * 0 and holds 2 %: times that work does not change show no effect, and intervals that hold 0 leave open whether it
 * does.
 *
 * <p>This has limits. Each bound of the three intervals has its own confidence, such as 99 %, and that of all of them
 * together is less. The sentinels are of blocks of the same run, and not always of those of the effect, since a
 * question that is decided has no more runs: an error of a few blocks alone may be in one of them and not in the
 * others.
 *
 * @param verdict of the wider interval; inconclusive if that shows none, or if the times are wrong
 * @param reason why, in one sentence
 */
public record ProgramDecision(GateVerdict verdict, String reason) {

    private static final Margins OF_SENTINELS = Sentinel.MARGINS;

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
            return new ProgramDecision(GateVerdict.INCONCLUSIVE, effect.reason());
        }
        Effect same = equal.effect();
        Effect more = slowed.effect();
        if (same == null || more == null) {
            return new ProgramDecision(
                    GateVerdict.INCONCLUSIVE, "a sentinel has no result: " + (same == null ? equal : slowed).reason());
        }
        return fault(same, more)
                .map(fault -> new ProgramDecision(GateVerdict.INCONCLUSIVE, fault))
                .orElseGet(() -> widened(margins, seen, errorByEqual(same), errorBySlowed(more)));
    }

    private static ProgramDecision widened(Margins margins, Effect seen, double byEqual, double bySlowed) {
        double error = Math.max(byEqual, bySlowed);
        // Percents are added: their product would move a margin of 1 % by no more than the error's part of it.
        double low = seen.low() - error;
        double high = seen.high() + error;
        GateVerdict verdict = shown(low, high, margins);
        String claim = verdict == GateVerdict.INCONCLUSIVE
                ? "leaves open whether the program is " + StageDecision.claim(GateVerdict.FAIL, margins)
                : "shows that the program is " + StageDecision.claim(verdict, margins);
        if (error == 0) {
            return new ProgramDecision(verdict, "the interval of the effect " + claim);
        }
        return new ProgramDecision(
                verdict,
                String.format(
                        Locale.ROOT,
                        "sentinel %s shows the times to be right to +-%.2f %% only; widened by that the effect is"
                                + " [%+.2f, %+.2f], which %s",
                        byEqual < bySlowed ? "slowed" : "equal",
                        error,
                        low,
                        high,
                        claim));
    }

    private static Optional<String> fault(Effect equal, Effect slowed) {
        GateVerdict itself = shown(equal.low(), equal.high(), OF_SENTINELS);
        if (itself != GateVerdict.PASS && itself != GateVerdict.INCONCLUSIVE) {
            return Optional.of("the program differs from itself, so that its times are not to be trusted");
        }
        double injected = Sentinel.SLOWED.slowedByPercent();
        return fails(slowed) || (slowed.low() > 0 && slowed.high() >= injected)
                ? Optional.empty()
                : Optional.of(String.format(
                        Locale.ROOT,
                        "the times do not show %.0f %% more to do: the interval of sentinel slowed must be above"
                                + " %.0f %%, or above 0 and hold %.0f %%",
                        injected,
                        OF_SENTINELS.fail(),
                        injected));
    }

    /** How far off the times may be, in percent; 0 if that is within the margins. */
    private static double errorByEqual(Effect equal) {
        boolean within = equal.low() >= -OF_SENTINELS.warn() && equal.high() <= OF_SENTINELS.fail();
        return within ? 0 : farther(equal, Sentinel.EQUAL);
    }

    private static double errorBySlowed(Effect slowed) {
        boolean told = fails(slowed)
                && slowed.low() <= Sentinel.SLOWED.slowedByPercent()
                && slowed.high() >= Sentinel.SLOWED.slowedByPercent();
        return told ? 0 : farther(slowed, Sentinel.SLOWED);
    }

    private static boolean fails(Effect slowed) {
        return shown(slowed.low(), slowed.high(), OF_SENTINELS) == GateVerdict.FAIL;
    }

    /** From the truth of a sentinel to the end of its interval that is farther away, in percent. */
    private static double farther(Effect seen, Sentinel sentinel) {
        double truth = sentinel.slowedByPercent();
        return Math.max(Math.abs(seen.low() - truth), Math.abs(seen.high() - truth));
    }

    /** @param low in percent, like {@code high}; a bound that is widened may be below -100 */
    private static GateVerdict shown(double low, double high, Margins margins) {
        return StageBounds.shown(GateRule.threshold(Math.max(low, -100)), GateRule.threshold(high), margins);
    }
}
