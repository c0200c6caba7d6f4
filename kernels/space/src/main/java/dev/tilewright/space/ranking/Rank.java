package dev.tilewright.space.ranking;

import dev.tilewright.model.trial.Stage;
import java.util.Comparator;

/**
 * The rank of a trial before its number counts.
 *
 * @param stage ordinal of its last stage; -1 without a time
 * @param blocks of a final; 0 of another stage, where their number says nothing
 */
record Rank(int stage, int blocks, double medianNs) {

    static final Rank NONE = new Rank(-1, 0, 0);

    static final Comparator<Rank> ORDER = Comparator.<Rank>comparingInt(rank -> -rank.stage())
            .thenComparingInt(rank -> -rank.blocks())
            .thenComparingDouble(Rank::medianNs);

    static Rank of(TimedTrial.Time last) {
        return new Rank(
                last.stage().ordinal(),
                last.stage() == Stage.FINAL ? last.blocks() : 0,
                last.interval().medianNs());
    }
}
