package dev.tilewright.api.platform.http;

import java.time.temporal.Temporal;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.exc.InvalidFormatException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;
import tools.jackson.databind.exc.ValueInstantiationException;

/** Says in words of the request what Jackson says in words of Java. */
final class JsonFaults {

    private JsonFaults() {}

    /** Where and why well-formed JSON is not what was asked for. */
    static Fault of(DatabindException error) {
        return new Fault(pointer(error), detail(error));
    }

    /** Where and why text is not JSON, with line and column. */
    static Fault of(JacksonException error) {
        String pointer = error.processor() instanceof JsonParser parser
                ? parser.streamReadContext().pathAsPointer().toString()
                : "";
        return new Fault(pointer, position(error));
    }

    private static String pointer(DatabindException error) {
        return error.getPath().stream()
                .map(step -> step.getPropertyName() == null
                        ? "/" + step.getIndex()
                        : "/" + step.getPropertyName().replace("~", "~0").replace("/", "~1"))
                .collect(Collectors.joining());
    }

    private static String detail(DatabindException error) {
        Throwable cause = error.getCause();
        if (error instanceof UnrecognizedPropertyException unknown) {
            Collection<Object> known = unknown.getKnownPropertyIds();
            return "unknown property '" + unknown.getPropertyName() + "'"
                    + (known == null
                            ? ""
                            : "; known: "
                                    + known.stream()
                                            .map(String::valueOf)
                                            .sorted()
                                            .collect(Collectors.joining(", ")));
        }
        if (error instanceof ValueInstantiationException && cause instanceof IllegalArgumentException refused) {
            return String.valueOf(refused.getMessage());
        }
        if (error instanceof InvalidFormatException format) {
            return "must be " + expected(format.getTargetType()) + ", got " + shown(format.getValue());
        }
        if (error instanceof MismatchedInputException mismatch && mismatch.getTargetType() != null) {
            return "must be " + expected(mismatch.getTargetType());
        }
        String message = error.getOriginalMessage();
        return message == null ? "is not accepted" : message;
    }

    private static String shown(Object value) {
        return value instanceof String text ? "'" + text + "'" : String.valueOf(value);
    }

    private static String expected(@Nullable Class<?> type) {
        if (type == null) {
            return "something else";
        }
        if (type.isEnum()) {
            return "one of "
                    + Arrays.stream(type.getEnumConstants())
                            .map(Object::toString)
                            .collect(Collectors.joining(", "));
        }
        if (type == Integer.class || type == int.class) {
            return "a whole number from -2147483648 to 2147483647";
        }
        if (type == Long.class || type == long.class) {
            return "a whole number of 64 bits";
        }
        if (type == Double.class || type == double.class) {
            return "a number";
        }
        if (type == Boolean.class || type == boolean.class) {
            return "true or false";
        }
        if (type == String.class) {
            return "text";
        }
        if (type == UUID.class) {
            return "a UUID";
        }
        if (Temporal.class.isAssignableFrom(type)) {
            return "a time as ISO 8601 has it";
        }
        if (List.class.isAssignableFrom(type) || type.isArray()) {
            return "a list";
        }
        return Map.class.isAssignableFrom(type) || type.isRecord() ? "an object" : "a " + type.getSimpleName();
    }

    private static String position(JacksonException error) {
        String message = error.getOriginalMessage();
        // Jackson adds where the enclosing bracket stands, as far as it may say: more noise than news.
        String first = message == null
                ? "unreadable"
                : message.lines().findFirst().orElse("unreadable").split(" \\((start marker|for )")[0];
        return error.getLocation() == null
                ? first
                : first + " at line " + error.getLocation().getLineNr() + ", column "
                        + error.getLocation().getColumnNr();
    }
}
