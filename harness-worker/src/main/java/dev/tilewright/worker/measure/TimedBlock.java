package dev.tilewright.worker.measure;

import dev.tilewright.model.trial.Mode;

/**
 * One run of one arm as a block: the unit of evidence.
 *
 * @param index of the block among those of the mode; all arms of a final have the same indices
 */
public record TimedBlock(int index, Mode mode, String arm, Run run) {}
