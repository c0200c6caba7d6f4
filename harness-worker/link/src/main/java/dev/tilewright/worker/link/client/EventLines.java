package dev.tilewright.worker.link.client;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Puts together events from the lines of a {@code text/event-stream}, as the HTML standard says. */
final class EventLines {

    private @Nullable String id;
    private String type = "";
    private final List<String> data = new ArrayList<>();

    /** The event that this line ends; empty for all other lines. */
    Optional<ServerEvent> take(String line) {
        if (line.isEmpty()) {
            return end();
        }
        int colon = line.indexOf(':');
        String field = colon < 0 ? line : line.substring(0, colon);
        String value = colon < 0 ? "" : line.substring(colon + 1);
        String text = value.startsWith(" ") ? value.substring(1) : value;
        switch (field) {
            case "id" -> id = text;
            case "event" -> type = text;
            case "data" -> data.add(text);
            default -> {
                // A comment, which begins with the colon, or a field of later standards.
            }
        }
        return Optional.empty();
    }

    private Optional<ServerEvent> end() {
        Optional<ServerEvent> event = data.isEmpty()
                ? Optional.empty()
                : Optional.of(new ServerEvent(id, type.isEmpty() ? "message" : type, String.join("\n", data)));
        type = "";
        data.clear();
        return event;
    }
}
