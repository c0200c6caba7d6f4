package dev.tilewright.api.platform.http;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** JSON in a field of a form, held to the same rules as the body of a request. */
@Component
public final class JsonText {

    private final JsonMapper json;

    JsonText(JsonMapper json) {
        this.json = json;
    }

    /**
     * The parsed text.
     *
     * @param pointer of the field, in front of those of what is wrong in it
     * @throws ApiProblem 422 if it is not JSON, or not what is asked for
     */
    public <T> T read(String text, Class<T> type, String pointer) {
        T value = parse(text, type, pointer);
        List<Fault> missing = RequiredValues.faults(value);
        if (value == null || !missing.isEmpty()) {
            throw refused(missing, pointer);
        }
        return value;
    }

    private <T> @Nullable T parse(String text, Class<T> type, String pointer) {
        try {
            return json.readValue(text, type);
        } catch (DatabindException mismatch) {
            throw refused(List.of(JsonFaults.of(mismatch)), pointer);
        } catch (JacksonException syntax) {
            throw refused(List.of(JsonFaults.of(syntax)), pointer);
        }
    }

    private static ApiProblem refused(List<Fault> faults, String pointer) {
        return ApiProblem.invalid(faults.stream()
                .map(fault -> new Fault(pointer + fault.pointer(), fault.detail()))
                .toList());
    }

    /** A document as people edit it: a line for each of its properties, and for each element of a list of it. */
    public String lines(Object document) {
        JsonNode tree = json.valueToTree(document);
        return tree.properties().stream().map(this::line).collect(Collectors.joining(",\n  ", "{\n  ", "\n}"));
    }

    private String line(Map.Entry<String, JsonNode> property) {
        JsonNode value = property.getValue();
        return json.writeValueAsString(property.getKey()) + ": "
                + (value.isArray()
                        ? StreamSupport.stream(value.spliterator(), false)
                                .map(json::writeValueAsString)
                                .collect(Collectors.joining(",\n    ", "[\n    ", "\n  ]"))
                        : json.writeValueAsString(value));
    }
}
