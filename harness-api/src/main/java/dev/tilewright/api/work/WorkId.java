package dev.tilewright.api.work;

import java.util.UUID;

/**
 * Names a piece of work.
 *
 * @param owner row that is held while the work changes: the study of a trial or of a final, and the task itself
 */
public record WorkId(Type type, UUID owner, UUID id) {

    /** Whether work is the screen of a trial, the final of a study, or a task. */
    public enum Type {
        SCREEN,
        FINAL,
        TASK
    }

    /** The screen of a trial. */
    public static WorkId screen(UUID study, UUID trial) {
        return new WorkId(Type.SCREEN, study, trial);
    }

    /** The final of a study. */
    public static WorkId ofFinal(UUID study) {
        return new WorkId(Type.FINAL, study, study);
    }

    /** A task. */
    public static WorkId task(UUID task) {
        return new WorkId(Type.TASK, task, task);
    }
}
