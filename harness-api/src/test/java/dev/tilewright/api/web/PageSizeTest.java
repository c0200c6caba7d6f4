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
    void theFilesOfALargeStudyAreSmall(Api api, RunningService.Service service) {
        Large large = Large.of(api, service);
        long beside = large.files().stream().mapToLong(path -> bytes(api, path)).sum();
        for (String page : large.pages()) {
            assertThat(beside + bytes(api, page))
                    .as("bytes that a browser gets with " + page + ", compressed as it asks for")
                    .isLessThan(MOST_BYTES);
        }
    }

    /** The median of some loads: half of them at least are as fast. */
    @Test
    @Tag("alone")
    void thePagesOfALargeStudyAreFast(Api api, RunningService.Service service) {
        Large large = Large.of(api, service);
        for (String path :
                Stream.concat(large.files().stream(), large.pages().stream()).toList()) {
            LongStream.range(0, WARM_UP).forEach(_ -> bytes(api, path));
            long[] times = LongStream.range(0, LOADS)
                    .map(_ -> nanos(() -> bytes(api, path)))
                    .sorted()
                    .toArray();
            Duration median = Duration.ofNanos(times[LOADS / 2]);
            System.out.printf("%s: %d ms%n", path.replaceAll("[0-9a-f-]{36}", "{id}"), median.toMillis());
            assertThat(median).as(path).isLessThan(LONGEST);
        }
    }

    /** The pages of a study of {@link #TRIALS} trials, and the files that they load. */
    private record Large(List<String> pages, List<String> files) {

        static Large of(Api api, RunningService.Service service) {
            Stored stored = new Stored(api, service);
            Stored.Large study = stored.study(ScriptedWorker.simulated(api), TRIALS);
            stored.tileTimes(study);
            String trial = service.jdbc()
                    .sql("select id::text from trial where study_id = cast(:study as uuid) and ordinal = 7")
                    .param("study", study.study())
                    .query(String.class)
                    .single();
            String map = "/trials/" + trial + "/map";
            assertThat(api.get("/trials/" + trial).text()).contains("data-map=\"" + map + "\"");
            String page = "/studies/" + study.study();
            assertThat(api.get(page + "?top=1000").text()).contains("<td class=\"right\">1000</td>");
            return new Large(
                    List.of(
                            page,
                            page + "?top=1000",
                            page + "/progress?top=25&phase=sweep",
                            page + "/schedulers",
                            "/trials/" + trial),
                    List.of(
                            page + "/charts",
                            map,
                            "/assets/maps.js",
                            "/assets/map-picture.js",
                            "/assets/map-tiles.js",
                            "/assets/style.css",
                            "/assets/pages.js",
                            "/assets/charts.js",
                            "/assets/icon.svg",
                            "/assets/lib/htmx-2.0.11.min.js",
                            "/assets/lib/echarts-6.1.0.min.js"));
        }
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
