package dev.tilewright.space.ranking;

import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.text.Count;
import dev.tilewright.model.trial.SchedulerEvidence;
import dev.tilewright.model.trial.TileTimes;
import dev.tilewright.model.trial.TimeInterval;
import dev.tilewright.space.device.LaunchModel;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Says in one sentence why one tile scheduler was faster than another: what the traces of both show, if they show
 * nothing what a model counts of their traffic, and no more.
 */
public final class WhyItWon {

    /** Differences of shares of time below this explain nothing. */
    private static final double WORTH_A_WORD = 0.005;

    /** A smaller part of the bytes explains nothing. */
    private static final double WORTH_OF_BYTES = 0.02;

    private WhyItWon() {}

    /**
     * A config under a tile scheduler.
     *
     * @param time by the same stage as that of the other
     * @param clockMhz median SM clock during that; {@code null} if it is not known
     * @param evidence {@code null} if it was not traced
     * @param l2Bytes read from L2 by one launch, as the model of the GPU counts them; {@code null} if there is none
     * @param simulated whether a model said all this
     */
    public record Side(
            String scheduler,
            TimeInterval time,
            @Nullable Double clockMhz,
            @Nullable SchedulerEvidence evidence,
            @Nullable Double l2Bytes,
            boolean simulated) {}

    /**
     * Bytes that a launch of a config reads from L2 by the model of a GPU; {@code null} if there is no such model. DRAM
     * traffic is left out: the cost model is good enough for an order, not to a few percent.
     */
    public static @Nullable Double readsOfL2(Optional<LaunchModel> model, Problem problem, Config config) {
        try {
            return model.map(known -> known.settled(problem, config).l2Bytes()).orElse(null);
        } catch (IllegalArgumentException beyondTheModel) {
            return null;
        }
    }

    /** The sentence on two of which either may be the faster. */
    public static String between(Side one, Side other) {
        return one.time().medianNs() <= other.time().medianNs() ? sentence(one, other) : sentence(other, one);
    }

    /** The sentence. */
    static String sentence(Side winner, Side other) {
        if (winner.time().ties(other.time())) {
            return winner.simulated()
                    ? "No difference that the model sees between " + winner.scheduler() + " and " + other.scheduler()
                            + "."
                    : "No difference beyond noise between " + winner.scheduler() + " and " + other.scheduler()
                            + ": their intervals " + interval(winner) + " and " + interval(other) + " overlap.";
        }
        String gain = winner.scheduler() + " is faster than " + other.scheduler() + " by " + gain(winner, other);
        return Stream.of(
                        idleTail(winner, other),
                        waves(winner, other),
                        lateStart(winner, other),
                        gaps(winner, other),
                        clock(winner, other),
                        spread(winner, other),
                        traffic(winner, other))
                .flatMap(Optional::stream)
                .findFirst()
                .map(reason -> gain + ": " + reason + ".")
                .orElseGet(() -> gain + unexplained(winner, other));
    }

    private static String interval(Side side) {
        Double low = side.time().lowNs();
        Double high = side.time().highNs();
        return low == null || high == null ? "" : "[" + us(low) + ", " + us(high) + " µs]";
    }

    private static String gain(Side winner, Side other) {
        String percent = percent(other.time().medianNs() / winner.time().medianNs() - 1);
        Double low = other.time().lowNs();
        Double high = other.time().highNs();
        Double ownLow = winner.time().lowNs();
        Double ownHigh = winner.time().highNs();
        return low == null || high == null || ownLow == null || ownHigh == null
                ? percent
                : percent + " [" + percent(low / ownHigh - 1) + ", " + percent(high / ownLow - 1) + "]";
    }

    private static Optional<String> idleTail(Side winner, Side other) {
        Double own = winner.evidence() == null ? null : winner.evidence().idleTailFraction();
        Double others = other.evidence() == null ? null : other.evidence().idleTailFraction();
        return own == null || others == null || others - own < WORTH_A_WORD
                ? Optional.empty()
                : Optional.of("at the end of " + other.scheduler() + " " + percent(others)
                        + " of the SMs' time is idle, at that of " + winner.scheduler() + " " + percent(own)
                        + busiest(winner, other).map(", and "::concat).orElse(""));
    }

    private static Optional<String> waves(Side winner, Side other) {
        return busiest(winner, other);
    }

    private static Optional<String> busiest(Side winner, Side other) {
        int own = mostTiles(winner);
        int others = mostTiles(other);
        return own == 0 || others <= own
                ? Optional.empty()
                : Optional.of("its busiest SM computes " + Count.of(others, "tile") + ", that of " + winner.scheduler()
                        + " " + own);
    }

    private static int mostTiles(Side side) {
        return side.evidence() == null || side.evidence().tilesPerSm().isEmpty()
                ? 0
                : Collections.max(side.evidence().tilesPerSm());
    }

