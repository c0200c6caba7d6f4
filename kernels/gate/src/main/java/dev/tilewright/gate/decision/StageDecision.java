package dev.tilewright.gate.decision;

import dev.tilewright.gate.document.Effect;
import dev.tilewright.gate.document.GateVerdict;
import dev.tilewright.gate.document.Margins;
import dev.tilewright.gate.statistics.BlockMean;
import dev.tilewright.gate.statistics.HodgesLehmann;
import dev.tilewright.gate.statistics.OrderEffect;
import dev.tilewright.gate.statistics.SignFlip;
import dev.tilewright.model.text.Count;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The decision on a case by the blocks of one process.
 *
 * @param verdict of these blocks alone
 * @param effect {@code null} if there are fewer blocks than the first look has
 * @param blocks at which the rule ended: more of them change nothing
 * @param reason why, in one sentence
 */
public record StageDecision(GateVerdict verdict, @Nullable Effect effect, int blocks, String reason) {

    /** Of the flips. */
    private static final long SEED = 1;

    /** Decides by blocks that nobody doubts. */
    public static StageDecision of(GateRule rule, Margins margins, List<PairedBlock> blocks) {
        return of(rule, margins, blocks, List.of());
    }

    /**
     * Decides.
     *
     * @param blocks that count, in the order in which they were run
     * @param doubts why they are not to be trusted; with one there is no verdict
     */
    public static StageDecision of(GateRule rule, Margins margins, List<PairedBlock> blocks, List<String> doubts) {
        int first = rule.looks().getFirst();
        if (blocks.size() < first) {
            String few = "only " + Count.of(blocks.size(), "block counts", "blocks count") + ", the first look is at "
                    + first;
            return new StageDecision(
                    GateVerdict.INCONCLUSIVE, null, 0, doubts.isEmpty() ? few : String.join("; ", doubts));
        }
        double[] times = blocks.stream().mapToDouble(PairedBlock::logRatio).toArray();
        StageBounds bounds = StageBounds.of(rule, margins, times);
        List<PairedBlock> counted = blocks.subList(0, bounds.seen().blocks());
        Effect effect = effect(rule, margins, bounds, counted);
        if (!doubts.isEmpty()) {
            return new StageDecision(GateVerdict.INCONCLUSIVE, effect, counted.size(), String.join("; ", doubts));
        }
        GateVerdict verdict = bounds.verdict(margins);
        if (verdict == GateVerdict.FAIL && !ClockCheck.of(counted).agrees(rule, margins)) {
            return new StageDecision(
                    GateVerdict.WARN,
                    effect,
                    counted.size(),
                    "slower by " + words(effect) + ", but not in cycles: the kernels did not run at one clock");
        }
        return new StageDecision(verdict, effect, counted.size(), reason(rule, margins, bounds, verdict, effect));
    }

    private static Effect effect(GateRule rule, Margins margins, StageBounds bounds, List<PairedBlock> blocks) {
        double[] times = blocks.stream().mapToDouble(PairedBlock::logRatio).toArray();
        boolean[] candidateSecond = new boolean[times.length];
        for (int i = 0; i < times.length; i++) {
            candidateSecond[i] = !blocks.get(i).candidateFirst();
        }
        double threshold = GateRule.threshold(margins.fail());
        BlockMean seen = bounds.seen();
        return new Effect(
                percent(seen.mean()),
                percent(bounds.low()),
                percent(bounds.high()),
                1 - rule.error(),
                seen.blocks(),
                seen.effectiveBlocks(),
                percent(HodgesLehmann.centre(times)),
                percent(seen.deviation()),
                percent(seen.detectable(rule.error())),
                bounds.p(),
                SignFlip.greater(Arrays.stream(times).map(y -> y - threshold).toArray(), SEED),
                OrderEffect.of(times, candidateSecond)
                        .map(order -> percent(order.gamma()))
                        .orElse(0.0));
    }

    /** A few blocks bound a slowdown by any number of digits, or not at all. */
    private static double percent(double logarithm) {
        return Math.min(100 * Math.expm1(logarithm), Effect.MOST_PERCENT);
    }

    private static String reason(
            GateRule rule, Margins margins, StageBounds bounds, GateVerdict verdict, Effect effect) {
        String seen = words(effect);
        if (!bounds.isOver()) {
            return seen + ": " + effect.blocks() + " of " + rule.looks().getLast()
                    + " blocks do not suffice for a verdict";
        }
        return switch (verdict) {
            case FAIL, WARN, FASTER, PASS -> seen + ": " + claim(verdict, margins);
            case INCONCLUSIVE ->
                seen + ": the bounds are on both sides of " + number(margins.fail()) + " %, and the lower one is below "
                        + number(margins.warn()) + " %";
            case UNCHANGED_BINARY, INVALID -> throw new IllegalStateException("blocks do not say " + verdict);
        };
    }

    /** The claim of a verdict, without its subject. */
    static String claim(GateVerdict verdict, Margins margins) {
        return switch (verdict) {
            case FAIL -> "slower by more than " + number(margins.fail()) + " %";
            case WARN -> "slower by more than " + number(margins.warn()) + " %";
            case FASTER -> "faster by more than " + number(margins.warn()) + " %";
            case PASS -> "not slower by " + number(margins.fail()) + " %";
            case INCONCLUSIVE, UNCHANGED_BINARY, INVALID ->
                throw new IllegalArgumentException("blocks that are " + verdict + " claim nothing");
        };
    }

    private static String number(double percent) {
        return String.format(Locale.ROOT, percent == Math.rint(percent) ? "%.0f" : "%.2f", percent);
    }

    /** An effect with its bounds. */
    public static String words(Effect effect) {
        return String.format(
                Locale.ROOT,
                "%+.2f %% [%+.2f, %+.2f] in %s",
                effect.percent(),
                effect.low(),
                effect.high(),
                Count.of(effect.blocks(), "block"));
    }
}
