package dev.tilewright.api.platform.http;

import dev.tilewright.api.testing.RunningService;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** Draws requests to the operations of {@code openapi.json}, each with one thing in it that must be refused. */
final class MalformedRequests {

    private static final List<String> METHODS =
            List.of("GET", "POST", "PUT", "DELETE", "PATCH", "TRACE", "FROB", "get");
    /** For parameters that have a rule of their own; the others take any text. */
    private static final Map<String, List<String>> BAD_VALUES = Map.of(
            "limit", List.of("0", "-1", "501", "x", "1.5", "99999999999", "1e3", "%20"),
            "cursor", List.of("x", "-1", "1.5", "99999999999999999999"),
            "top", List.of("0", "65", "x", "-3", "99999999999"),
            "shape", List.of("x", "1x2", "0x1x1", "axbxc", "1x2x3x4", "-1x1x1", "99999999999x1x1"),
            "dtype", List.of("bf17", "1", "BF16"),
            "device", List.of("cuda:x", "simulated:x", "x"),
            "emulator", List.of("x", "0".repeat(63), "G".repeat(64)));

    private final RandomGenerator random;
    private final JsonSample samples;
    private final List<String> ids;
    private final List<RequestDraft.Operation> operations = new ArrayList<>();
    private final List<String> ways = List.of(
            "target",
            "parameter",
            "id",
            "text",
            "json",
            "type",
            "origin",
            "protocol",
            "method",
            "header",
            "token",
            "large");

    /** What is sent, and what is wrong with it. */
    record Malformed(String way, byte[] bytes) {

        @Override
        public String toString() {
            String text = new String(bytes, 0, Math.min(bytes.length, 2000), StandardCharsets.ISO_8859_1);
            return way + ": "
                    + text.chars()
                            .mapToObj(c -> c >= ' ' && c < 127 || c == '\n'
                                    ? String.valueOf((char) c)
                                    : "\\x%02x".formatted(c))
                            .collect(Collectors.joining());
        }
    }

    /** @param ids of rows that there are, so that a request that passes would change something */
    MalformedRequests(JsonNode openApi, List<String> ids, RandomGenerator random) {
        this.random = random;
        this.ids = ids;
        this.samples = new JsonSample(openApi, ids, random);
        openApi.get("paths")
                .properties()
                .forEach(path -> path.getValue()
                        .properties()
                        .forEach(method -> operations.add(new RequestDraft.Operation(
                                method.getKey().toUpperCase(java.util.Locale.ROOT),
                                path.getKey(),
                                method.getValue(),
                                path.getValue()))));
    }

    Malformed next() {
        while (true) {
            String way = pick(ways);
            RequestDraft draft = new RequestDraft(pick(operations), pick(ids), samples);
            if (spoil(way, draft)) {
                return new Malformed(way, draft.bytes());
            }
        }
    }

    /** False if this way is none for the operation. */
    private boolean spoil(String way, RequestDraft draft) {
        return switch (way) {
            case "target" -> target(draft);
            case "parameter" -> parameter(draft);
            case "id" -> id(draft);
            case "text" -> text(draft);
            case "json" -> json(draft);
            case "type" -> type(draft);
            case "origin" -> origin(draft);
            case "protocol" -> protocol(draft);
            case "method" -> method(draft);
            case "header" -> header(draft);
            case "token" -> token(draft);
            case "large" -> random.nextInt(5) == 0 && large(draft);
            default -> throw new IllegalArgumentException(way);
        };
    }

    private boolean target(RequestDraft draft) {
        int slash = draft.target.indexOf('/', 1 + random.nextInt(7));
        switch (random.nextInt(4)) {
            case 0 ->
                draft.query(pick(List.of(
                        "%zz",
                        "=",
                        "=x",
                        "shape=%c0%ae",
                        "a=%",
                        "a=%0",
                        "%00=1",
                        "a=%00",
                        "limit=%ff",
                        "a=%ed%a0%80",
                        "a=%1b",
                        "shape=%0a",
                        "a=\u00e4",
                        "a=|",
                        "a={}",
                        "limit=\\",
                        "a=\"")));
            case 1 ->
                draft.target = draft.target.substring(0, slash)
                        + pick(List.of(
                                "/..;",
                                "/;x=1",
                                "/.",
                                "/..",
                                "/",
                                "/%2e%2e",
                                "/%2e",
                                "/%2f",
                                "/%5c",
                                "\\",
                                "/%00",
                                "/%c0%ae",
                                "/%0d%0aX:1",
                                "/%",
                                "/%zz",
                                "/\u0001",
                                "/<x>"))
                        + draft.target.substring(slash);
            case 2 ->
                draft.target = pick(List.of("*", "x", "//", "/..", "http://evil.example/", "http://", "/;", "/%"))
                        + draft.target;
            default -> draft.query(pick(List.of("a b", "\u0000", "\u001b[31m", "\u007f")));
        }
        return true;
    }

