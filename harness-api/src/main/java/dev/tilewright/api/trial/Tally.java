package dev.tilewright.api.trial;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * How the trials of a study stand, as it is kept; those recorded as pruned are counted apart, because the search never
 * asked for them.
 *
 * @param asked by the search
 * @param fastest the completed trial with the shortest sustained screen, of two the one whose config has the smaller
 *     hash; {@code null} if nothing was timed
 * @param bestTflops the highest sustained rate of completed trials, of the final if there was one; {@code null} if
 *     there is none
 */
public record Tally(
        int asked,
        int finished,
        int completed,
        int recorded,
        @Nullable UUID fastest,
        @Nullable Double bestTflops) {}
