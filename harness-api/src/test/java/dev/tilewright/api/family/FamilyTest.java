package dev.tilewright.api.family;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.RunningService;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** What may be set is said for every family that can compute the shape, and why another one cannot. */
@ExtendWith(RunningService.class)
class FamilyTest {

    private static final String LIBRARY = "cublaslt";

    @Test
    void whatWeBuildHasASchedulerAndUsualValuesAreAmongAll(Api api) {
        JsonNode families =
                api.get("/api/v1/families?shape=5000x3000x2048&sms=148").expect(200);
        assertThat(families)
                .extracting(family -> family.get("name").asString())
                .contains("sm90-gemm", "sm100-gemm", LIBRARY);
        for (JsonNode family : families) {
            assertThat(family.get("refusal").isNull()).isTrue();
            List<String> names = new ArrayList<>();
            for (JsonNode parameter : family.get("parameters")) {
                names.add(parameter.get("name").asString());
                assertThat(parameter.get("values")).containsAll(parameter.get("usual"));
            }
            assertThat(names).doesNotHaveDuplicates();
            assertThat(names.contains("scheduler"))
                    .isNotEqualTo(family.get("name").asString().equals(LIBRARY));
        }
    }

    @Test
    void aShapeThatAFamilyCannotComputeIsRefusedWithItsRule(Api api) {
        JsonNode families = api.get("/api/v1/families?shape=512x384x100").expect(200);
        for (JsonNode family : families) {
            if (family.get("name").asString().equals(LIBRARY)) {
                assertThat(family.get("refusal").isNull())
                        .as("the vendor's library copies without tensor maps too")
                        .isTrue();
                continue;
            }
            assertThat(family.get("refusal").asString()).contains("k ").contains("100");
            assertThat(family.get("parameters")).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({"shape=4096x4096, shape", "dtype=int4, dtype", "sms=0, sms", "sms=1025, sms"})
    void whatCannotBeReadIsSaidWithItsParameter(String question, String parameter, Api api) {
        JsonNode problem = api.get("/api/v1/families?" + question).problem(422);
        assertThat(problem.get("errors").get(0).toString()).contains(parameter);
    }
}
