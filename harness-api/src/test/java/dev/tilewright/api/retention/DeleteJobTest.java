package dev.tilewright.api.retention;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.RunningService.Service;
import dev.tilewright.api.testing.ScriptedWorker;
import dev.tilewright.api.testing.Stored;
import dev.tilewright.model.exchange.Lease;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a user may delete goes with all that belongs to it, and with nothing that somebody needs. */
@ExtendWith(RunningService.class)
class DeleteJobTest {

    private static final List<String> OF_JOBS = List.of(
            "job", "study", "trial", "measurement", "lease", "event", "final_run", "final_arm", "study_tally", "sweep");

    private static Api.Answer delete(Api api, String job) {
        return api.send(api.request("/api/v1/jobs/" + job).DELETE());
    }

    private static long rows(Service service, String table) {
        return service.jdbc()
                .sql("select count(*) from " + table)
                .query(Long.class)
                .single();
    }

    @Test
    void aJobThatIsOverGoesWithAllThatBelongsToIt(Api api, Service service) {
        String job = api.submit("simulated:h200", "random", 6, "640x384x256", "128x256x512");
        ScriptedWorker worker = ScriptedWorker.simulated(api);
        assertThat(worker.workOff(1000, 1)).isEqualTo(12);
        assertThat(rows(service, "trial")).isEqualTo(12);
        delete(api, job).expect(204);
        api.get("/api/v1/jobs/" + job).problem(404);
        assertThat(OF_JOBS)
                .allSatisfy(table -> assertThat(rows(service, table)).as(table).isZero());
        delete(api, job).problem(404);
    }

    @Test
    void oneThatRunsIsCancelledFirst(Api api) {
        String job = api.submit("simulated:h200", "random", 6, "640x384x256");
        ScriptedWorker worker = ScriptedWorker.simulated(api);
        assertThat(delete(api, job).problem(409).get("detail").asString()).contains("is queued: cancel it first");
        Lease held = worker.leaseOne();
        assertThat(delete(api, job).problem(409).get("type").asString()).isEqualTo("urn:tilewright:problem:not-over");
        api.post("/api/v1/jobs/" + job + "/cancel", "").expect(200);
        delete(api, job).expect(204);
        // A worker that has not heard of it yet is told with its report.
        assertThat(worker.heartbeat(held)).containsExactly(held.leaseId());
        worker.report(held, worker.completed(held, 1000)).refused(404);
    }

    @Test
    void theJobOfABestConfigStaysUntilABetterOneIsKnown(Api api, Service service) {
        new Stored(api, service).jobs(2, 3);
        String first = UUID.nameUUIDFromBytes(new byte[0]).toString();
        List<String> jobs = finished(api);
        assertThat(jobs).hasSize(2).doesNotContain(first);
        assertThat(delete(api, jobs.getFirst()).problem(409).get("detail").asString())
                .contains("GET /api/v1/best serves the best known config of a problem from its study ");
        sameProblem(service);
        String served = api.get("/api/v1/best")
                .expect(200)
                .get("items")
                .get(0)
                .get("jobId")
                .asString();
        String other =
                jobs.stream().filter(job -> !job.equals(served)).findFirst().orElseThrow();
        delete(api, served).problem(409);
        delete(api, other).expect(204);
        delete(api, served).problem(409);
        assertThat(api.get("/api/v1/best").expect(200).get("items")).hasSize(1);
    }

    private static List<String> finished(Api api) {
        return api.get("/api/v1/jobs?state=finished")
                .expect(200)
                .get("items")
                .valueStream()
                .map(job -> job.get("id").asString())
                .toList();
    }

    /** Two finals of the same problem, of which one is better. */
    private static void sameProblem(Service service) {
        service.jdbc()
                .sql("update study set m = 3, problem = (select problem from study where m = 3) where m = 5")
                .update();
    }

    @Test
    void aProblemThatIsNotPlainHasABestConfigToo(Api api, Service service) {
        new Stored(api, service).jobs(2, 1);
        service.jdbc().sql("""
                        update study set m = null, n = null, k = null, dtype = null,
                            problem = jsonb_set(problem, '{batch}', '7')""").update();
        delete(api, finished(api).getFirst()).problem(409);
    }
}
