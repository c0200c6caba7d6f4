package dev.tilewright.api.study;

import org.jspecify.annotations.Nullable;

/**
 * How much a study may spend.
 *
 * @param trials configs that may be evaluated
 * @param seconds time since its first lease; {@code null} for no limit
 * @param finalists kernels of ours that reach the final at most; zero if there is to be none
 */
public record Budget(int trials, @Nullable Integer seconds, int finalists) {}
