package dev.tilewright.api.web.study;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.RunningService;
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