    private boolean parameter(RequestDraft draft) {
        List<JsonNode> known = draft.operation.parameters("query");
        List<String> spoilable = known.stream()
                .map(each -> each.get("name").asString())
                .filter(BAD_VALUES::containsKey)
                .toList();
        switch (random.nextInt(3)) {
            case 0 ->
                draft.query(pick(List.of(
                        "state=", "nome=x", "sort=-x", "Limit=1", "limit%20=1", "x", "shape%5b%5d=1", "ids=1")));
            case 1 -> {
                if (spoilable.isEmpty()) {
                    return false;
                }
                String name = pick(spoilable);
                draft.target = draft.target.replaceAll("[?].*", "");
                draft.query(name + "=" + pick(BAD_VALUES.get(name)));
            }
            default -> {
                if (known.isEmpty()) {
                    return false;
                }
                String name = pick(known).get("name").asString();
                draft.query(name + "=1&" + name + "=2");
            }
        }
        return true;
    }

    private boolean id(RequestDraft draft) {
        // Any name may be that of a gate.
        if (!draft.operation.path().contains("{") || draft.operation.path().contains("/gates/{name}")) {
            return false;
        }
        draft.target = draft.operation
                .path()
                .replaceAll(
                        "\\{\\w+}",
                        pick(List.of(
                                "x",
                                "4711",
                                "0",
                                "-1",
                                "00000000-0000-4000-8000-00000000000g",
                                "null",
                                "'%20or%201=1",
                                "%7B%7D",
                                "a".repeat(5000),
                                "00000000-0000-4000-8000-000000000001")));
        return true;
    }

    /** A body that is no JSON. */
    private boolean text(RequestDraft draft) {
        if (!draft.operation.hasBody()) {
            return false;
        }
        switch (random.nextInt(5)) {
            case 0 -> draft.body = draft.body.substring(0, random.nextInt(draft.body.length()));
            case 1 -> draft.body += pick(List.of("x", "{}", "]", "\u0000", "//"));
            case 2 ->
                draft.body = pick(List.of(
                        "null",
                        "[]",
                        "1",
                        "\"x\"",
                        "true",
                        "NaN",
                        "{'a':1}",
                        "{a:1}",
                        "[".repeat(2000),
                        "\u00ff\u00fe{}"));
            case 3 ->
                draft.body = draft.body.replaceFirst("\":", pick(List.of("\"", "\"=", "\u0001\":", "\"::", "\\x\":")));
            default -> {
                byte[] noise = new byte[1 + random.nextInt(60)];
                random.nextBytes(noise);
                draft.body = "{" + new String(noise, StandardCharsets.ISO_8859_1);
            }
        }
        return true;
    }

    /** JSON of another form than asked for. */
    private boolean json(RequestDraft draft) {
        if (!draft.operation.hasBody()) {
            return false;
        }
        JsonNode schema = draft.operation.body();
        draft.body = switch (random.nextInt(4)) {
            case 0 -> samples.withBadText(schema);
            case 1 -> samples.withDuplicate(schema);
            case 2 -> samples.withUnknown(schema);
            default -> samples.ofWrongType(schema);
        };
        return true;
    }

    private boolean type(RequestDraft draft) {
        if (draft.operation.reads()) {
            return false;
        }
        draft.type = pick(List.of(
                "Content-Type: text/plain\r\n",
                "Content-Type: application/x-www-form-urlencoded\r\n",
                "Content-Type: multipart/form-data; boundary=x\r\n",
                "Content-Type: text/html\r\n",
                "Content-Type: x\r\n",
                "Content-Type: application/json;;charset\r\n",
                "Content-Type: application/json;charset=klingon\r\n",
                "Content-Type: */*\r\n",
                "Content-Type: application/xml\r\n",
                ""));
        if (draft.body.isEmpty()) {
            draft.body = "a=1";
        }
        return true;
    }

