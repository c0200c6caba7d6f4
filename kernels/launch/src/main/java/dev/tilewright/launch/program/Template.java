package dev.tilewright.launch.program;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A text of the resources with holes such as {@code @NAME@}. */
final class Template {

    private static final Pattern HOLE = Pattern.compile("@([A-Z_]+)@");

    private final String resource;
    private final Map<String, String> values = new HashMap<>();

    Template(String resource) {
        this.resource = resource;
    }

    Template with(String hole, Object value) {
        values.put(hole, value.toString());
        return this;
    }

    /**
     * The text. What stands in for a hole may have holes itself.
     *
     * @throws IllegalStateException naming a hole that nothing stands in for
     */
    String text() {
        return filled(read(resource));
    }

    private String filled(String text) {
        return HOLE.matcher(text).replaceAll(hole -> {
            String value = values.get(hole.group(1));
            if (value == null) {
                throw new IllegalStateException(resource + " has a hole that is not filled: " + hole.group());
            }
            return Matcher.quoteReplacement(filled(value));
        });
    }

    /** A resource as it is, to stand in for a hole of another one. */
    static String read(String resource) {
        try (InputStream stream = Template.class.getResourceAsStream(resource)) {
            if (stream == null) {
                throw new IllegalStateException("there is no resource " + resource);
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
