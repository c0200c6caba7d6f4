package dev.tilewright.api.event;

/**
 * Something that happened to a job, as it is stored.
 *
 * @param id grows within a job
 * @param type such as {@code trial.finished}
 * @param terminal whether nothing follows
 * @param json the data as JSON
 */
public record StoredEvent(long id, String type, boolean terminal, String json) {}
