package dev.tilewright.worker.gpu.measure;

import dev.tilewright.gate.statistics.Quantiles;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.Ratio;
import dev.tilewright.worker.gpu.stats.race.Elimination;
import dev.tilewright.worker.gpu.stats.race.FinalRule;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The sustained turns of a final: from the first look on those leave that are surely not the best of their side; the
 * others run on until the ratio of our best to the best peer is known well enough. Where there is no peer, it is the
 * ratio of our best two, or of the only one to the anchor.
 */
public record FinalRun(Rounds rounds, FinalRule rule) {

    /**
     * The entrants of a final.
     *
     * @param ours that may be best
     * @param peers that may be the best peer
     * @param guests that run the least turns for a ratio of their own, whether or not they may be the best
     * @param anchor runs in every turn; {@code null} if there is none
     */
    public record Field<A extends Arm>(
            List<A> ours,
            List<A> peers,
            List<A> guests,
            @Nullable Arm anchor) {

        private List<Arm> all() {
            Stream<Arm> arms = Stream.of(ours, peers, guests).flatMap(List::stream);
            return Stream.concat(arms, Stream.ofNullable(anchor)).distinct().toList();
        }

        private Field<A> withoutGuests() {
            return new Field<>(ours, peers, List.of(), anchor);
        }
    }

    /**
     * How it ended.
     *
     * @param calm whether few enough turns were discarded
     * @param log who left, and why no more turns were run
     */
    public record Outcome(boolean calm, List<String> log) {}

    /** The two whose ratio is asked for. */
    private record Pair(Arm own, Arm other) {

        private boolean has(Arm arm) {
            return arm.equals(own) || arm.equals(other);
        }
    }

    /** Runs turns until the rule is content. */
    public <A extends Arm> Outcome run(Field<A> began) {
        List<String> log = new ArrayList<>();
        if (!rounds.run(began.all(), rule.firstLook())) {
            return new Outcome(false, log);
        }
        int first = rounds.timed().blocks().size();
        Field<A> in = began;
        for (int turns = rule.firstLook(); ; turns++) {
            in = left(in, began, turns, log);
            Optional<Pair> pair = pair(in);
            if (turns >= rule.leastTurns()) {
                if (pair.isEmpty()) {
                    log.add("final: " + turns + " turns: there are no two arms whose ratio more would be for");
                    return new Outcome(true, log);
                }
                Ratio ratio = ratio(pair.get(), began);
                FinalRule.Answer answer =
                        rule.answer(ratio, turns, rounds.timed().blocks().size());
                if (answer != FinalRule.Answer.GO_ON) {
                    log.add(said(pair.get(), ratio, answer, turns));
                    return new Outcome(true, log);
                }
                in = in.withoutGuests();
            }
            boolean isLong = rounds.timed().blocks().size() - first >= rule.lastRuns();
            in = isLong && pair.isPresent() ? alone(in, pair.get(), turns, log) : in;
            if (!rounds.run(in.all(), 1)) {
                return new Outcome(false, log);
            }
        }
    }

    private Ratio ratio(Pair pair, Field<?> began) {
        return FinalRule.ratio(
                rounds.timed().paired(pair.own().name(), pair.other().name(), Mode.SUSTAINED),
                began.ours().size(),
                began.peers().size());
    }

    /** The two of a pair, and beside them nobody but guests. */
    private static <A extends Arm> Field<A> alone(Field<A> in, Pair pair, int turns, List<String> log) {
        List<A> ours = in.ours().stream().filter(pair::has).toList();
        List<A> peers = in.peers().stream().filter(pair::has).toList();
        Arm anchor = in.anchor() != null && pair.has(in.anchor()) ? in.anchor() : null;
        Field<A> two = new Field<>(ours, peers, in.guests(), anchor);
        if (two.all().size() < in.all().size()) {
            log.add("final: after " + turns + " turns " + pair.own().name() + " and "
                    + pair.other().name() + " go on alone");
        }
        return two;
    }

    private <A extends Arm> Field<A> left(Field<A> in, Field<A> began, int turns, List<String> log) {
        List<A> peers = left(in.peers(), began.peers().size(), 1, turns, log);
        int wanted = peers.isEmpty() ? 2 : 1;
        List<A> ours = left(in.ours(), began.ours().size(), wanted, turns, log);
        return new Field<>(ours, peers, in.guests(), in.anchor());
    }

    private <A extends Arm> List<A> left(List<A> side, int began, int wanted, int turns, List<String> log) {
        if (side.size() <= wanted) {
            return side;
        }
        int look = 1 + turns - rule.firstLook();
        Elimination.Look seen = rule.leaving().look(rounds.timed().turns(side, Mode.SUSTAINED), look, began, wanted);
        String leader = side.get(seen.leader()).name();
        seen.leavers()
                .forEach(leaver -> log.add(side.get(leaver.arm()).name() + " left after " + turns + " turns: "
                        + leaver.behind().against(leader)));
        return seen.staying().stream().map(side::get).toList();
    }

    private Optional<Pair> pair(Field<?> in) {
        List<Arm> own = fastestFirst(in.ours());
        List<Arm> others = in.peers().isEmpty()
                ? Stream.concat(own.stream().skip(1), Stream.ofNullable(in.anchor()))
                        .toList()
                : fastestFirst(in.peers());
        return own.isEmpty() || others.isEmpty() || own.getFirst().equals(others.getFirst())
                ? Optional.empty()
                : Optional.of(new Pair(own.getFirst(), others.getFirst()));
    }

    /** By the median, as the best of a study is. */
    private List<Arm> fastestFirst(List<? extends Arm> arms) {
        Timed timed = rounds.timed();
        return arms.stream()
                .<Arm>map(arm -> arm)
                .sorted(Comparator.comparingDouble(
                        arm -> Quantiles.median(timed.runs(arm.name(), Mode.SUSTAINED).stream()
                                .mapToDouble(Run::launchNs)
                                .toArray())))
                .toList();
    }

    private String said(Pair pair, Ratio ratio, FinalRule.Answer answer, int turns) {
        String known = String.format(
                Locale.ROOT,
                "final: %d turns, ratio of %s to %s known to %.2f %%",
                turns,
                pair.own().name(),
                pair.other().name(),
                percent(FinalRule.halfWidth(ratio)));
        return answer == FinalRule.Answer.NARROW
                ? known
                : known
                        + String.format(
                                Locale.ROOT,
                                "; %.1f %% was asked, but no more turns are run",
                                percent(rule.halfWidth()));
    }

    private static double percent(double logarithm) {
        return 100 * Math.expm1(logarithm);
    }
}
