package dev.tilewright.api.range;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.Awaiting;
import dev.tilewright.api.testing.ResultSchema;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.ScriptedWorker;
import dev.tilewright.model.exchange.Lease;
import dev.tilewright.model.exchange.ReportBatch;
import dev.tilewright.model.exchange.Work;
import dev.tilewright.model.trial.TrialOutcome;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

/** A range of M from its submission to its table, over REST. */
@ExtendWith(RunningService.class)
class RangeFlowTest {

    private static final String RANGE = """
            {"family":"toy","device":"simulated:h200","strategy":"random","budget":{"trials":3},
             "problems":[{"m":1,"mTo":40,"n":384,"k":256}]}""";

    private static String submit(Api api) {
        return api.post("/api/v1/jobs", RANGE).expect(202).get("id").asString();
    }

    private static String phase(Api api, String job) {
        return api.job(job).get("ranges").get(0).get("phase").asString();
    }

    /** Nanoseconds of a launch: more rows take longer, and small tiles are better with few. */
    private static double ns(Lease lease) {
        Work.Screen screen = (Work.Screen) lease.work();
        double tile = screen.config().whole("tileM");
        double rows = lease.problem().shape().m();
        return 2_000 + Math.ceil(rows / tile) * (200 + tile);
    }

    /** In one request, as workers report what they have finished. */
    private static void complete(ScriptedWorker worker, List<Lease> leases) {
        JsonNode refused = worker.report(leases.stream()
                .map(lease -> new ReportBatch.LeaseReport(lease.leaseId(), worker.completed(lease, ns(lease))))
                .toList());
        assertThat(refused).isEmpty();
    }

    private static List<Lease> workOff(Api api, ScriptedWorker worker, String job, String during) {
        List<Lease> done = new ArrayList<>();
        while (phase(api, job).equals(during)) {
            List<Lease> leases = worker.lease(64);
            if (leases.isEmpty()) {
                Awaiting.until(() -> !phase(api, job).equals(during));
            } else {
                complete(worker, leases);
            }
            done.addAll(leases);
        }
        return done;
    }

    @Test
    void aRangeGoesThroughItsPhasesToATable(Api api) throws IOException {
        String id = submit(api);
        ScriptedWorker worker = ScriptedWorker.simulated(api);
        assertThat(api.job(id).get("studies")).hasSizeGreaterThan(8);
        assertThat(api.get("/jobs/" + id).text()).contains("The kernel for each M comes here: searching at some M.");
        assertThat(phase(api, id)).isEqualTo("search");

        List<Lease> leases = new ArrayList<>();
        for (String phase : List.of("search", "finds", "crossings", "checks")) {
            leases.addAll(workOff(api, worker, id, phase));
        }

        JsonNode job = api.job(id);
        assertThat(job.get("state").asString()).isEqualTo("finished");
        JsonNode result = api.result(id);
        assertThat(ResultSchema.errors(result)).isEmpty();
        JsonNode range = result.get("ranges").get(0);
        assertThat(range.get("phase").asString()).isEqualTo("over");
        assertThat(range.get("problem").get("mTo").asInt()).isEqualTo(40);
        JsonNode table = range.get("table");
        assertThat(table.get("kernels").get(0).get("from").asInt()).isEqualTo(1);
        assertThat(table.get("regret").get("checks")).isNotEmpty();
        assertThat(table.get("regret").get("median").asDouble()).isLessThan(0.05);
        assertThat(job.get("ranges").get(0)).isEqualTo(range);
        Map<String, String> phaseOf = result.get("studies")
                .valueStream()
                .collect(Collectors.toMap(
                        study -> study.get("id").asString(),
                        study -> study.get("ofRange").get("phase").asString()));
        assertThat(leases)
                .allSatisfy(lease -> assertThat(((Work.Screen) lease.work()).foundElsewhere())
                        .isEqualTo(!phaseOf.get(String.valueOf(lease.studyId())).equals("search")));
        List<String> phases = result.get("studies")
                .valueStream()
                .map(study -> study.get("ofRange").get("phase").asString())
                .distinct()
                .toList();
        assertThat(phases).containsExactly("search", "finds", "crossings", "checks");
        assertThat(api.get("/api/v1/jobs/" + id + "/events").text()).contains("event:range.phase");
        assertThat(api.get("/jobs/" + id).text())
                .contains(
                        "1-40x384x256 bf16",
                        "us at from",
                        "most promising others there: median",
                        "In the mean over log M, ",
                        "data-chart=\"range\"");
        JsonNode chart = api.get("/jobs/" + id + "/ranges/0/chart").expect(200);
        assertThat(chart.get("kernels").get(0).get("stretches").get(0).get(0).asInt())
                .isEqualTo(1);
        assertThat(chart.get("checks")).isNotEmpty();
        // An H200 moves 4,800 GB/s: B of 384 x 256 bf16 takes 41 ns, a row of A and of D 0.27 ns.
        assertThat(chart.get("limits").get("bandwidth").get("fixedUs").asDouble())
                .isCloseTo(384 * 256 * 2 / 4.8e6, within(1e-9));
        assertThat(chart.get("limits").get("bandwidth").get("usOfRow").asDouble())
                .isCloseTo((384 + 256) * 2 / 4.8e6, within(1e-9));
        assertThat(chart.get("limits").get("tensor").get("usOfRow").asDouble())
                .isCloseTo(2 * 384 * 256 / 989.5e6, within(1e-9));
        assertThat(api.get("/jobs/" + id).text()).contains("data-chart=\"bandwidth\"", "data-chart=\"tensor\"");
        api.get("/jobs/" + id + "/ranges/1/chart").problem(404);
    }

