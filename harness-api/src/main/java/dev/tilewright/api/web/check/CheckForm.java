package dev.tilewright.api.web.check;

import dev.tilewright.api.platform.http.ApiProblem;
import dev.tilewright.api.textcheck.TextCheckRequest;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The form for a check. All are texts, so that a wrong one comes back as it was typed.
 *
 * @param accept names of rules, with commas
 */
public record CheckForm(
        @Nullable String ptx,
        @Nullable String launch,
        @Nullable String entry,
        @Nullable String seeds,
        @Nullable String accept) {

    static CheckForm empty() {
        return new CheckForm("", "", "", "5", "");
    }

    /**
     * The request to the service.
     *
     * @throws ApiProblem 422 if the number of runs is none
     */
    TextCheckRequest request() {
        return new TextCheckRequest(
                text(ptx), text(launch), text(entry).isBlank() ? null : text(entry), null, runs(), rules());
    }

    private List<String> rules() {
        return Stream.of(text(accept).split("[,\\s]+"))
                .filter(rule -> !rule.isEmpty())
                .toList();
    }

    private @Nullable Integer runs() {
        String typed = text(seeds).strip();
        if (typed.isEmpty()) {
            return null;
        }
        try {
            return Integer.valueOf(typed);
        } catch (NumberFormatException none) {
            throw ApiProblem.invalid("/seeds", "must be a whole number, got '" + typed + "'");
        }
    }

    private static String text(@Nullable String field) {
        // Browsers end lines as the network does.
        return field == null ? "" : field.replace("\r\n", "\n");
    }

    /** A field in the words of the form, for a JSON pointer of the request. */
    static String field(String pointer) {
        if (pointer.startsWith("/accept")) {
            return "Accepted rules";
        }
        return switch (pointer) {
            case "/ptx" -> "PTX";
            case "/launch" -> "Launch";
            case "/entry" -> "Kernel";
            case "/seeds" -> "Runs";
            default -> pointer;
        };
    }
}
