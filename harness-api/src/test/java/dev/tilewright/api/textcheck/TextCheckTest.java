package dev.tilewright.api.textcheck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.ScriptedWorker;
import dev.tilewright.model.exchange.GpuTask;
import dev.tilewright.model.exchange.GpuTaskResult;
import dev.tilewright.model.exchange.GpuTaskResult.CheckedText;
import dev.tilewright.model.exchange.GpuTaskResult.TextHazard;
import dev.tilewright.model.exchange.GpuTaskResult.TextSite;
import dev.tilewright.model.exchange.GpuTaskResult.TextVerdict;
import dev.tilewright.model.exchange.Lease;
import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.exchange.Work;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

/** A text is checked by an emulated GPU, whatever a user sends. */
@ExtendWith(RunningService.class)
class TextCheckTest {

    private static final String PATH = "/api/v1/text-checks";

    private static final CheckedText HAZARD = new CheckedText(
            TextVerdict.HAZARD,
            List.of("hazard: a copy reads what was written a moment ago"),
            List.of(new TextHazard(
                    3,
                    "proxy-fence",
                    "race",
                    "a copy reads what was written a moment ago",
                    new TextSite("gemm", 12, 5, "cp.async.bulk", 0, 0, 4, 0),
                    List.of(),
                    List.of("> 12 cp.async.bulk"))));

    private static String submit(Api api) {
        return api.post(PATH, api.mapper().writeValueAsString(Map.of("ptx", ".version 8.0\n", "launch", "grid: 1\n")))
                .expect(202)
                .get("id")
                .asString();
    }

    @Test
    void anEmulatedGpuAloneTakesItAndItsFindingIsShown(Api api) {
        String id = submit(api);
        assertThat(ScriptedWorker.cuda(api, 0).leaseNow(4)).isEmpty();
        assertThat(ScriptedWorker.simulated(api).leaseNow(4)).isEmpty();
        ScriptedWorker emulator = ScriptedWorker.emulated(api);
        Lease lease = emulator.leaseOne();
        assertThat(lease.work())
                .isEqualTo(new Work.Run(new GpuTask.CheckText(".version 8.0\n", "grid: 1\n", null, 1, 5)));
        assertThat(lease.spaceHashes()).isEmpty();
        emulator.report(lease, new Report.Ran(lease.fence(), HAZARD)).taken();
        JsonNode done = api.get(PATH + "/" + id).expect(200);
        assertThat(done.get("state").asString()).isEqualTo("finished");
        assertThat(done.get("result").get("verdict").asString()).isEqualTo("hazard");
        JsonNode hazard = done.get("result").get("hazards").get(0);
        assertThat(hazard.get("rule").asString()).isEqualTo("proxy-fence");
        assertThat(hazard.get("site").get("warp").asInt()).isEqualTo(4);
        assertThat(done.get("testbed").get("kind").asString()).isEqualTo("emulated");
    }

    @Test
    void acceptedRulesReachTheWorkerAndOneThatIsBlankIsRefused(Api api) {
        Map<String, Object> request =
                Map.of("ptx", ".version 8.0\n", "launch", "grid: 1\n", "accept", List.of("vendor-idioms"));
        JsonNode queued =
                api.post(PATH, api.mapper().writeValueAsString(request)).expect(202);
        assertThat(queued.get("accept").get(0).asString()).isEqualTo("vendor-idioms");
        Lease lease = ScriptedWorker.emulated(api).leaseOne();
        assertThat(lease.work())
                .isEqualTo(new Work.Run(
                        new GpuTask.CheckText(".version 8.0\n", "grid: 1\n", null, 1, 5, List.of("vendor-idioms"))));
        Map<String, Object> blank = Map.of("ptx", ".version 8.0\n", "launch", "grid: 1\n", "accept", List.of(" "));
        assertThat(Api.errors(
                        api.post(PATH, api.mapper().writeValueAsString(blank)).problem(422)))
                .singleElement()
                .asString()
                .startsWith("/accept/0: must have 1 to 100 characters");
    }

    @Test
    void whatIsNoTextIsRefusedWithAllThatIsWrong(Api api) {
        JsonNode refused = api.post(
                        PATH,
                        api.mapper()
                                .writeValueAsString(
                                        Map.of("ptx", "x".repeat(400_001), "launch", "\n", "entry", " ", "seeds", 33)))
                .problem(422);
        assertThat(Api.errors(refused))
                .anySatisfy(fault -> assertThat(fault).contains("/ptx", "400000", "got 400001"))
                .anySatisfy(fault -> assertThat(fault).contains("/launch", "not all blank"))
                .anySatisfy(fault -> assertThat(fault).contains("/entry"))
                .anySatisfy(fault -> assertThat(fault).contains("/seeds", "from 1 to 32, got 33"));
        assertThat(Api.errors(api.post(PATH, api.mapper().writeValueAsString(Map.of("ptx", "a\0", "launch", "grid: 1")))
                        .problem(422)))
                .singleElement()
                .asString()
                .contains("/ptx", "U+0000");
        api.get(PATH + "/00000000-0000-4000-8000-000000000001").problem(404);
    }

    @Test
    void anAnswerToAnotherQuestionIsRefusedAndAFailureNamed(Api api) {
        String id = submit(api);
        ScriptedWorker emulator = ScriptedWorker.emulated(api);
        Lease lease = emulator.leaseOne();
        emulator.report(
                        lease,
                        new Report.Ran(lease.fence(), new GpuTaskResult.Failed("the check was ended after 120 s")))
                .taken();
        assertThat(api.get(PATH + "/" + id).expect(200).get("error").asString()).contains("120 s");
        String other = submit(api);
        api.post(PATH + "/" + other + "/cancel", "").expect(200);
        assertThat(emulator.leaseNow(1)).isEmpty();
        assertThat(api.get(PATH + "/" + other).expect(200).get("state").asString())
                .isEqualTo("cancelled");
    }
}
