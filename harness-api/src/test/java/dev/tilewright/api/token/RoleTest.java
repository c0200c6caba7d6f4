package dev.tilewright.api.token;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.platform.http.WorkerPaths;
import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.Api.Answer;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.RunningService.Service;
import dev.tilewright.model.space.Sha256;
import java.net.http.HttpRequest;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Tokens of each role at a service that was started with one for its operator. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RoleTest {

    private static final String OPERATOR = "the-token-of-the-operator";
    private static final String JOB = """
        {"problems":[{"m":640,"n":384,"k":256}],"family":"toy","device":"cuda"}\
        """;

    private Service service;
    private Api api;

    @BeforeAll
    void start() {
        service = RunningService.start(Map.of("tilewright.user-token", OPERATOR, "db-scheduler.enabled", "false"));
        api = service.api();
    }

    @AfterAll
    void stop() {
        service.close();
    }

    @BeforeEach
    void noTokens() {
        List<String> names = ask("GET", "/api/v1/tokens", OPERATOR, null)
                .expect(200)
                .get("items")
                .valueStream()
                .map(token -> token.get("name").asString())
                .toList();
        names.forEach(
                name -> ask("DELETE", "/api/v1/tokens/" + name, OPERATOR, null).expect(204));
    }

    private Answer ask(String method, String path, @Nullable String token, @Nullable String body) {
        return ask(method, path, token, body, "application/json");
    }

    private Answer ask(String method, String path, @Nullable String token, @Nullable String body, String type) {
        HttpRequest.Builder request = api.request(path)
                .method(
                        method,
                        body == null ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(body));
        if (body != null) {
            request.header("content-type", type);
        }
        return api.send(token == null ? request : request.header("authorization", "Bearer " + token));
    }

    private Answer tryToCreate(String name, String role) {
        return ask("POST", "/api/v1/tokens", OPERATOR, "{\"name\":\"%s\",\"role\":\"%s\"}".formatted(name, role));
    }

    private String create(String name, String role) {
        return tryToCreate(name, role).expect(201).get("token").asString();
    }

    private String submitted(String token) {
        return ask("POST", "/api/v1/jobs", token, JOB).expect(202).get("id").asString();
    }

    @Test
    void aTokenIsToldOnceAndItsHashKept() {
        Answer created = tryToCreate("ci", "submitter");
        String token = created.expect(201).get("token").asString();
        assertThat(token).matches("[0-9a-f]{64}");
        assertThat(created.header("cache-control")).isEqualTo("no-store");
        assertThat(service.jdbc()
                        .sql("select t::text from access_token t")
                        .query(String.class)
                        .single())
                .contains(Sha256.hex(token))
                .doesNotContain(token);
        Answer list = ask("GET", "/api/v1/tokens", OPERATOR, null);
        assertThat(list.text()).doesNotContain(token).doesNotContain(Sha256.hex(token));
        JsonNode item = list.expect(200).get("items").get(0);
        assertThat(item.get("name").asString()).isEqualTo("ci");
        assertThat(item.get("role").asString()).isEqualTo("submitter");
        assertThat(item.get("createdBy").asString()).isEqualTo("(operator)");
    }

    /** Another user's key would say that the key is taken, and what it made. */
    @Test
    void anIdempotencyKeyIsTheCallersOwn() {
        String ann = create("ann", "submitter");
        String bob = create("bob", "submitter");
        String first = keyed(ann, JOB);
        assertThat(keyed(bob, JOB)).isNotEqualTo(first);
        assertThat(keyed(OPERATOR, JOB.replace("640", "320"))).isNotEqualTo(first);
        assertThat(keyed(ann, JOB)).isEqualTo(first);
    }

    private String keyed(String token, String body) {
        HttpRequest.Builder request = api.request("/api/v1/jobs")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .header("content-type", "application/json")
                .header("idempotency-key", "nightly")
                .header("authorization", "Bearer " + token);
        return api.send(request).expect(202).get("id").asString();
    }

    @Test
    void aNameIsTakenUntilItsTokenIsRevokedWhichHoldsAtOnce() {
        String first = create("ci", "submitter");
        submitted(first);
        assertThat(tryToCreate("ci", "reader").problem(409).get("detail").asString())
                .isEqualTo("there is a token 'ci' already: revoke it first, or take another name");
        ask("DELETE", "/api/v1/tokens/ci", OPERATOR, null).expect(204);
        ask("GET", "/api/v1/jobs", first, null).problem(403);
        ask("DELETE", "/api/v1/tokens/ci", OPERATOR, null).problem(404);
        ask("GET", "/api/v1/jobs", create("ci", "reader"), null).expect(200);
    }

    @ParameterizedTest
    @CsvSource({
        "'',   reader, /name: must be 1 to 64 letters",
        "-x,   reader, /name: must be 1 to 64 letters",
        "(operator), reader, /name: must be 1 to 64 letters",
        "ci,   admin,  '/role: must be one of reader, submitter, operator, worker'"
    })
    void badNamesAndRolesAreRefusedByTheirRule(String name, String role, String start) {
        assertThat(Api.errors(tryToCreate(name, role).problem(422)))
                .singleElement()
                .asString()
                .startsWith(start);
    }

    @Test
    void aSubmitterCancelsItsOwnJobsAndAnOperatorAny() {
        String ci = create("ci", "submitter");
        String night = create("night", "submitter");
        String operator = create("ann", "operator");
        String job = submitted(ci);
        String other = submitted(ci);
        String ofAnOperator = submitted(OPERATOR);
        assertThat(ask("GET", "/api/v1/jobs/" + job, night, null)
                        .expect(200)
                        .get("submittedBy")
                        .asString())
                .isEqualTo("ci");

        assertThat(ask("POST", "/api/v1/jobs/" + job + "/cancel", night, null)
                        .problem(403)
                        .get("detail")
                        .asString())
                .isEqualTo("job " + job + " was submitted by 'ci', not by 'night': a submitter cancels its own jobs,"
                        + " an operator any");
        ask("POST", "/api/v1/jobs/" + ofAnOperator + "/cancel", ci, null).problem(403);
        ask("POST", "/api/v1/jobs/" + job + "/cancel", create("eve", "reader"), null)
                .problem(403);
        assertThat(ask("GET", "/api/v1/jobs/" + job, night, null)
                        .expect(200)
                        .get("state")
                        .asString())
                .isEqualTo("queued");

        ask("DELETE", "/api/v1/tokens/ci", OPERATOR, null).expect(204);
        String renewed = create("ci", "submitter");
        ask("POST", "/api/v1/jobs/" + job + "/cancel", renewed, null).expect(200);
        ask("POST", "/api/v1/jobs/" + other + "/cancel", operator, null).expect(200);
        ask("POST", "/api/v1/jobs/" + ofAnOperator + "/cancel", OPERATOR, null).expect(200);
    }

    @Test
    void aWorkerWithATokenOfItsOwnWorksUntilItIsRevoked() {
        String token = create("node-7", "worker");
        assertThat(ask("POST", "/api/v1/leases", token, "{}").status()).isEqualTo(422);
        ask("POST", "/api/v1/jobs", token, JOB).problem(403);
        ask("DELETE", "/api/v1/tokens/node-7", OPERATOR, null).expect(204);
        ask("POST", "/api/v1/leases", token, "{}").problem(403);
    }

    @Test
    void strangersLearnWhetherTheServiceIsWellAndNoMore() {
        String reader = create("grafana", "reader");
        for (String token : new String[] {null, "wrong", reader}) {
            JsonNode health = ask("GET", "/actuator/health", token, null).expect(200);
            assertThat(health.propertyNames()).containsExactlyInAnyOrder("status", "groups");
        }
        ask("GET", "/actuator/health/liveness", null, null).expect(200);
        ask("GET", "/actuator/health/readiness", null, null).expect(200);
        ask("GET", "/actuator/health/db", null, null).problem(401);
        assertThat(ask("GET", "/actuator/health", OPERATOR, null)
                        .expect(200)
                        .at("/components/localWorker/details/state")
                        .asString())
                .isEqualTo("off");
        assertThat(ask("GET", "/actuator/health/localWorker", OPERATOR, null)
                        .expect(200)
                        .at("/details/state")
                        .asString())
                .isEqualTo("off");
    }

    /** Every operation of the API document at once, as no role, and as each. */
    @Test
    void whatTheDocumentSaysOfRolesIsSo() {
        Map<String, String> tokens = new TreeMap<>();
        for (String role : List.of("reader", "submitter", "operator", "worker")) {
            tokens.put(role, create(role, role));
        }
        JsonNode paths = ask("GET", "/v3/api-docs", OPERATOR, null).expect(200).get("paths");
        paths.properties()
                .forEach(path -> path.getValue().properties().forEach(operation -> {
                    String method = operation.getKey().toUpperCase(java.util.Locale.ROOT);
                    String target = path.getKey().replaceAll("\\{\\w+}", "00000000-0000-4000-8000-000000000001");
                    List<String> roles = operation
                            .getValue()
                            .get("x-roles")
                            .valueStream()
                            .map(JsonNode::asString)
                            .toList();
                    String body = method.equals("POST") ? "{}" : null;
                    String type = operation.getValue().at("/requestBody/content").propertyNames().stream()
                            .findFirst()
                            .orElse("application/json");
                    ask(method, target, null, body, type).problem(401);
                    tokens.forEach((role, token) -> {
                        int status = ask(method, target, token, body, type).status();
                        assertThat(status == 403)
                                .as("%s %s as %s: %d", method, target, role, status)
                                .isEqualTo(!roles.contains(role));
                    });
                    assertThat(roles.equals(List.of("worker"))).isEqualTo(WorkerPaths.include(method, path.getKey()));
                }));
    }
}
