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
import java.util.stream.Stream;
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
    /** While a page is loaded for the first times its code is compiled. */
    private static final int WARM_UP = 10;

    /** An odd number, so that one of them is the median. */
    private static final int LOADS = 11;

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
        String page = "/studies/" + study.study();
        assertThat(api.get(page + "?top=1000").text()).contains("<td class=\"right\">1000</td>");
        long beside = Stream.of(
                        page + "/charts",
                        "/assets/style.css",
                        "/assets/pages.js",
                        "/assets/charts.js",
                        "/assets/icon.svg",
                        "/assets/lib/htmx-2.0.11.min.js",
                        "/assets/lib/echarts-6.1.0.min.js")
                .mapToLong(path -> soon(api, path))
                .sum();
        for (String path : List.of(
                page,
                page + "?top=1000",
                page + "/progress?top=25&phase=sweep",
                page + "/schedulers",
                "/trials/" + trial)) {
            assertThat(beside + soon(api, path))
                    .as("bytes that a browser gets with " + path + ", compressed as it asks for")
                    .isLessThan(MOST_BYTES);
        }
    }

    /** How many bytes it has; half of the loads at least are as soon there as they must be. */
    private long soon(Api api, String path) {
        LongStream.range(0, WARM_UP).forEach(_ -> bytes(api, path));
        long[] times = LongStream.range(0, LOADS)
                .map(_ -> nanos(() -> bytes(api, path)))
                .sorted()
                .toArray();
        Duration median = Duration.ofNanos(times[LOADS / 2]);
        long bytes = bytes(api, path);
        System.out.printf("%s: %d ms, %,d bytes%n", path.replaceAll("[0-9a-f-]{36}", "{id}"), median.toMillis(), bytes);
        assertThat(median).as(path).isLessThan(LONGEST);
        return bytes;
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
