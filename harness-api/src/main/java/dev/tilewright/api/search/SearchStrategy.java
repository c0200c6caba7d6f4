package dev.tilewright.api.search;

/**
 * Chooses configs to try. What a strategy answers depends on the question alone, so that any replica of the API can
 * ask, and a stored history replays. It may keep what saves time, such as candidates of a study, and nothing that
 * changes an answer.
 */
public interface SearchStrategy {

    /** As users name it, such as {@code random}. */
    String name();

    /** Whether what it answers depends on what was measured, so that it should not be asked for much at a time. */
    boolean learns();

    /**
     * Finds what the first question about a space needs and no history changes, so that its answer comes at once. Who
     * does not call it waits for the first answer, and gets the same.
     */
    default void prepare(SearchQuestion first) {}

    /** The next configs to try, and what they are expected to gain. */
    SearchAnswer ask(SearchQuestion question);
}
