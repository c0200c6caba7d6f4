package dev.tilewright.proof.file;

/**
 * How long a kernel is checked.
 *
 * @param stepLimit warp instructions after which a run counts as endless
 * @param progress told now and then
 */
public record CheckOptions(long stepLimit, CheckProgress progress) {}
