package dev.tilewright.api.web.study;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.ScriptedFinal;
import dev.tilewright.api.testing.ScriptedWorker;
import dev.tilewright.api.web.Visit;
import dev.tilewright.model.exchange.Lease;
import dev.tilewright.model.exchange.Work;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

@ExtendWith(RunningService.class)
class SchedulerCurvesPagesTest {

    @Test
    void eachSchedulerIsACurveAndTheCrossingHasItsReason(Api api) {
        String job = api.post("/api/v1/jobs", """
                        {"family":"toy","device":"simulated:h200","strategy":"random","budget":{"trials":6},
                        "eachScheduler":true,"problems":[{"m":640,"n":384,"k":256},
                        {"m":640,"n":384,"k":256,"scenario":{"busySms":16}}]}""").expect(202).get("id").asString();
        String path = "/jobs/" + job + "/schedulers";
        assertThat(Visit.at(api, "/").read(path)).contains("The times of the schedulers come here");
        ScriptedWorker worker = ScriptedWorker.simulated(api);
        worker.workOff((lease, done) -> worker.completed(lease, ns(lease)));

        assertThat(Visit.at(api, "/").read("/jobs/" + job)).contains("href=\"" + path + "\"");
        assertThat(Visit.at(api, "/").read(path))
                .contains(
                        "static leads up to 0 busy SMs, single from 16 on",
                        "at 16: single is faster than static by 25.0 %",
                        "data-charts=\"" + path + "/chart\"",
                        "2.00 µs",
                        "0.800",
                        "at 16 busy SMs");
        assertThat(Visit.at(api, "/").read(path + "?busySms=0"))
                .as("the maps of the point that was chosen")
                .contains("at 0 busy SMs");
        JsonNode chart = api.get(path + "/chart").expect(200);
        assertThat(chart.at("/curves").findValuesAsString("scheduler")).containsExactly("single", "static");
        assertThat(chart.at("/curves/0/cells").findValuesAsString("us")).containsExactly("3.0", "1.6");
        assertThat(chart.at("/points").findValuesAsString("busySms")).containsExactly("0", "16");
        assertThat(api.get("/studies/" + chart.at("/points/1/study").asString() + "/schedulers")
                        .status())
                .isEqualTo(200);
    }

    @Test
    void whatAGpuTimedBeforeAJobWasCancelledSaysItsStage(Api api) {
        String job = api.post("/api/v1/jobs", """
                        {"family":"toy","device":"cuda","strategy":"random","budget":{"trials":6},
                        "eachScheduler":true,"problems":[{"m":640,"n":384,"k":256},
                        {"m":640,"n":384,"k":256,"scenario":{"busySms":16}}]}""").expect(202).get("id").asString();
        ScriptedWorker worker = ScriptedWorker.cuda(api, 0);
        Lease last = null;
        while (last == null) {
            Lease lease = worker.leaseOne();
            if (lease.work() instanceof Work.Screen) {
                worker.complete(lease, ns(lease));
            } else {
                last = lease;
            }
        }
        worker.report(last, new ScriptedFinal(1000, 0).report(last, (Work.Final) last.work()))
                .taken();
        Lease screen = worker.leaseOne();
        worker.complete(screen, ns(screen));
        api.post("/api/v1/jobs/" + job + "/cancel", "").expect(200);

        String path = "/jobs/" + job + "/schedulers";
        JsonNode cells = api.get(path + "/chart").expect(200).at("/curves");
        assertThat(cells.findValuesAsString("stage")).contains("final", "screen");
        assertThat(Visit.at(api, "/").read(path)).contains("no final: at 16 busy SMs the times are of screens");
        JsonNode second = api.job(job).get("studies").get(1);
        assertThat(second.get("bestTflops").isNull())
                .as("no screen is called best")
                .isTrue();
        assertThat(second.get("fastestScreenTflops").asDouble()).isPositive();
    }

    @Test
    void aJobOfOneNumberOfBusySmsHasNone(Api api) {
        String job = api.submit("simulated:h200", "random", 8, "640x384x256");
        api.get("/jobs/" + job + "/schedulers/chart").problem(404);
        assertThat(Visit.at(api, "/").read("/jobs/" + job)).doesNotContain("Tile schedulers over busy SMs");
    }

    private static double ns(Lease lease) {
        boolean busy = lease.problem().scenario().busySms() > 0;
        boolean single = lease.work() instanceof Work.Screen screen
                && screen.config().name("scheduler").equals("single");
        return single ? busy ? 1600 : 3000 : busy ? 2000 : 1000;
    }
}
