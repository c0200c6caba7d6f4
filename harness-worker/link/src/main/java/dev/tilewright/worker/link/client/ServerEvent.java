package dev.tilewright.worker.link.client;

import org.jspecify.annotations.Nullable;

/**
 * An event that a server sent.
 *
 * @param id by which the stream is resumed behind it; {@code null} if it has none
 * @param type its name; {@code message} if it has none
 * @param data its lines, joined
 */
public record ServerEvent(@Nullable String id, String type, String data) {}
