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
    /** The reader of YAML takes seconds for a megabyte, so its limits hold before it begins. */
    public static final int MOST_YAML = 256 << 10;

    public static final int MOST_LINE = 64 << 10;
    public static final int MOST_JSON = 4 << 20;

    private static final int MAX_NESTING = 32;

    /** The faults of a text of YAML, by the messages of its reader, which name tokens. */
    private static final Map<String, String> YAML_RULES = Map.of(
            "cannot start any token",
                    "a character that begins no value, such as a tab, @ or `; indent with spaces, quote text",
            "mapping values are not allowed",
                    "a colon where no key can stand; quote the text, or check the indentation",
            "expected ',' or ']'", "a list in [] is not closed, or lacks a comma",
            "expected ',' or '}'", "a mapping in {} is not closed, or lacks a comma",
            "found unexpected end of stream", "a quote is not closed",
            "could not find expected ':'", "a key without a colon, or a text of several lines without quotes",
            "expected <block end>", "the indentation fits no line above",
            "special characters are not allowed", "a control character");

    private final JsonParser parser;

    private DocumentReader(JsonParser parser) {
        this.parser = parser;
    }

    /**
     * The tree of a text: of at most {@link #MOST_JSON} characters of JSON, or {@link #MOST_YAML} of YAML with lines of
     * at most {@link #MOST_LINE}.
     *
     * @param json whether it is JSON; otherwise YAML
     * @throws DocumentException if it is neither, is longer, holds a key twice, or an alias
     */
    public static Node read(String text, boolean json) {
        requireShort(text, json);
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
                    + ": document: " + (json ? "is no JSON from here on" : yamlRule(malformed.getOriginalMessage())));
        }
    }

    private static void requireShort(String text, boolean json) {
        int most = json ? MOST_JSON : MOST_YAML;
        if (text.length() > most) {
            throw new DocumentException("1:1: document: has at most " + most + " characters of "
                    + (json ? "JSON" : "YAML") + ", got " + text.length());
        }
        int line = 1;
        for (int begin = 0; !json && begin < text.length(); line++) {
            int end = text.indexOf('\n', begin);
            int length = (end < 0 ? text.length() : end) - begin;
            if (length > MOST_LINE) {
                throw new DocumentException(
                        line + ":1: document: a line of YAML has at most " + MOST_LINE + " characters, got " + length);
            }
            begin += length + 1;
        }
    }

    private static String yamlRule(String said) {
        return "is no YAML: "
                + YAML_RULES.entrySet().stream()
                        .filter(rule -> said.contains(rule.getKey()))
                        .map(Map.Entry::getValue)
                        .findFirst()
                        .orElse("check indentation, quotes and colons");
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
