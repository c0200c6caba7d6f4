package dev.tilewright.worker.cli.board;

import dev.tilewright.model.exchange.ResultDocument;
import dev.tilewright.worker.link.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Result documents of the tests. */
public final class Samples {

    private Samples() {}

    /** A document from the folder of test resources. */
    static JsonNode document(String name) {
        try (InputStream in = Samples.class.getResourceAsStream("/results/" + name)) {
            return Json.mapper().readTree(in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static ResultDocument result(String name) {
        return Json.mapper().treeToValue(document(name), ResultDocument.class);
    }

    /** The same, but for what is changed in its JSON. */
    @SuppressWarnings("unchecked")
    public static <T> T with(T document, Consumer<ObjectNode> change) {
        ObjectNode json = Json.mapper().valueToTree(document);
        change.accept(json);
        return (T) Json.mapper().treeToValue(json, document.getClass());
    }
}
