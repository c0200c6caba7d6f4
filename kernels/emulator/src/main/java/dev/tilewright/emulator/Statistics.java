package dev.tilewright.emulator;

/**
 * What a run did.
 *
 * @param steps warp instructions executed
 * @param multiplyAdds of the matrix instructions
 * @param copies asynchronous copies that landed, one for each destination
 * @param ctas CTAs that ran to their end
 * @param barrierPhases the most phases that an mbarrier completed: how often its ring wrapped
 */
public record Statistics(long steps, long multiplyAdds, long copies, int ctas, int barrierPhases) {}
