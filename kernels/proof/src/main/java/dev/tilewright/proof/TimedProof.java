package dev.tilewright.proof;

/**
 * A proof and how long it took.
 *
 * @param seconds on one thread, beside others
 */
public record TimedProof(Proof proof, double seconds) {}
