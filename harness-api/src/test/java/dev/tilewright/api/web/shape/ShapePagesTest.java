package dev.tilewright.api.web.shape;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.RunningService.Service;
import dev.tilewright.api.testing.ScriptedWorker;
import dev.tilewright.api.testing.StoredResult;
import dev.tilewright.model.trial.Testbed;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

/** The best configs of finals that ran on an H200, one of which moves much for what it multiplies. */
@ExtendWith(RunningService.class)
class ShapePagesTest {

    private static final String TAG = ">stale</span>";

    private static void store(Service service) {
        StoredResult results = new StoredResult(service);
        results.store("h200/in-teams/5616x1400x4584.columns");
        results.store("h200/in-teams/8192x8192x512.columns");
    }

    @Test
    void eachRowIsStaleOnceItsGpusHaveAnotherDriver(Api api, Service service) {
        store(service);
        assertThat(api.get("/shapes").text())
                .contains(
                        "From 616.0 TFLOP/s of 5616x1400x4584 to 626.4 TFLOP/s of 8192x8192x512.",
                        "Of 2 shapes, 1 ahead of the best peer, 1 behind, 0 even.",
                        "Of 2 shapes, static wins 2.")
                .doesNotContain(TAG);
        Testbed h200 = ScriptedWorker.H200;
        Testbed updated =
                new Testbed(h200.kind(), "NVIDIA H200", "999.1", h200.assembler(), h200.smCount(), h200.clockPolicy());
        new ScriptedWorker(api, UUID.randomUUID(), "cuda:0", updated).register();
        String page = api.get("/shapes").text();
        assertThat(page.split(TAG, -1))
                .as("two rows and what stands above them")
                .hasSize(4);
        assertThat(page)
                .contains("; workers offer NVIDIA H200 with driver 999.1")
                .contains("tilewright refresh");
    }

    /** What multiplies little for what it moves is judged by what it moves. */
    @Test
    void bandwidthAndRooflineStandBesideEachRate(Api api, Service service) {
        store(service);
        JsonNode best = best(api, "8192x8192x512");
        String bandwidth = "%.0f GB/s".formatted(best.get("gbPerSecond").asDouble());
        String roofline = "%.1f %%".formatted(100 * best.get("rooflineShare").asDouble());
        assertThat(best.get("gbPerSecond").asDouble()).isBetween(1000.0, 4800.0);
        for (String path : List.of("/shapes", "/trials/" + best.get("trialId").asString())) {
            assertThat(api.get(path).text()).as(path).contains(">" + bandwidth + "<", ">" + roofline + "<");
        }
        assertThat(api.get("/studies/" + best.get("studyId").asString()).text())
                .contains(">" + bandwidth + ", " + roofline + " of the roofline, by its final<");
    }

    private static JsonNode best(Api api, String shape) {
        return api.get("/api/v1/best?shape=" + shape).expect(200).get("items").get(0);
    }

    @Test
    void theTableIsKeptAsDocumentAndAsCsv(Api api, Service service) {
        store(service);
        Api.Answer document = api.get("/shapes/best.json");
        assertThat(document.header("content-disposition")).isEqualTo("attachment; filename=\"best-configs.json\"");
        assertThat(document.expect(200)).isEqualTo(api.get("/api/v1/best").expect(200));

        Api.Answer table = api.get("/shapes/best.csv");
        assertThat(table.header("content-disposition")).isEqualTo("attachment; filename=\"best-configs.csv\"");
        assertThat(table.header("content-type")).isEqualTo("text/csv;charset=UTF-8");
        List<String> lines = List.of(table.text().split("\r\n"));
        assertThat(lines).hasSize(3);
        assertThat(lines.getFirst())
                .startsWith("shape,m,n,k,type,family,gpu,driver,assembler,config,tflops,median_ns,");
        JsonNode flat = best(api, "8192x8192x512");
        assertThat(lines.get(2))
                .startsWith("8192x8192x512,8192,8192,512,bf16,sm90-gemm,NVIDIA H200,")
                .contains(flat.get("tflops").asString() + ","
                        + flat.get("medianNs").asString())
                .contains(flat.get("trialId").asString());
        assertThat(lines)
                .allSatisfy(line -> assertThat(line.replaceAll("\"[^\"]*\"", "").split(",", -1))
                        .hasSize(27));
    }
}