    private static Optional<String> lateStart(Side winner, Side other) {
        double late = lateShare(other);
        return late - lateShare(winner) < WORTH_A_WORD
                ? Optional.empty()
                : Optional.of("SMs of " + other.scheduler() + " begin " + percent(late)
                        + " of its time after the first on average, those of " + winner.scheduler() + " "
                        + percent(lateShare(winner)));
    }

    /** For how long SMs wait for their first tile, as a share of the whole run. */
    private static double lateShare(Side side) {
        SchedulerEvidence evidence = side.evidence();
        if (evidence == null || evidence.firstStartNs().isEmpty()) {
            return 0;
        }
        double end = Collections.max(evidence.lastEndNs());
        return withTiles(evidence)
                        .mapToDouble(sm -> evidence.firstStartNs().get(sm))
                        .average()
                        .orElse(0)
                / Math.max(1, end);
    }

    private static Optional<String> gaps(Side winner, Side other) {
        OptionalDouble own = gaps(winner);
        OptionalDouble others = gaps(other);
        return own.isEmpty() || others.isEmpty() || others.getAsDouble() - own.getAsDouble() < WORTH_A_WORD
                ? Optional.empty()
                : Optional.of("before and between their tiles the SMs of " + other.scheduler() + " have none for "
                        + percent(others.getAsDouble()) + " of its time, those of " + winner.scheduler()
                        + " for " + percent(own.getAsDouble()));
    }

    private static OptionalDouble gaps(Side side) {
        return side.evidence() == null ? OptionalDouble.empty() : TileTimes.gapFraction(side.evidence());
    }

    private static Optional<String> clock(Side winner, Side other) {
        Double own = winner.clockMhz();
        Double others = other.clockMhz();
        return own == null || others == null || own / others - 1 < WORTH_A_WORD
                ? Optional.empty()
                : Optional.of("the GPU clocks at " + megahertz(others) + " under " + other.scheduler() + " and at "
                        + megahertz(own) + " under " + winner.scheduler());
    }

    private static Optional<String> spread(Side winner, Side other) {
        double own = spread(winner);
        double others = spread(other);
        return others - own < 2 * WORTH_A_WORD
                ? Optional.empty()
                : Optional.of("the ends of its SMs are spread over " + percent(others) + " of its time, those of "
                        + winner.scheduler() + " over " + percent(own));
    }

    /** Between the first and the last SM that ends, as a share of the whole run. */
    private static double spread(Side side) {
        SchedulerEvidence evidence = side.evidence();
        if (evidence == null || evidence.lastEndNs().isEmpty()) {
            return 0;
        }
        List<Long> ends =
                withTiles(evidence).mapToObj(evidence.lastEndNs()::get).toList();
        return ends.isEmpty() ? 0 : 1 - (double) Collections.min(ends) / Math.max(1, Collections.max(ends));
    }

    private static IntStream withTiles(SchedulerEvidence evidence) {
        return IntStream.range(
                        0,
                        Math.min(
                                evidence.tilesPerSm().size(),
                                evidence.lastEndNs().size()))
                .filter(sm -> evidence.tilesPerSm().get(sm) > 0);
    }

    private static Optional<String> traffic(Side winner, Side other) {
        Double own = winner.l2Bytes();
        Double others = other.l2Bytes();
        return own == null || others == null || own / others > 1 - WORTH_OF_BYTES
                ? Optional.empty()
                : Optional.of("the model counts " + bytes(others) + " read from L2 under " + other.scheduler() + " and "
                        + bytes(own) + " under " + winner.scheduler());
    }

    private static String bytes(double bytes) {
        return bytes < 1e9 ? format("%.1f MB", bytes / 1e6) : format("%.2f GB", bytes / 1e9);
    }

    private static String unexplained(Side winner, Side other) {
        if (winner.evidence() == null || other.evidence() == null) {
            return "; why is not known, for " + (winner.evidence() == null ? winner : other).scheduler()
                    + " was not traced.";
        }
        String none = ", and neither idle tail, tiles of the busiest SM, first tiles, gaps nor clock say why";
        Double own = winner.l2Bytes();
        Double others = other.l2Bytes();
        if (own == null || others == null) {
            return none + ": what is left is what a tile costs, in traffic to L2 or in asking for the next one.";
        }
        return Math.abs(own / others - 1) < WORTH_OF_BYTES
                ? none + ", nor does traffic to L2: the model counts " + bytes(own) + " read from it for both. What is"
                        + " left is traffic to DRAM, or asking for the next tile."
                : none + ", nor does traffic to L2: the model counts " + bytes(own) + " read from it under "
                        + winner.scheduler() + " and " + bytes(others) + " under " + other.scheduler() + ".";
    }

    private static String us(double ns) {
        double us = ns / 1e3;
        return format(us < 10 ? "%.3f" : us < 100 ? "%.2f" : "%.1f", us);
    }

    private static String percent(double share) {
        return format("%.1f %%", 100 * share);
    }

    private static String megahertz(double clock) {
        return format("%.0f MHz", clock);
    }

    private static String format(String pattern, double value) {
        return String.format(Locale.ROOT, pattern, value);
    }
}
