package dev.tilewright.api.prediction;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.RunningService;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Predictions come at once, without a worker, and never pass for measured. */
@ExtendWith(RunningService.class)
class PredictionTest {

    @ParameterizedTest
    @CsvSource({
        "4096x4096x4096, simulated:h200, sm90-gemm",
        "9000x1000x1000, simulated:h200, sm90-gemm",
        "1x4096x4096, simulated:h200, sm90-gemm",
        "5000x3000x2048, simulated:b200, sm100-gemm",
    })
    void theFastestComeFirstAndAreOfDifferentTiles(String shape, String device, String family, Api api) {
        JsonNode predictions = api.get("/api/v1/predictions?shape=" + shape + "&device=" + device)
                .expect(200);
        assertThat(predictions.get("kind").asString()).isEqualTo("simulated");
        assertThat(predictions.get("family").asString()).isEqualTo(family);
        List<Double> times = new ArrayList<>();
        Set<String> settings = new HashSet<>();
        for (JsonNode pick : predictions.get("configs")) {
            times.add(pick.get("us").asDouble());
            settings.add(pick.get("settings").asString());
            assertThat(pick.get("smShare").asDouble()).isBetween(0.0, 1.0);
            assertThat(pick.get("limit").asString()).isIn("tensor", "l2", "dram", "latency", "power");
        }
        assertThat(times).hasSize(8).isSorted();
        assertThat(settings).hasSize(8);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "shape=4096x4096x4096&top=0",
                "shape=4096x4096",
                "shape=4096x4095x4096",
                "shape=4096x4096x4096&device=cuda",
                "shape=4096x4096x4096&device=simulated:h300",
                "shape=4096x4096x4096&dtype=int4",
                "shape=4096x4096x4096&family=nobody",
            })
    void whatCannotBePredictedIsSaidWithItsParameter(String question, Api api) {
        JsonNode problem = api.get("/api/v1/predictions?" + question).problem(422);
        assertThat(problem.get("errors")).isNotEmpty();
    }
}