    /** A table that a GPU measured is known by its problem; one of a model is not, nor one of another range. */
    @Test
    void aMeasuredTableIsKnown(Api api) {
        String ofOne = RANGE.replace("simulated:h200", "cuda:0").replace("{\"family\"", "{\"kernels\":1,\"family\"");
        String id = api.post("/api/v1/jobs", ofOne).expect(202).get("id").asString();
        String query = "/api/v1/ranges?shape=1-40x384x256&family=toy&testbed=h200";
        assertThat(api.get(query).expect(200).get("items")).isEmpty();
        ScriptedWorker worker = ScriptedWorker.cuda(api, 0);
        for (String phase : List.of("search", "finds", "crossings", "checks")) {
            workOff(api, worker, id, phase);
        }

        JsonNode known = api.get(query).expect(200).get("items");
        assertThat(known).hasSize(1);
        assertThat(known.get(0).get("jobId").asString()).isEqualTo(id);
        assertThat(known.get(0).get("testbed").get("device").asString()).isEqualTo("NVIDIA H200");
        JsonNode table = known.get(0).get("range").get("table");
        assertThat(table.get("kernels")).as("as many as were asked for").hasSize(1);
        assertThat(table.get("lost").get(0).get("kernels").asInt()).isEqualTo(1);
        assertThat(known.get(0).get("range"))
                .isEqualTo(api.job(id).get("ranges").get(0));
        assertThat(api.get("/api/v1/ranges?shape=1-41x384x256").expect(200).get("items"))
                .isEmpty();
        assertThat(api.get("/api/v1/ranges?shape=1-40x384x256&dtype=f16")
                        .expect(200)
                        .get("items"))
                .isEmpty();
        assertThat(api.get(query.replace("h200", "b200")).expect(200).get("items"))
                .isEmpty();

        assertThat(api.get("/api/v1/ranges?shape=40x384x256")
                        .problem(400)
                        .get("detail")
                        .asString())
                .contains("shape: a range of M is LEAST-MOSTxNxK, such as 1-4096x1024x768, got '40x384x256'");
        assertThat(api.get("/api/v1/ranges").problem(400).get("detail").asString())
                .contains("shape: is missing");
    }

    /** A study of a phase has no more trials than its list, whatever the strategy could ask for. */
    @Test
    void aStudyBehindTheSearchesTimesItsListAndNothingElse(Api api) {
        String id = submit(api);
        ScriptedWorker worker = ScriptedWorker.simulated(api);
        workOff(api, worker, id, "search");
        workOff(api, worker, id, "finds");

        assertThat(api.result(id)
                        .get("studies")
                        .valueStream()
                        .filter(study ->
                                study.get("ofRange").get("phase").asString().equals("finds")))
                .isNotEmpty()
                .allSatisfy(study -> {
                    assertThat(study.get("trials"))
                            .hasSize(study.get("budget").get("trials").asInt());
                    assertThat(study.get("budget").get("finalists").asInt()).isZero();
                });
    }

    @Test
    void aRangeOfWhichNothingCompletesFailsWithTheReason(Api api) {
        String id = submit(api);
        ScriptedWorker worker = ScriptedWorker.simulated(api);
        while (phase(api, id).equals("search")) {
            for (Lease lease : worker.lease(8)) {
                worker.report(lease, ScriptedWorker.failed(lease, TrialOutcome.CRASH, "illegal address"))
                        .taken();
            }
        }
        JsonNode job = api.job(id);
        assertThat(job.get("state").asString()).isEqualTo("failed");
        assertThat(job.get("ranges").get(0).get("error").asString()).isEqualTo("no kernel was timed at any M");
        assertThat(job.get("ranges").get(0).get("table").isNull()).isTrue();
    }

