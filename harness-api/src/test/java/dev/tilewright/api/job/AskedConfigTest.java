package dev.tilewright.api.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.ScriptedWorker;
import dev.tilewright.api.web.Visit;
import dev.tilewright.model.exchange.Lease;
import dev.tilewright.model.exchange.Work;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Jobs that try one config, which is written in short. */
@ExtendWith(RunningService.class)
class AskedConfigTest {

    private static final String OF_A_TABLE = "sm90-gemm static 176x64x64 s4 alongM coop1 swapAB=1 r0 clusterK=1";

    private static Api.Answer submit(Api api, String shapes, String config, String more) {
        String problems = shapes.replaceAll("(\\d+)x(\\d+)x(\\d+)", "{\"m\":$1,\"n\":$2,\"k\":$3,\"dtype\":\"bf16\"}");
        return api.post("/api/v1/jobs", """
                {"problems":[%s],"config":"%s","device":"cuda:0"%s}""".formatted(problems, config, more));
    }

    @Test
    void itsStudyTriesThisConfig(Api api) {
        submit(api, "4096x4096x512", "sm90-gemm static 128x128x64 s4 groupedN8 coop2 r232", "")
                .expect(202);
        Config tried = ((Work.Screen) ScriptedWorker.cuda(api, 0).leaseOne().work()).config();

        assertThat(tried)
                .isEqualTo(tried.with("scheduler=static tileM=128 tileN=128 tileK=64 loadStages=4 rasterOrder=groupedN"
                        + " rasterGroup=8 mode=cooperative consumers=2 registers=232 clusterM=1 clusterN=1 swizzle=128"
                        + " epilogueN=64 l2Hint=none gridSize=0"));
    }

    /** As the table of a range names it: the space of so many rows has no clusterK, and no tile of 176 of them. */
    @Test
    void aKernelOfOtherRowsIsTried(Api api) {
        submit(api, "1423x768x7808", OF_A_TABLE, "").expect(202);
        Config tried = ((Work.Screen) ScriptedWorker.cuda(api, 0).leaseOne().work()).config();

        assertThat(tried.whole("tileM")).isEqualTo(176);
        assertThat(tried.has("clusterK")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"1423", "195"})
    void aKernelOfOtherRowsIsTunedAgain(String m, Api api) {
        JsonNode job = submit(api, m + "x768x7808", OF_A_TABLE, "").expect(202);
        ScriptedWorker worker = ScriptedWorker.cuda(api, 0);
        Lease first = worker.leaseOne();
        String study = job.get("studies").get(0).get("id").asString();
        Api.Answer again = Visit.at(api, "/").send("/studies/" + study + "/again", Map.of());
        assertThat(again.status()).as(again.text()).isBetween(302, 303);
        api.post("/api/v1/jobs/" + job.get("id").asString() + "/cancel", "").expect(200);
        Lease second = worker.leaseOne();

        assertThat(second.jobId()).isNotEqualTo(first.jobId());
        assertThat(((Work.Screen) second.work()).config()).isEqualTo(((Work.Screen) first.work()).config());
    }

    /** The space of few rows names clusterK, and that of many does not: it is one kernel. */
    @ParameterizedTest
    @ValueSource(strings = {OF_A_TABLE, "sm90-gemm static 176x64x64 s4 alongM coop1 swapAB=1 r0"})
    void aJobOfSeveralShapesTriesItForEach(String config, Api api) {
        submit(api, "1423x768x7808,195x768x7808", config, "").expect(202);
        Map<Integer, Config> tried = ScriptedWorker.cuda(api, 0).lease(2).stream()
                .collect(Collectors.toMap(
                        lease -> lease.problem().shape().m(), lease -> ((Work.Screen) lease.work()).config()));

        assertThat(tried.get(195).whole("clusterK")).isEqualTo(1);
        assertThat(tried.get(1423)).isEqualTo(Config.of(without(tried.get(195), "clusterK")));
    }

    private static Map<String, ParameterValue> without(Config config, String parameter) {
        Map<String, ParameterValue> others = new HashMap<>(config.values());
        others.remove(parameter);
        return others;
    }

    /** Searches at the most rows of the range are tuned again too. */
    @Test
    void aRangeHasItBesideAShapeOfManyRows(Api api) {
        String request = """
                {"problems":[{"m":16,"mTo":1423,"n":768,"k":7808,"dtype":"bf16"},
                 {"m":1423,"n":768,"k":7808,"dtype":"bf16"}],"config":"%s","device":"cuda:0"}""";
        JsonNode job = api.post("/api/v1/jobs", request.formatted(OF_A_TABLE)).expect(202);
        List<String> many = job.get("studies")
                .valueStream()
                .filter(study -> study.at("/problem/m").asInt() == 1423)
                .map(study -> study.get("id").asString())
                .toList();

        assertThat(many).hasSize(2);
        Visit visit = Visit.at(api, "/");
        assertThat(many)
                .allSatisfy(study -> assertThat(visit.send("/studies/" + study + "/again", Map.of())
                                .status())
                        .isBetween(302, 303));
    }

    @Test
    void kernelsOfOtherTypesAreOthers(Api api) {
        JsonNode refused = api.post("/api/v1/jobs", """
                        {"problems":[{"m":512,"n":4096,"k":512,"dtype":"bf16"},
                         {"m":4096,"n":4096,"k":512,"dtype":"bf16"},
                         {"m":4096,"n":2048,"k":512,"dtype":"f16"}],
                         "config":"sm90-gemm static 128x128x64 s4 alongM coop2","device":"cuda:0"}""").problem(422);

        assertThat(Api.errors(refused))
                .containsExactly("/config: configs of 4096x2048x512 and of 512x4096x512 have different parameters: give"
                        + " each of them a job of its own");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            4096x4096x512 | static s4 s5 | "" | /config: parameter 'loadStages' is given twice: by 's4' and 's5'
            4096x4096x512 | static 128x128x64 s4 alongM | "" | /config: a config of sm90-gemm has a value for each of its
            1423x768x7808 | static 177x64x64 s4 alongM coop1 swapAB=1 | "" | /config: parameter 'tileM' has no value 177; known: 16, 24,
            1423x768x7808 | static 24x64x64 s4 alongM coop1 swapAB=1 r0 clusterK=4 | "" | /problems/0: no config keeps every rule: clusterPartsTiles: 720 tiles of 24x64 are more than 264,
            4096x4096x512 | static 128x128x64 s9 alongM coop2 | "" | /config: parameter 'loadStages' has no value 9; known: 8,
            4096x4096x512 | sm100-gemm clc 128x64x64 s4 alongM | ,"family":"sm90-gemm" | /config: the config is one of sm100-gemm, but the family sm90-gemm is named
            4096x4096x512 | static 128x128x64 s4 alongM coop2 | ,"schedulers":["static"] | /config: names every value, so parameters and schedulers cannot be given beside it
            """)
    void whatCannotBeTriedIsNamed(String shapes, String config, String more, String said, Api api) {
        String beside = more.equals("\"\"") ? ",\"family\":\"sm90-gemm\"" : more;

        assertThat(Api.errors(submit(api, shapes, config, beside).problem(422)))
                .anyMatch(error -> error.startsWith(said));
    }
}
