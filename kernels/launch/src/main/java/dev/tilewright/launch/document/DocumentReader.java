package dev.tilewright.launch.document;

import dev.tilewright.launch.document.Node.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.dataformat.yaml.YAMLFactory;
import tools.jackson.dataformat.yaml.YAMLParser;

/** Reads one document. */
public final class DocumentReader {
    private static final int MAX_NESTING = 32;

    private final JsonParser parser;

    private DocumentReader(JsonParser parser) {
        this.parser = parser;
    }

    /**
     * The tree of a text.
     *
     * @param json whether it is JSON; otherwise YAML
     * @throws DocumentException if it is neither, holds a key twice, or an alias
     */
    public static Node read(String text, boolean json) {
        TokenStreamFactory factory =
                json ? JsonFactory.builder().build() : YAMLFactory.builder().build();
        try (JsonParser parser = factory.createParser(ObjectReadContext.empty(), text)) {
            if (parser.nextToken() == null) {
                throw new DocumentException("1:1: document: is empty");
            }
            DocumentReader reader = new DocumentReader(parser);
            Node root = reader.node(new Position(reader.line(), reader.column(), ""), 0);
            if (parser.nextToken() != null) {
                throw new Position(reader.line(), reader.column(), "").wrong("ends, but there is more text behind it");
            }
            return root;
        } catch (JacksonException malformed) {
            TokenStreamLocation where = malformed.getLocation();
            throw new DocumentException((where == null ? "1:1" : where.getLineNr() + ":" + where.getColumnNr())
                    + ": document: " + rule(malformed.getOriginalMessage()));
        }
    }

    /** YAML's reader says first what it was at, then what is wrong, with excerpts below, which are indented. */
    private static String rule(String message) {
        List<String> said = message.lines()
                .filter(line -> !line.isBlank() && !Character.isWhitespace(line.charAt(0)))
                .toList();
        return switch (said.size()) {
            case 0 -> "cannot be read";
            case 1 -> said.getFirst();
            default -> said.getLast() + " " + said.getFirst();
        };
    }

    private int line() {
        return Math.max(1, parser.currentTokenLocation().getLineNr());
    }

    private int column() {
        return Math.max(1, parser.currentTokenLocation().getColumnNr());
    }

    /** The value whose first token is the current one. */
    private Node node(Position at, int depth) {
        if (depth > MAX_NESTING) {
            throw at.wrong("nests deeper than " + MAX_NESTING);
        }
        if (parser instanceof YAMLParser yaml && yaml.isCurrentAlias()) {
            throw at.wrong("aliases are not supported, got *" + parser.getString());
        }
        return switch (parser.currentToken()) {
            case START_OBJECT -> mapping(at, depth);
            case START_ARRAY -> items(at, depth);
            case VALUE_STRING -> new Node.Scalar(at, Kind.TEXT, parser.getString());
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> new Node.Scalar(at, Kind.NUMBER, parser.getString());
            case VALUE_TRUE, VALUE_FALSE -> new Node.Scalar(at, Kind.BOOLEAN, parser.getString());
            case VALUE_NULL -> new Node.Scalar(at, Kind.NULL, "null");
            case JsonToken other -> throw at.wrong("cannot be read: " + other);
        };
    }

    private Node mapping(Position at, int depth) {
        Map<String, Node> entries = new LinkedHashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String key = parser.currentName();
            Position position = at.key(key, line(), column());
            parser.nextToken();
            if (entries.put(key, node(position, depth + 1)) != null) {
                throw position.wrong("is given twice");
            }
        }
        return new Node.Mapping(at, entries);
    }

    private Node items(Position at, int depth) {
        List<Node> items = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            items.add(node(at.item(items.size(), line(), column()), depth + 1));
        }
        return new Node.Items(at, items);
    }
}
