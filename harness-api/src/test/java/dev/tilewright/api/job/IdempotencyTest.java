package dev.tilewright.api.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.RunningService.Service;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.JsonNode;

@ExtendWith(RunningService.class)
class IdempotencyTest {

    private static final String BODY = "{\"problems\":[{\"m\":64,\"n\":128,\"k\":256}],\"family\":\"toy\"}";
    private static final String OTHER = "{\"problems\":[{\"m\":64,\"n\":128,\"k\":512}],\"family\":\"toy\"}";

    private static String id(Api.Answer answer) {
        return answer.expect(202).get("id").asString();
    }

    @Test
    void theSameKeyAndPayloadIsTheSameJob(Api api) {
        String first = id(api.post("/api/v1/jobs", BODY, "Idempotency-Key", "\"sweep-1\""));
        // Layout of the text does not matter, nor do quotes around the key.
        String again = id(api.post("/api/v1/jobs", " " + BODY.replace(",", " ,\n"), "Idempotency-Key", "sweep-1"));
        assertThat(again).isEqualTo(first);
        assertThat(api.get("/api/v1/jobs").expect(200).get("items")).hasSize(1);
        assertThat(id(api.post("/api/v1/jobs", BODY))).isNotEqualTo(first);
    }

    @Test
    void anotherPayloadUnderTheKeyIsRefused(Api api) {
        String first = id(api.post("/api/v1/jobs", BODY, "Idempotency-Key", "k"));
        JsonNode problem =
                api.post("/api/v1/jobs", OTHER, "Idempotency-Key", "k").problem(422);
        assertThat(problem.get("type").asString()).isEqualTo("urn:tilewright:problem:key-reused");
        assertThat(Api.errors(problem))
                .containsExactly("Idempotency-Key: was used for another payload, which made job " + first);
    }

    @Test
    void aRefusedRequestDoesNotUseTheKeyUp(Api api) {
        api.post("/api/v1/jobs", "{\"problems\":[]}", "Idempotency-Key", "k").problem(422);
        assertThat(id(api.post("/api/v1/jobs", BODY, "Idempotency-Key", "k"))).isNotEmpty();
    }

    @Test
    void aKeyIsRefusedWhileItsFirstRequestIsInFlight(Api api, Service service) {
        service.bean(TransactionTemplate.class).executeWithoutResult(status -> {
            service.bean(JdbcClient.class)
                    .sql("select pg_advisory_xact_lock(hashtextextended('(anybody)' || chr(10) || 'busy', 7))")
                    .query()
                    .listOfRows();
            Api.Answer answer = api.post("/api/v1/jobs", BODY, "Idempotency-Key", "busy");
            assertThat(answer.problem(409).get("type").asString()).isEqualTo("urn:tilewright:problem:in-flight");
            assertThat(answer.header("retry-after")).isEqualTo("1");
        });
        assertThat(id(api.post("/api/v1/jobs", BODY, "Idempotency-Key", "busy")))
                .isNotEmpty();
    }

    @Test
    void aKeyMustBeReadable(Api api) {
        api.post("/api/v1/jobs", BODY, "Idempotency-Key", "two words").problem(400);
        api.post("/api/v1/jobs", BODY, "Idempotency-Key", "x".repeat(256)).problem(400);
    }

    @Test
    void manyAtOnceMakeOneJob(Api api) throws Exception {
        List<Callable<Api.Answer>> requests = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            requests.add(() -> api.post("/api/v1/jobs", BODY, "Idempotency-Key", "many"));
        }
        Set<String> ids = new HashSet<>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<Api.Answer> answer : threads.invokeAll(requests)) {
                assertThat(answer.get().status()).isIn(202, 409);
                if (answer.get().status() == 202) {
                    ids.add(id(answer.get()));
                }
            }
        }
        assertThat(ids).hasSize(1);
        assertThat(api.get("/api/v1/jobs").expect(200).get("items")).hasSize(1);
    }
}
