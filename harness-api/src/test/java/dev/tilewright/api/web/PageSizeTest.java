package dev.tilewright.api.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.ScriptedWorker;
import dev.tilewright.api.testing.Stored;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a page of a large study costs. */
@ExtendWith(RunningService.class)
@Tag("alone")
class PageSizeTest {

    private static final int TRIALS = 1000;
    private static final Duration LONGEST = Duration.ofMillis(300);
    private static final int MOST_BYTES = 1_000_000;
    private static final int LOADS = 20;

    private final HttpClient http = HttpClient.newHttpClient();

    @Test
    void aStudyOfAThousandTrialsIsSoonThereAndSmall(Api api, RunningService.Service service) {
        Stored stored = new Stored(api, service);
        Stored.Large study = stored.study(ScriptedWorker.simulated(api), TRIALS);
        stored.tileTimes(study);
        String trial = service.jdbc()
                .sql("select id::text from trial where study_id = cast(:study as uuid) and ordinal = 7")
                .param("study", study.study())
                .query(String.class)
                .single();
        assertThat(api.get("/trials/" + trial).text()).contains("class=\"busy next\"");
        long sent = 0;
        for (String path : List.of(
                "/studies/" + study.study(),
                "/studies/" + study.study() + "/charts",
                "/trials/" + trial,
                "/assets/style.css",
                "/assets/pages.js",
                "/assets/charts.js",
                "/assets/icon.svg",
                "/assets/lib/htmx-2.0.11.min.js",
                "/assets/lib/echarts-6.1.0.min.js")) {
            // The first are compiled meanwhile, and another build on the machine delays some: none is faster than the
            // page.
            long fastest = LongStream.range(0, LOADS)
                    .map(_ -> nanos(() -> bytes(api, path)))
                    .min()
                    .orElseThrow();
            assertThat(Duration.ofNanos(fastest)).as(path).isLessThan(LONGEST);
            sent += bytes(api, path);
        }
        assertThat(sent)
                .as("bytes that a browser gets, compressed as it asks for")
                .isLessThan(MOST_BYTES);
        assertThat(api.get("/studies/" + study.study() + "?top=1000").text()).contains("<td class=\"right\">1000</td>");
    }

    private static long nanos(Runnable load) {
        long start = System.nanoTime();
        load.run();
        return System.nanoTime() - start;
    }

    /** As a browser asks for it. */
    private long bytes(Api api, String path) {
        try {
            HttpResponse<byte[]> answer = http.send(
                    api.request(path).header("accept-encoding", "gzip").GET().build(),
                    HttpResponse.BodyHandlers.ofByteArray());
            assertThat(answer.statusCode()).as(path).isEqualTo(200);
            return answer.body().length;
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }
}
