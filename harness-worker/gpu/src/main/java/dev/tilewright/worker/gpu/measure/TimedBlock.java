package dev.tilewright.worker.gpu.measure;

import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.Question;
import dev.tilewright.model.trial.Stage;

/**
 * One run of one arm in a block: the block is the unit of evidence.
 *
 * @param index of the block; all arms that were in it have the same
 * @param position of the run in its block, from 0
 */
public record TimedBlock(Stage stage, Question question, Mode mode, int index, int position, String arm, Run run) {}
