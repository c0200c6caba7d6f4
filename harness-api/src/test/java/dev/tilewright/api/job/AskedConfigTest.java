package dev.tilewright.api.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.ScriptedWorker;
import dev.tilewright.model.exchange.Work;
import dev.tilewright.model.space.Config;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Jobs that try one config, which is written in short. */
@ExtendWith(RunningService.class)
class AskedConfigTest {

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
        String config = "sm90-gemm static 176x64x64 s4 alongM coop1 swapAB=1 r0 clusterK=1";
        submit(api, "1423x768x7808", config, "").expect(202);
        Config tried = ((Work.Screen) ScriptedWorker.cuda(api, 0).leaseOne().work()).config();

        assertThat(tried.whole("tileM")).isEqualTo(176);
        assertThat(tried.has("clusterK")).isFalse();
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
            4096x4096x512,128x128x4096 | static 128x128x64 s4 alongM coop2 | "" | /config: configs of 4096x4096x512 and of 128x128x4096 have different parameters: give each of them a job of its own
            """)
    void whatCannotBeTriedIsNamed(String shapes, String config, String more, String said, Api api) {
        String beside = more.equals("\"\"") ? ",\"family\":\"sm90-gemm\"" : more;

        assertThat(Api.errors(submit(api, shapes, config, beside).problem(422)))
                .anyMatch(error -> error.startsWith(said));
    }
}