    @Test
    void aCancelledRangeGetsNoFurtherStudies(Api api, RunningService.Service service) {
        String id = submit(api);
        ScriptedWorker worker = ScriptedWorker.simulated(api);
        workOff(api, worker, id, "search");
        api.post("/api/v1/jobs/" + id + "/cancel", "").expect(200);

        JsonNode job = api.job(id);
        assertThat(job.get("state").asString()).isEqualTo("cancelled");
        assertThat(job.get("ranges").get(0).get("error").asString()).isEqualTo("the job was cancelled");
        int studies = job.get("studies").size();
        service.bean(RangeDriver.class).look();
        assertThat(api.job(id).get("studies"))
                .hasSize(studies)
                .allSatisfy(study -> assertThat(study.get("state").asString()).isIn("finished", "cancelled"));
    }

    /** Beside a problem with one number of rows, in one job. */
    @Test
    void aJobMayHaveBoth(Api api) {
        String id = api.post("/api/v1/jobs", """
                {"family":"toy","device":"simulated:h200","strategy":"random","budget":{"trials":4},
                 "problems":[{"m":1,"mTo":12,"n":384,"k":256},{"m":640,"n":384,"k":256}]}""").expect(202).get("id").asString();
        ScriptedWorker worker = ScriptedWorker.simulated(api);
        assertThat(api.job(id).get("studies").get(0).get("ofRange").isNull()).isTrue();
        while (!api.job(id).get("state").asString().equals("finished")) {
            List<Lease> leases = worker.lease(64);
            if (!leases.isEmpty()) {
                complete(worker, leases);
            }
        }
        assertThat(api.job(id).get("ranges").get(0).get("table").isNull()).isFalse();
        Awaiting.until(() -> api.job(id).get("state").asString().equals("finished"));
    }

    @Test
    void whatNoRangeCanHaveIsRefusedWithItsPointer(Api api) {
        assertThat(errors(api, "{\"problems\":[{\"m\":8,\"mTo\":2,\"n\":384,\"k\":256}]}"))
                .containsExactly("/problems/0: the least M of a range must be below the most, got 8-2");
        assertThat(errors(api, "{\"problems\":[{\"m\":0,\"mTo\":4,\"n\":384,\"k\":256}]}"))
                .containsExactly("/problems/0/m: must be at least 1, got 0");
        assertThat(errors(api, "{\"problems\":[{\"m\":1,\"mTo\":4,\"n\":384,\"k\":256,\"batch\":2}]}"))
                .containsExactly("/problems/0: a range of M is of one GEMM, without groups or batch");
        assertThat(errors(
                        api,
                        "{\"problems\":[{\"m\":1,\"mTo\":4,\"n\":384,\"k\":256,"
                                + "\"major\":{\"a\":\"m\",\"b\":\"k\",\"d\":\"n\"}}]}"))
                .containsExactly("/problems/0: a range of M needs A of major k and D of major n, got m and n");
        assertThat(errors(
                        api,
                        "{\"device\":\"emulated\",\"peers\":[\"cublaslt\"],\"eachScheduler\":true,"
                                + "\"problems\":[{\"m\":1,\"mTo\":4,\"n\":384,\"k\":256}]}"))
                .containsExactly(
                        "/device: a range of M needs times, and emulated proves kernels without any",
                        "/peers: kernels of others run in finals, and a range of M has no final; got cublaslt",
                        "/eachScheduler: tile schedulers are compared in finals, and a range of M has no final");
        assertThat(errors(api, "{\"kernels\":33,\"problems\":[{\"m\":1,\"mTo\":4,\"n\":384,\"k\":256}]}"))
                .containsExactly("/kernels: must be from 1 to 32 kernels, got 33");
        assertThat(errors(api, "{\"kernels\":0,\"problems\":[{\"m\":4,\"n\":384,\"k\":256}]}"))
                .containsExactly(
                        "/kernels: must be from 1 to 32 kernels, got 0",
                        "/kernels: is for tables of ranges of M, and no problem has mTo");
        assertThat(errors(api, "{\"kernels\":8,\"problems\":[{\"m\":4,\"mTo\":1,\"n\":384,\"k\":256}]}"))
                .noneMatch(error -> error.startsWith("/kernels"));
        String seventeen = "{\"m\":1,\"mTo\":4,\"n\":384,\"k\":256},".repeat(17);
        assertThat(errors(api, "{\"problems\":[" + seventeen.substring(0, seventeen.length() - 1) + "]}"))
                .containsExactly("/problems: must have at most 16 ranges of M, got 17");
        assertThat(errors(api, "{\"family\":\"toy\",\"problems\":[{\"m\":1,\"mTo\":4,\"n\":384,\"k\":250}]}"))
                .containsExactly("/problems/0: k must be a multiple of 8, got 250");
    }

    private static List<String> errors(Api api, String request) {
        return Api.errors(api.post("/api/v1/jobs", request).problem(422));
    }
}
