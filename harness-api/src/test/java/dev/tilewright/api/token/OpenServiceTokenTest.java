package dev.tilewright.api.token;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.RunningService;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tokens at a service that asks users for none. */
@ExtendWith(RunningService.class)
class OpenServiceTokenTest {

    @Test
    void aRoleThatWouldNotHoldIsRefused(Api api) {
        assertThat(Api.errors(api.post("/api/v1/tokens", "{\"name\":\"ci\",\"role\":\"reader\"}")
                        .problem(422)))
                .singleElement()
                .asString()
                .startsWith("/role: this service asks users for no token")
                .endsWith("start it with --login first");
    }

    @Test
    void workersMayHaveOneEach(Api api) {
        String token = api.post("/api/v1/tokens", "{\"name\":\"node-7\",\"role\":\"worker\"}")
                .expect(201)
                .get("token")
                .asString();
        assertThat(api.post("/api/v1/leases", "{}", "authorization", "Bearer " + token)
                        .status())
                .isEqualTo(422);
        assertThat(api.get("/api/v1/tokens")
                        .expect(200)
                        .at("/items/0/createdBy")
                        .asString())
                .isEqualTo("(anybody)");
    }
}
