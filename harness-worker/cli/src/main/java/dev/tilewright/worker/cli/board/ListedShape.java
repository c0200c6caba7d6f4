package dev.tilewright.worker.cli.board;

import org.jspecify.annotations.Nullable;

/**
 * The user's name of a listed problem.
 *
 * @param name {@code null} if he gave none: then it goes by its extents
 * @param weight how often it is launched; {@code null} if he did not say
 */
public record ListedShape(@Nullable String name, @Nullable Double weight) {

    /** A problem of which nothing more was said. */
    public static final ListedShape PLAIN = new ListedShape(null, null);
}
