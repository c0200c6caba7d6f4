package dev.tilewright.api.platform.http;

import dev.tilewright.api.testing.RunningService;
import dev.tilewright.model.exchange.Protocol;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** A request in parts, so that one of them can be spoilt. */
final class RequestDraft {

    final Operation operation;
    String method;
    String target;
    String version = "HTTP/1.1";
    String host = "Host: 127.0.0.1:8080\r\n";
    String type = "";
    String headers = "";
    String token;
    String body = "";
    String length = "";

    /**
     * A request that is well formed.
     *
     * @param id that stands in the path where one is asked for
     */
    RequestDraft(Operation operation, String id, JsonSample samples) {
        this.operation = operation;
        this.method = operation.method();
        this.target = operation
                .path()
                .replace("{id}", id)
                .replace("{ptxHash}", "ab".repeat(32))
                .replace("{name}", "machine")
                .replace("{version}", "0123456789abcdef");
        this.token = operation.needsWorker() ? "Authorization: Bearer " + RunningService.WORKER_TOKEN + "\r\n" : "";
        if (operation.path().endsWith("/workers")) {
            token += Protocol.HEADER + ": " + Protocol.VERSION + "\r\n";
        }
        if (operation.path().endsWith("/predictions")) {
            target += "?shape=512x256x128";
        }
        if (operation.hasBody()) {
            type = "Content-Type: application/json\r\n";
            body = samples.whole(operation.body());
        } else if (operation.takesZip()) {
            type = "Content-Type: application/zip\r\n";
            body = "PK and no more";
        }
    }

    /** One method of one path of {@code openapi.json}. */
    record Operation(String method, String path, JsonNode description, JsonNode siblings) {

        boolean reads() {
            return method.equals("GET");
        }

        boolean needsWorker() {
            return description.path("security").toString().contains("workerToken");
        }

        List<JsonNode> parameters(String in) {
            return description
                    .path("parameters")
                    .valueStream()
                    .filter(parameter -> parameter.get("in").asString().equals(in))
                    .toList();
        }

        boolean takesZip() {
            return description.at("/requestBody/content").has("application/zip");
        }

        /** Whether it has one of JSON. */
        boolean hasBody() {
            return description.has("requestBody") && !takesZip();
        }

        JsonNode body() {
            return description.at("/requestBody/content/application~1json/schema");
        }
    }

    void query(String more) {
        target += (target.contains("?") ? "&" : "?") + more;
    }

    /** One byte a character, so that bytes that are no text can be sent too. */
    byte[] bytes() {
        byte[] content = body.getBytes(StandardCharsets.ISO_8859_1);
        String size = length.isEmpty() && content.length > 0 ? "Content-Length: " + content.length + "\r\n" : length;
        byte[] head = (method + " " + target + " " + version + "\r\n" + host + type + token + headers + size
                        + "Connection: close\r\n\r\n")
                .getBytes(StandardCharsets.ISO_8859_1);
        byte[] all = Arrays.copyOf(head, head.length + content.length);
        System.arraycopy(content, 0, all, head.length, content.length);
        return all;
    }
}
