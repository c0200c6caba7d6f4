package dev.tilewright.proof.file;

/** Told how a check goes on. */
@FunctionalInterface
public interface CheckProgress {
    /**
     * A run has come so far.
     *
     * @param run from 1
     * @param runs that are to be made
     * @param steps warp instructions of this run until now
     */
    void at(int run, int runs, long seed, long steps);
}
