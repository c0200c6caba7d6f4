package dev.tilewright.worker.measure;

import dev.tilewright.model.trial.Mode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Successive elimination: all contenders run beside each other, and after each look those leave of which it is certain
 * enough that they are slower than the leader, until few are left or the looks are used up.
 *
 * <p>An arm leaves when the one-sided lower bound of ln(its time / the leader's) is above the margin. The bounds share
 * the error of the whole race among all looks and all rivals, so whatever is looked at, the best arm leaves with at
 * most that probability.
 */
public record Race(Rounds rounds, RacePlan plan) {

    /**
     * How a race ended.
     *
     * @param ranked arms that are still in, the fastest first
     * @param noisy whether it had to stop because too many blocks were discarded
     * @param log who left when
     */
    public record Outcome<A extends Arm>(List<A> ranked, boolean noisy, List<String> log) {}

    /**
     * Races.
     *
     * @param anchor runs beside them in every block and never leaves; {@code null} if there is none. It may be one of
     *     them
     * @param wanted the race is over when so many are left
     */
    public <A extends Arm> Outcome<A> run(List<A> contenders, @Nullable Arm anchor, int wanted) {
        List<A> in = new ArrayList<>(contenders);
        List<String> log = new ArrayList<>();
        double alpha = plan.error() / plan.looks() / Math.max(1, contenders.size() - 1);
        for (int look = 0; look < plan.looks() && in.size() > wanted; look++) {
            if (!rounds.run(arms(in, anchor), plan.blocksPerLook())) {
                return new Outcome<>(List.copyOf(in), true, log);
            }
            Timed timed = rounds.timed();
            rank(in, timed);
            A leader = in.getFirst();
            for (A rival : in.reversed()) {
                double behind = rival.equals(leader) || in.size() == wanted
                        ? 0
                        : timed.paired(leader.name(), rival.name(), Mode.SUSTAINED)
                                .lowerBound(alpha);
                if (behind > Math.log1p(plan.margin())) {
                    log.add(String.format(
                            Locale.ROOT,
                            "look %d: %s leaves, at least %.2f %% slower than %s",
                            look + 1,
                            rival.name(),
                            100 * Math.expm1(behind),
                            leader.name()));
                    in = new ArrayList<>(in);
                    in.remove(rival);
                }
            }
        }
        return new Outcome<>(List.copyOf(in), false, log);
    }

    private static List<Arm> arms(List<? extends Arm> in, @Nullable Arm anchor) {
        return anchor == null || in.contains(anchor)
                ? List.copyOf(in)
                : Stream.concat(in.stream(), Stream.of(anchor)).toList();
    }

    /** By the mean logarithm of the time, over the blocks in which all ran. */
    private static void rank(List<? extends Arm> in, Timed timed) {
        Map<String, Double> means = new HashMap<>();
        for (Arm arm : in) {
            means.put(
                    arm.name(),
                    timed.runs(arm.name(), Mode.SUSTAINED).stream()
                            .mapToDouble(run -> Math.log(run.launchNs()))
                            .average()
                            .orElseThrow());
        }
        in.sort(Comparator.comparing((Arm arm) -> means.get(arm.name())));
    }
}
