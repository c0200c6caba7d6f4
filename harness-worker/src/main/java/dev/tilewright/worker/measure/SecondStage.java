package dev.tilewright.worker.measure;

import dev.tilewright.model.trial.Mode;
import dev.tilewright.worker.stats.PairedBlocks;
import dev.tilewright.worker.stats.Quantiles;
import dev.tilewright.worker.stats.TwoStage;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * How many turns a sustained final goes on for, decided once, behind its first stage. The ratio that decides is that of
 * our best arm to the best peer, best by the median of the first stage; where there is no peer, of our best two.
 *
 * @param more turns beyond the first stage
 * @param why a line for the log
 */
public record SecondStage(int more, String why) {

    /**
     * Decides.
     *
     * @param first what the first stage gave: at least 3 blocks of each arm
     * @param ours names of our arms
     * @param peers names of the peers' arms
     */
    public static SecondStage after(Timed first, List<String> ours, List<String> peers, TwoStage plan) {
        List<String> own = fastestFirst(first, ours);
        List<String> others = peers.isEmpty() ? own.stream().skip(1).toList() : fastestFirst(first, peers);
        if (own.isEmpty() || others.isEmpty()) {
            return new SecondStage(0, "no second stage: there are no two arms whose ratio it would be for");
        }
        PairedBlocks pair = first.paired(own.getFirst(), others.getFirst(), Mode.SUSTAINED);
        int more = plan.blocks(pair) - pair.size();
        String seen = String.format(
                Locale.ROOT,
                "%d turns gave the ratio of %s to %s within +-%.2f %%: ",
                pair.size(),
                own.getFirst(),
                others.getFirst(),
                percent(pair.halfWidth()));
        return new SecondStage(more, seen + answer(pair, more, plan));
    }

    private static String answer(PairedBlocks pair, int more, TwoStage plan) {
        String wanted = String.format(Locale.ROOT, "%.1f %%", percent(plan.halfWidth()));
        long missing = plan.wanted(pair) - pair.size();
        if (missing == 0) {
            return "no more for " + wanted;
        }
        return missing == more
                ? more + " more for " + wanted
                : more + " more, the most there may be; " + wanted + " would take " + missing;
    }

    private static double percent(double logarithm) {
        return 100 * Math.expm1(logarithm);
    }

    private static List<String> fastestFirst(Timed timed, List<String> arms) {
        return arms.stream()
                .sorted(Comparator.comparingDouble(arm -> Quantiles.median(timed.runs(arm, Mode.SUSTAINED).stream()
                        .mapToDouble(Run::launchNs)
                        .toArray())))
                .toList();
    }
}
