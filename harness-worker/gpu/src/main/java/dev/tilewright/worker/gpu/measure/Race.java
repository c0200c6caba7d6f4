package dev.tilewright.worker.gpu.measure;

import dev.tilewright.model.text.Count;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.worker.gpu.stats.race.Elimination;
import dev.tilewright.worker.gpu.stats.race.Turns;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Successive elimination: all contenders run beside each other, and after each look those leave of which it is certain
 * enough that they are behind the leader, until few are left or the blocks are used up.
 */
public record Race(Rounds rounds, RacePlan plan) {

    /**
     * How a race ended.
     *
     * @param ranked arms that are still in, the fastest first
     * @param blocks how many were run
     * @param noisy whether it had to stop because too many blocks were discarded
     * @param log who left when
     */
    public record Outcome<A extends Arm>(List<Placed<A>> ranked, int blocks, boolean noisy, List<String> log) {

        /** The arms, the fastest first. */
        public List<A> arms() {
            return ranked.stream().map(Placed::arm).toList();
        }
    }

    /**
     * An arm that is still in.
     *
     * @param behind the leader, as a share of its time; 0 of the leader
     */
    public record Placed<A extends Arm>(A arm, double behind) {}

    /**
     * Races.
     *
     * @param anchor runs beside them in every block and never leaves; {@code null} if there is none. It may be one of
     *     them
     * @param wanted the race is over when so many are left
     */
    public <A extends Arm> Outcome<A> run(List<A> contenders, @Nullable Arm anchor, int wanted) {
        List<Placed<A>> in =
                contenders.stream().map(arm -> new Placed<>(arm, 0)).toList();
        List<String> log = new ArrayList<>();
        int blocks = 0;
        for (int look = 1; in.size() > wanted && blocks < plan.most(); look++) {
            int more = Math.min(look == 1 ? plan.first() : plan.step(), plan.most() - blocks);
            List<A> arms = in.stream().map(Placed::arm).toList();
            if (!rounds.run(beside(arms, anchor), more)) {
                return new Outcome<>(in, blocks, true, log);
            }
            blocks += more;
            in = looked(arms, look, contenders.size(), wanted, blocks, log);
        }
        return new Outcome<>(in, blocks, false, log);
    }

    private <A extends Arm> List<Placed<A>> looked(
            List<A> arms, int look, int began, int wanted, int blocks, List<String> log) {
        Turns turns = rounds.timed().turns(arms, Mode.SUSTAINED);
        Elimination.Look seen = plan.leaving().look(turns, look, began, wanted);
        String leader = arms.get(seen.leader()).name();
        seen.leavers()
                .forEach(leaver -> log.add(arms.get(leaver.arm()).name() + " left after " + Count.of(blocks, "block")
                        + ": " + leaver.behind().against(leader)));
        return seen.staying().stream()
                .map(arm -> new Placed<>(arms.get(arm), Math.expm1(turns.behind(arm, seen.leader()))))
                .toList();
    }

    private static List<Arm> beside(List<? extends Arm> in, @Nullable Arm anchor) {
        return anchor == null || in.contains(anchor)
                ? List.copyOf(in)
                : Stream.concat(in.stream(), Stream.of(anchor)).toList();
    }
}
