package dev.tilewright.worker.cli;

import dev.tilewright.model.exchange.ComparisonDocument;
import dev.tilewright.worker.link.client.ApiRefusedException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;

/** Comparisons of a service: asked for, followed to their end, cancelled. */
record Comparisons(Connection connection, PrintStream notices) {

    private static final String PATH = "/api/v1/comparisons";

    /** Between looks at many comparisons, of which one ends soon. */
    static final Duration PAUSE = Duration.ofMillis(50);

    /** Between looks at the only one. */
    private static final Duration LONG_PAUSE = Duration.ofMillis(200);

    UUID ask(Map<String, Object> request) throws ApiRefusedException, InterruptedException {
        return connection
                .send(api -> api.post(PATH, request, ComparisonDocument.class))
                .id();
    }

    ComparisonDocument look(UUID id) throws ApiRefusedException, InterruptedException {
        return connection.send(api -> api.get(PATH + "/" + id, ComparisonDocument.class));
    }

    /** All that the service says of one. */
    JsonNode document(UUID id) throws ApiRefusedException, InterruptedException {
        return connection.send(api -> api.get(PATH + "/" + id, JsonNode.class));
    }

    /** One that a GPU has already is measured in vain. */
    void cancel(UUID id) {
        connection.cancel(PATH + "/" + id, "comparison " + id, notices);
    }

    /**
     * Asks for one and waits for its end; if this process is ended before that, it is cancelled.
     *
     * @param meanwhile is shown it after each look, until it is over
     */
    ComparisonDocument ended(Map<String, Object> request, Consumer<ComparisonDocument> meanwhile)
            throws ApiRefusedException, InterruptedException {
        UUID id = ask(request);
        connection.onInterrupt(() -> cancel(id));
        ComparisonDocument ended = toItsEnd(id, meanwhile);
        connection.onInterrupt(() -> {});
        return ended;
    }

    /** Waits for the end of one that was asked for. */
    ComparisonDocument toItsEnd(UUID id, Consumer<ComparisonDocument> meanwhile)
            throws ApiRefusedException, InterruptedException {
        ComparisonDocument known = look(id);
        while (!known.state().isOver()) {
            meanwhile.accept(known);
            Thread.sleep(LONG_PAUSE);
            known = look(id);
        }
        return known;
    }
}
