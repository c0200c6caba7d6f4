package dev.tilewright.api.best;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.RunningService.Service;
import dev.tilewright.api.testing.Stored;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

/** A bundle without a version is its newest one of which a final answers the question. */
@ExtendWith(RunningService.class)
class BestOfBundleTest {

    private static final String FILE = """
            name: theirs
            problem: {a: bf16, b: bf16, d: bf16}
            kernel: {file: gemm.ptx}
            launch: {grid: [1], block: 128, parameters: [pointer: A, pointer: B, pointer: D]}
            """;
    private static final String TEXT = """
            .version 8.0
            .target sm_90a
            .address_size 64
            .visible .entry gemm(.param .u64 a, .param .u64 b, .param .u64 d) { ret; }
            """;

    /** The family of what was kept. */
    private static String push(Api api, String comment) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(out)) {
            for (Map.Entry<String, String> file :
                    Map.of("kernel.yaml", FILE + comment, "gemm.ptx", TEXT).entrySet()) {
                zip.putNextEntry(new ZipEntry(file.getKey()));
                zip.write(file.getValue().getBytes(StandardCharsets.UTF_8));
            }
        }
        return api.send(api.request("/api/v1/bundles")
                        .header("content-type", "application/zip")
                        .POST(HttpRequest.BodyPublishers.ofByteArray(out.toByteArray())))
                .expect(201)
                .get("family")
                .asString();
    }

    private static List<String> best(Api api, String query) {
        JsonNode items = api.get("/api/v1/best?" + query).expect(200).get("items");
        return StreamSupport.stream(items.spliterator(), false)
                .map(item ->
                        item.get("shape").asString() + " " + item.get("family").asString())
                .toList();
    }

    private static void isOf(Service service, String family, int m) {
        service.jdbc()
                .sql("update study set family = :family where m = :m")
                .param("family", family)
                .param("m", m)
                .update();
        service.jdbc()
                .sql("update job set options = jsonb_set(options, '{family}', to_jsonb(cast(:family as text)))"
                        + " where id = (select job_id from study where m = :m)")
                .param("family", family)
                .param("m", m)
                .update();
    }

    @Test
    void aVersionThatWasNeverTunedHidesNothing(Api api, Service service) throws IOException {
        String first = push(api, "");
        String second = push(api, "# another\n");
        new Stored(api, service).jobs(2, 3);
        isOf(service, first, 3);
        isOf(service, first, 5);
        assertThat(best(api, "family=bundle:theirs")).containsExactly("3x384x256 " + first, "5x384x256 " + first);

        isOf(service, second, 3);
        assertThat(best(api, "family=bundle:theirs")).containsExactly("3x384x256 " + second);
        assertThat(best(api, "family=bundle:theirs&shape=5x384x256")).containsExactly("5x384x256 " + first);
        assertThat(best(api, "family=bundle:theirs&shape=6x384x256&nearest=true"))
                .as("of the newest version that has any")
                .containsExactly("3x384x256 " + second);
        assertThat(best(api, "family=" + first)).containsExactly("5x384x256 " + first);
        assertThat(best(api, "family=bundle:nobodys")).isEmpty();
    }
}
