package dev.tilewright.results;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * All values in one place of a document: of {@code studies[].trials[].registers}, say. Columns below it are found in
 * the order in which a document is walked, and that is the order in which a file has them.
 */
final class Column {

    private final List<Kind> kinds;
    private final Map<Kind, List<Object>> values;
    private final Map<String, Column> named = new HashMap<>();
    private @Nullable Column elements;
    private int taken;
    private final Map<Kind, Integer> takenOf = new EnumMap<>(Kind.class);

    /** An empty one. */
    Column() {
        this(new ArrayList<>(), new EnumMap<>(Kind.class));
    }

    private Column(List<Kind> kinds, Map<Kind, List<Object>> values) {
        this.kinds = kinds;
        this.values = values;
    }

    /**
     * Adds a value.
     *
     * @param columns takes each column that is new, this one aside
     */
    void add(JsonNode node, List<Column> columns) {
        Kind kind = Kind.of(node);
        kinds.add(kind);
        switch (kind) {
            case NULL, TRUE, FALSE -> {}
            case WHOLE -> value(kind, node.longValue());
            case REAL -> value(kind, node.isBigDecimal() ? node.decimalValue().doubleValue() : node.doubleValue());
            case TEXT, HASH, UUID -> value(kind, node.stringValue());
            case ROW ->
                value(kind, node.valueStream().mapToLong(JsonNode::longValue).toArray());
            case ARRAY -> {
                value(kind, (long) node.size());
                node.forEach(element -> elements(() -> known(columns)).add(element, columns));
            }
            case OBJECT -> {
                value(kind, List.copyOf(node.propertyNames()));
                node.forEachEntry((name, member) ->
                        named.computeIfAbsent(name, _ -> known(columns)).add(member, columns));
            }
        }
    }

    private static Column known(List<Column> columns) {
        Column column = new Column();
        columns.add(column);
        return column;
    }

    private Column elements(Supplier<Column> made) {
        Column known = elements;
        if (known == null) {
            known = made.get();
            elements = known;
        }
        return known;
    }

    private void value(Kind kind, Object value) {
        values.computeIfAbsent(kind, _ -> new ArrayList<>()).add(value);
    }

    /** Puts the column into sections: its kinds, then the values of each kind that has some, in the order of kinds. */
    void write(Sections.Writer sections) {
        Sink sink = new Sink();
        sink.number(kinds.size());
        kinds.forEach(kind -> sink.one(kind.ordinal()));
        sections.add(sink.bytes());
        values.forEach((kind, of) -> {
            Sink coded = new Sink();
            kind.coder().write(of, coded);
            sections.add(coded.bytes());
        });
    }

    static Column read(Sections.Reader sections) {
        Source source = new Source(sections.next());
        List<Kind> kinds = new ArrayList<>();
        Map<Kind, Integer> counts = new EnumMap<>(Kind.class);
        for (int left = source.count(); left > 0; left--) {
            int number = source.one();
            if (number >= Kind.values().length) {
                throw new IllegalArgumentException("kind " + number + " is not known here");
            }
            Kind kind = Kind.values()[number];
            kinds.add(kind);
            counts.merge(kind, 1, Integer::sum);
        }
        Map<Kind, List<Object>> values = new EnumMap<>(Kind.class);
        counts.forEach((kind, count) -> {
            Coder<Object> coder = kind.coder();
            if (coder != null) {
                values.put(kind, coder.read(count, new Source(sections.next())));
            }
        });
        return new Column(kinds, values);
    }

    /**
     * Takes the next value.
     *
     * @param columns gives each column that was not used yet
     */
    JsonNode take(Deque<Column> columns) {
        JsonNodeFactory nodes = JsonNodeFactory.instance;
        Kind kind = kinds.get(taken++);
        return switch (kind) {
            case NULL -> nodes.nullNode();
            case TRUE -> nodes.booleanNode(true);
            case FALSE -> nodes.booleanNode(false);
            case WHOLE -> whole((long) value(kind));
            case REAL -> nodes.numberNode((double) value(kind));
            case TEXT, HASH, UUID -> nodes.stringNode((String) value(kind));
            case ROW -> {
                ArrayNode array = nodes.arrayNode();
                for (long element : (long[]) value(kind)) {
                    array.add(whole(element));
                }
                yield array;
            }
            case ARRAY -> {
                ArrayNode array = nodes.arrayNode();
                for (long left = (long) value(kind); left > 0; left--) {
                    array.add(elements(columns::removeFirst).take(columns));
                }
                yield array;
            }
            case OBJECT -> {
                ObjectNode object = nodes.objectNode();
                for (Object name : (List<?>) value(kind)) {
                    Column column = named.computeIfAbsent((String) name, _ -> columns.removeFirst());
                    object.set((String) name, column.take(columns));
                }
                yield object;
            }
        };
    }

    /** As the parser of JSON makes them, so that a document equals itself. */
    private static JsonNode whole(long value) {
        return value == (int) value
                ? JsonNodeFactory.instance.numberNode((int) value)
                : JsonNodeFactory.instance.numberNode(value);
    }

    private Object value(Kind kind) {
        return values.get(kind).get(takenOf.merge(kind, 1, Integer::sum) - 1);
    }

    /** All columns of a document, the root's first. */
    static List<Column> of(JsonNode document) {
        Column root = new Column();
        List<Column> columns = new ArrayList<>(List.of(root));
        root.add(document, columns);
        return columns;
    }

    /** The document of columns. */
    static JsonNode document(List<Column> columns) {
        Deque<Column> left = new ArrayDeque<>(columns);
        JsonNode document = left.removeFirst().take(left);
        if (!left.isEmpty()) {
            throw new IllegalArgumentException(left.size() + " columns belong to nothing");
        }
        return document;
    }
}
