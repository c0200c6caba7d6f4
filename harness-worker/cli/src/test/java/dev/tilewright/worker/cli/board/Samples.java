package dev.tilewright.worker.cli.board;

import dev.tilewright.worker.link.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import tools.jackson.databind.JsonNode;

/** Result documents of the tests. */
final class Samples {

    private Samples() {}

    /** A document from the folder of test resources. */
    static JsonNode document(String name) {
        try (InputStream in = Samples.class.getResourceAsStream("/results/" + name)) {
            return Json.mapper().readTree(in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static ResultDocument result(String name) {
        return Json.mapper().treeToValue(document(name), ResultDocument.class);
    }
}
