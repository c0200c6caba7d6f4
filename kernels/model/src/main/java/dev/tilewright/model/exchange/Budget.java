package dev.tilewright.model.exchange;

import org.jspecify.annotations.Nullable;

/**
 * How much a study may spend.
 *
 * @param trials configs that are evaluated; {@code null} to stop when no more is to be gained
 * @param seconds time in which devices work on this study, other than its final; {@code null} for no limit
 * @param finalists kernels of ours that reach the final at most; zero if there is to be none
 */
public record Budget(@Nullable Integer trials, @Nullable Integer seconds, int finalists) {}