    private boolean origin(RequestDraft draft) {
        if (random.nextBoolean()) {
            draft.host = pick(List.of(
                    "Host: evil.example\r\n",
                    "Host: evil.example:8080\r\n",
                    "Host: 10.0.0.1\r\n",
                    "Host: [::2]\r\n",
                    "",
                    "Host: \r\n",
                    "Host: localhost\r\nHost: localhost\r\n",
                    "Host: localhost.evil.example\r\n",
                    "Host: a b\r\n",
                    "Host: 127.0.0.1:x\r\n",
                    "Host: 127.0.0.1@evil.example\r\n",
                    "Host: [::1\r\n",
                    "Host: 127.0.0.1.evil.example\r\n",
                    "Host: \u00e4\r\n"));
            return true;
        }
        draft.headers += pick(List.of(
                "Origin: http://evil.example\r\n",
                "Origin: null\r\n",
                "Origin: http://127.0.0.1:9999\r\n",
                "Origin: \r\n",
                "Sec-Fetch-Site: cross-site\r\n",
                "Sec-Fetch-Site: same-site\r\n",
                "Sec-Fetch-Site: x\r\n",
                "Origin: http://127.0.0.1:8080.evil.example\r\n",
                "Sec-Fetch-Site: none\r\nSec-Fetch-Site: cross-site\r\n"));
        return !draft.operation.reads();
    }

    private boolean protocol(RequestDraft draft) {
        switch (random.nextInt(5)) {
            case 0 -> draft.version = pick(List.of("HTTP/2.0", "HTTP/1.2", "HTTP/9", "HTTP/1.1x", "XTTP/1.1", "HTTP/"));
            case 1 ->
                draft.length = pick(List.of(
                        "Content-Length: -1\r\n",
                        "Content-Length: x\r\n",
                        "Content-Length: 1\r\nContent-Length: 2\r\n",
                        "Content-Length: 99999999999999999999\r\n",
                        "Transfer-Encoding: klingon\r\n",
                        "Transfer-Encoding: chunked, chunked\r\n",
                        "Content-Length: 0x10\r\n"));
            case 2 -> {
                if (!draft.operation.hasBody()) {
                    return false;
                }
                draft.length = "Transfer-Encoding: chunked\r\n";
                draft.body = pick(List.of(
                        "zz\r\n",
                        "-1\r\n",
                        "ffffffffffffffff\r\n",
                        "5\r\n{}",
                        "1\r\n{\r\n2\r\nxx\r\n0\r\n\r\n",
                        "2;a=\u0000\r\n{"));
            }
            case 3 ->
                draft.headers += pick(List.of(
                        "NoColon\r\n",
                        ": x\r\n",
                        "A B: c\r\n",
                        "A: \u0000\r\n",
                        "A\u0001: b\r\n",
                        "A(: b\r\n",
                        "X: " + "y".repeat(20_000) + "\r\n",
                        "X: y\r\n".repeat(400)));
            default -> draft.method = pick(List.of("", "G T", "GET\u0001", "\u00e4", "{"));
        }
        return true;
    }

    private boolean method(RequestDraft draft) {
        String other = pick(METHODS);
        if (draft.operation.siblings().has(other.toLowerCase(java.util.Locale.ROOT)) && !other.equals("get")) {
            return false;
        }
        draft.method = other;
        return true;
    }

    private boolean header(RequestDraft draft) {
        boolean stream = draft.operation.path().endsWith("/events");
        draft.headers += switch (random.nextInt(3)) {
            case 0 ->
                pick(List.of(
                        "Accept: text/csv\r\n", "Accept: x\r\n", "Accept: /\r\n", "Accept: image/png, text/html\r\n"));
            case 1 ->
                stream
                        ? pick(List.of(
                                "Last-Event-ID: x\r\n",
                                "Last-Event-ID: -1\r\n",
                                "Last-Event-ID: 99999999999999999999\r\n"))
                        : "Expect: 200-maybe\r\n";
            default ->
                "Idempotency-Key: " + pick(List.of("\"", "\"\"", "a b", "\u00e4", "x".repeat(256), "\"a\"b\""))
                        + "\r\n";
        };
        return !draft.headers.startsWith("Idem")
                || draft.operation.path().endsWith("/jobs") && !draft.operation.reads();
    }

    private boolean token(RequestDraft draft) {
        draft.token = pick(List.of(
                "",
                "Authorization: Bearer wrong\r\n",
                "Authorization: Basic eA==\r\n",
                "Authorization: Bearer\r\n",
                "Authorization: " + RunningService.WORKER_TOKEN + "\r\n",
                "Authorization: Bearer \u00e4\r\n"));
        return draft.operation.needsWorker();
    }

    private boolean large(RequestDraft draft) {
        if (draft.operation.reads() || draft.operation.path().endsWith("/cancel")) {
            return false;
        }
        draft.body = switch (random.nextInt(3)) {
            case 0 -> "{\"name\":\"" + "x".repeat(1 << 20) + "\"}";
            case 1 -> "[".repeat(60_000);
            default ->
                "{\"workerId\":\"" + pick(ids) + "\",\"leases\":["
                        + String.join(",", java.util.Collections.nCopies(20_000, "\"" + pick(ids) + "\"")) + "]}";
        };
        return true;
    }

    private <T> T pick(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }
}
