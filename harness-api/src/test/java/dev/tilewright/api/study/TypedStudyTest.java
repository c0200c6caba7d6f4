package dev.tilewright.api.study;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.ResultSchema;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.ScriptedWorker;
import dev.tilewright.gemm.GemmFamily;
import dev.tilewright.gemm.family.GemmFamilies;
import dev.tilewright.model.exchange.Work;
import dev.tilewright.model.space.Config;
import dev.tilewright.simulator.SimulatedGpus;
import dev.tilewright.simulator.Simulator;
import dev.tilewright.space.device.DeviceLimits;
import java.io.IOException;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Types and layouts of sm90-gemm through the API, from the job to its result. */
@ExtendWith(RunningService.class)
class TypedStudyTest {

    private static final int SMS = 132;

    /** Every config that is leased builds the kernel of the problem that is leased with it. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'a':'e4m3','b':'e5m2','d':'bf16'} | {'a':'k','b':'k','d':'n'} | typeA",
                "{'a':'bf16','b':'bf16','d':'f32'} | {'a':'m','b':'n','d':'n'} | majorA",
            })
    void studiesOfOtherTypesAndLayoutsRunToTheirEnd(String types, String major, String parameter, Api api)
            throws IOException {
        Simulator model = Simulator.of(SimulatedGpus.H200);
        ScriptedWorker worker =
                new ScriptedWorker(api, UUID.randomUUID(), "simulated:h200", model.testbed()).register();
        String problem = "{\"m\":1000,\"n\":1512,\"k\":704,\"types\":" + types.replace('\'', '"') + ",\"major\":"
                + major.replace('\'', '"') + "}";
        String id = api.post(
                        "/api/v1/jobs",
                        "{\"problems\":[" + problem + "],\"device\":\"simulated:h200\",\"budget\":{\"trials\":6},"
                                + "\"schedulers\":[\"static\"]}")
                .expect(202)
                .get("id")
                .asString();
        GemmFamily family = GemmFamilies.standard().named("sm90-gemm");
        int trials = worker.workOff((lease, _) -> {
            Config config = ((Work.Screen) lease.work()).config();
            assertThat(config.has(parameter)).isTrue();
            assertThat(family.build(config, false)
                            .launch(lease.problem(), DeviceLimits.of(SMS), config)
                            .gridX())
                    .isPositive();
            return ScriptedWorker.predicted(model, lease);
        });
        assertThat(trials).isEqualTo(6);
        JsonNode result = api.result(id);
        assertThat(ResultSchema.errors(result)).isEmpty();
        JsonNode study = result.get("studies").get(0);
        assertThat(study.get("state").asString()).isEqualTo("finished");
        assertThat(study.get("problem").get("types").toString().replace('"', '\''))
                .isEqualTo(types);
        assertThat(study.get("problem").get("major").toString().replace('"', '\''))
                .isEqualTo(major);
    }

    @Test
    void whatTheFamilyDoesNotMultiplyIsRefusedWithTheRule(Api api) {
        JsonNode problem = api.post("/api/v1/jobs", """
                        {"problems":[{"m":1000,"n":1512,"k":704,"dtype":"e4m3","major":{"a":"m","b":"k","d":"n"}}],
                         "device":"simulated:h200"}""").problem(422);
        assertThat(Api.errors(problem))
                .containsExactly("/problems/0: major a = m with type e4m3: sm90-gemm takes a = k, for wgmma reads"
                        + " operands of 8 bits K-major alone");
    }
}
