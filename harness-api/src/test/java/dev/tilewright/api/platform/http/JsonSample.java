package dev.tilewright.api.platform.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.random.RandomGenerator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A body with everything that its schema in {@code openapi.json} has, and ways to spoil it that no reader may accept.
 */
final class JsonSample {

    private static final String NAME = "properties";
    private static final int DEEPEST = 8;

    private final JsonMapper mapper = JsonMapper.builder().build();
    private final JsonNode schemas;
    private final List<String> ids;
    private final RandomGenerator random;

    /** @param ids of rows that there are */
    JsonSample(JsonNode openApi, List<String> ids, RandomGenerator random) {
        this.schemas = openApi.get("components").get("schemas");
        this.ids = ids;
        this.random = random;
    }

    /** A place in a document: the schema there, and how another value is put there. */
    private record Place(JsonNode schema, ObjectNode parent, String key) {}

    /** A document with the type of each property. */
    String whole(JsonNode schema) {
        return value(schema, 0, (place, node) -> {}).toString();
    }

    /** One property has a value of another type. */
    String ofWrongType(JsonNode schema) {
        return spoilt(schema, place -> pick(wrong(resolved(place.schema()))));
    }

    /** One text has a character that no database takes, or half of one. */
    String withBadText(JsonNode schema) {
        return spoilt(schema, place -> pick(List.of("\"a\\u0000b\"", "\"\\ud800\"", "\"\\udfff\\ud800\"")));
    }

    /** One property is there twice. */
    String withDuplicate(JsonNode schema) {
        List<Place> places = new ArrayList<>();
        JsonNode whole = value(schema, 0, (place, node) -> places.add(place));
        Place place = pick(places);
        return marked(whole, place, "\"" + place.key() + "\":" + place.parent().get(place.key()), true);
    }

    /** One object has a property that nobody knows. */
    String withUnknown(JsonNode schema) {
        List<Place> places = new ArrayList<>();
        JsonNode whole = value(schema, 0, (place, node) -> places.add(place));
        return marked(
                whole, pick(places), "\"x" + random.nextInt(1000) + "\":" + pick(List.of("1", "null", "{}")), true);
    }

    private String spoilt(JsonNode schema, java.util.function.Function<Place, String> bad) {
        List<Place> places = new ArrayList<>();
        JsonNode whole = value(schema, 0, (place, node) -> places.add(place));
        Place place = pick(places);
        return marked(whole, place, "\"" + place.key() + "\":" + bad.apply(place), false);
    }

    /** Trees cannot hold what is wanted, so a mark is put into the tree and replaced in the text. */
    private static String marked(JsonNode whole, Place place, String text, boolean keep) {
        String mark = "@mark@";
        if (!keep) {
            place.parent().remove(place.key());
        }
        place.parent().put(mark, 0);
        return whole.toString().replace("\"" + mark + "\":0", text);
    }

    private JsonNode value(JsonNode raw, int depth, BiConsumer<Place, JsonNode> seen) {
        JsonNode schema = resolved(raw);
        if (schema.has("enum")) {
            return schema.get("enum").get(random.nextInt(schema.get("enum").size()));
        }
        return switch (schema.path("type").asString("")) {
            case "object" -> object(schema, depth, seen);
            case "array" -> {
                ArrayNode array = mapper.createArrayNode();
                if (depth < DEEPEST) {
                    array.add(value(schema.get("items"), depth + 1, seen));
                }
                yield array;
            }
            case "integer" -> mapper.getNodeFactory().numberNode(1 + random.nextInt(4));
            case "number" -> mapper.getNodeFactory().numberNode(1.5);
            case "boolean" -> mapper.getNodeFactory().booleanNode(random.nextBoolean());
            case "string" ->
                mapper.getNodeFactory().stringNode(text(schema.path("format").asString("")));
            default -> mapper.getNodeFactory().stringNode("x");
        };
    }

    private String text(String format) {
        return switch (format) {
            case "uuid" -> pick(ids);
            case "date-time" -> "2026-01-01T00:00:00Z";
            default -> pick(List.of("x", "toy", "simulated:h200", "a b"));
        };
    }

    private ObjectNode object(JsonNode schema, int depth, BiConsumer<Place, JsonNode> seen) {
        ObjectNode object = mapper.createObjectNode();
        if (depth > DEEPEST) {
            return object;
        }
        for (Map.Entry<String, JsonNode> property : schema.path(NAME).properties()) {
            JsonNode value = value(property.getValue(), depth + 1, seen);
            object.set(property.getKey(), value);
            seen.accept(new Place(property.getValue(), object, property.getKey()), value);
        }
        if (schema.has("additionalProperties")) {
            object.set("x", value(schema.get("additionalProperties"), depth + 1, seen));
        }
        return object;
    }

    /** Follows references, and of several schemas takes one; a type that names itself gets its name. */
    private JsonNode resolved(JsonNode schema) {
        if (schema.has("$ref")) {
            String ref = schema.get("$ref").asString();
            return named(ref.substring(ref.lastIndexOf('/') + 1));
        }
        return schema.has("oneOf")
                ? resolved(schema.get("oneOf")
                        .get(random.nextInt(schema.get("oneOf").size())))
                : schema;
    }

    private JsonNode named(String name) {
        JsonNode schema = schemas.get(name);
        if (!schema.has("allOf")) {
            return resolved(schema);
        }
        ObjectNode merged = mapper.createObjectNode().put("type", "object");
        ObjectNode properties = merged.putObject(NAME);
        properties.putObject("type").putArray("enum").add(name.toLowerCase(java.util.Locale.ROOT));
        schema.get("allOf")
                .forEach(part ->
                        part.path(NAME).properties().forEach(each -> properties.set(each.getKey(), each.getValue())));
        return merged;
    }

    private static List<String> wrong(JsonNode schema) {
        List<String> values = new ArrayList<>(
                switch (schema.path("type").asString("")) {
                    case "object" -> List.of("1", "true", "[]", "\"x\"", "[{}]");
                    case "array" -> List.of("1", "false", "{}", "\"x\"");
                    case "integer" ->
                        List.of(
                                "\"1\"",
                                "true",
                                "1.5",
                                "{}",
                                "[]",
                                "1e400",
                                "99999999999999999999999",
                                "\"\"",
                                "-1e99");
                    case "number" -> List.of("\"1\"", "true", "{}", "[]", "\"\"");
                    case "boolean" -> List.of("1", "0", "\"true\"", "{}", "[]", "\"\"");
                    case "string" -> List.of("1", "0", "true", "1.5", "{}", "[]", "[\"x\"]");
                    default -> List.of("{}", "[]", "1.5", "true");
                });
        if (schema.has("enum") || schema.path("format").asString("").equals("uuid")) {
            values.addAll(List.of("\"\"", "\"nope\"", "\"\\u0000\""));
        }
        return values;
    }

    private <T> T pick(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }
}
