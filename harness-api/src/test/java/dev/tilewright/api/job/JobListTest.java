package dev.tilewright.api.job;

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

/** Which jobs are listed, and in which order. */
@ExtendWith(RunningService.class)
class JobListTest {

    private static String submit(Api api, String name, String device) {
        return api.post("/api/v1/jobs", """
                {"name":"%s","problems":[{"m":640,"n":384,"k":256}],"family":"toy","device":"%s"}""".formatted(name, device))
                .expect(202)
                .get("id")
                .asString();
    }

    private static List<String> names(JsonNode page) {
        return page.get("items")
                .valueStream()
                .map(job -> job.get("name").asString())
                .toList();
    }

    private static List<String> list(Api api, String question) {
        return names(api.get("/api/v1/jobs?" + question).expect(200));
    }

    private static void some(Api api) {
        submit(api, "Nightly b", "cuda");
        String cancelled = submit(api, "try", "simulated:h200");
        submit(api, "nightly a", "cuda:1");
        submit(api, "try", "cuda:all");
        api.post("/api/v1/jobs/" + cancelled + "/cancel", "").expect(200);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "limit=9 | try, nightly a, try, Nightly b",
                "sort=oldest | Nightly b, try, nightly a, try",
                "name=NIGHT | nightly a, Nightly b",
                "name=%25 | ''",
                "state=cancelled | try",
                "state=queued&sort=oldest | Nightly b, nightly a, try",
                "device=cuda | try, Nightly b",
                "device=cuda:1 | nightly a",
                "device=cuda:all&name=b | Nightly b",
                "submittedBy=(anybody)&state=cancelled | try",
                "submittedBy=ann | ''",
            })
    void theyAreChosenByWhatIsAsked(String question, String names, Api api) {
        some(api);
        assertThat(String.join(", ", list(api, question))).isEqualTo(names);
    }

    @ParameterizedTest
    @CsvSource({"newest", "oldest", "name"})
    void everyOrderIsThereInPages(String sort, Api api) {
        some(api);
        List<String> whole = list(api, "sort=" + sort);
        List<String> paged = new ArrayList<>();
        String cursor = "";
        do {
            JsonNode page = api.get("/api/v1/jobs?limit=1&sort=" + sort + "&cursor=" + cursor)
                    .expect(200);
            paged.addAll(names(page));
            cursor = page.get("next").isNull() ? null : page.get("next").asString();
        } while (cursor != null);
        assertThat(paged).isEqualTo(whole).hasSize(4);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "state=done | 422 | state: must be one of [queued, running, finished, failed, cancelled], got 'done'",
                "sort=age | 422 | sort: must be one of [newest, oldest, name], got 'age'",
                "device=gpu | 422 | device: unknown device 'gpu'; known: auto",
                "status=done | 400 | status: unknown parameter 'status'; known: cursor, device, limit, name, sort, state",
                "cursor=4000000000 | 400 | cursor: is that of a job that there is not any more",
            })
    void whatCannotBeAskedForIsSaid(String question, int status, String said, Api api) {
        assertThat(Api.errors(api.get("/api/v1/jobs?" + question).problem(status)))
                .anyMatch(error -> error.startsWith(said));
    }

    /** A page whose last job went away has no next one: that is not the end of the list. */
    @Test
    void aCursorWhoseJobWasDeletedIsRefused(Api api, RunningService.Service service) {
        some(api);
        String cursor = api.get("/api/v1/jobs?limit=2").expect(200).get("next").asString();
        service.jdbc()
                .sql("delete from job where seq = :seq")
                .param("seq", Long.parseLong(cursor))
                .update();
        api.get("/api/v1/jobs?limit=2&cursor=" + cursor).problem(400);
    }
}
