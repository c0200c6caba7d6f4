package dev.tilewright.model.trial;

/**
 * A block that does not count for any of its arms, decided before anybody looked at its times.
 *
 * @param index that the block would have had; the one that was timed instead has it
 * @param reason what was wrong, with its value
 */
public record Discard(Stage stage, Question question, Mode mode, int index, String reason) {}
