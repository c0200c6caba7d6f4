package dev.tilewright.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.RunningService.Service;
import dev.tilewright.api.testing.ScriptedFinal;
import dev.tilewright.api.testing.ScriptedWorker;
import dev.tilewright.model.exchange.GpuTask;
import dev.tilewright.model.exchange.GpuTaskResult.CompareVerdict;
import dev.tilewright.model.exchange.GpuTaskResult.Compared;
import dev.tilewright.model.exchange.GpuTaskResult.ComparedSide;
import dev.tilewright.model.exchange.Lease;
import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.exchange.Work;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.Ratio;
import dev.tilewright.model.trial.Testbed;
import dev.tilewright.model.trial.TrialOutcome;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/**
 * {@code tilewright refresh} as it is built, beside a service whose GPU has got another driver and answers from a
 * script.
 */
@ExtendWith(RunningService.class)
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class RefreshIT {

    @TempDir
    private Path folder;

    /** What the GPU does: how much slower all is beside the default kernel, and which verdict comparisons have. */
    private record Gpu(double lost, CompareVerdict verdict) {

        private Report answer(ScriptedWorker worker, Lease lease, Map<Config, Double> times) {
            return switch (lease.work()) {
                case Work.Screen screen -> {
                    double ns = times.computeIfAbsent(screen.config(), _ -> 1000.0 + 50 * times.size());
                    yield worker.completed(lease, ns);
                }
                case Work.Final race -> new ScriptedFinal(1000, lost).report(lease, race);
                case Work.Run run -> new Report.Ran(lease.fence(), compared((GpuTask.Compare) run.task()));
            };
        }

        private Compared compared(GpuTask.Compare task) {
            return new Compared(
                    verdict,
                    new Ratio(verdict == CompareVerdict.FASTER ? 1.02 : 1, 0.999, 1.03, 40),
                    new ComparedSide("first", TrialOutcome.COMPLETED, 0.2, ""),
                    new ComparedSide("second", TrialOutcome.COMPLETED, 0.2, ""),
                    List.of(),
                    List.of(),
                    "");
        }

        /** Answers all that the service asks for now. */
        private void workOff(ScriptedWorker worker, Map<Config, Double> times) {
            for (List<Lease> leases = worker.leaseNow(1); !leases.isEmpty(); leases = worker.leaseNow(1)) {
                Lease lease = leases.getFirst();
                worker.report(lease, answer(worker, lease, times)).taken();
            }
        }
    }

    private static void tuneOnTheOldDriver(Api api, Service service) {
        String job = api.post("/api/v1/jobs", """
                        {"problems":[{"m":640,"n":384,"k":256}],"family":"toy","strategy":"random",
                        "budget":{"trials":4,"finalists":2},"device":"cuda:0"}""").expect(202).get("id").asString();
        ScriptedWorker worker = ScriptedWorker.cuda(api, 0);
        Map<Config, Double> times = new HashMap<>();
        while (!isOver(api, job)) {
            new Gpu(0, CompareVerdict.SAME).workOff(worker, times);
        }
        service.silence(Duration.ofSeconds(20));
    }

    private static boolean isOver(Api api, String job) {
        return Set.of("finished", "failed", "cancelled")
                .contains(
                        api.get("/api/v1/jobs/" + job).expect(200).get("state").asString());
    }

    private static JsonNode best(Api api) {
        return api.get("/api/v1/best").expect(200).get("items");
    }

    /** The output of the verb, which succeeds. */
    private String refreshed(Api api, Gpu gpu, ScriptedWorker worker) throws Exception {
        Map<Config, Double> times = new HashMap<>();
        LaunchedVerb refresh =
                LaunchedVerb.start(folder, 400, "refresh", "--api", api.uri("/").toString());
        int exit = refresh.toItsEnd(() -> gpu.workOff(worker, times));
        String said = refresh.said();
        assertThat(exit).as(said).isZero();
        return said;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0 | SAME | kept | ",
                "0.03 | SAME | tune again: 3.0 % of its speed is lost | refresh: tune again",
                "0 | FASTER | tune again: another of its set won | refresh: tune again"
            })
    void aNewDriverIsMeasuredAndWhatLostIsTunedAgain(
            double lost, CompareVerdict verdict, String decided, @Nullable String tuned, Api api, Service service)
            throws Exception {
        tuneOnTheOldDriver(api, service);
        assertThat(best(api).get(0).get("equivalent")).hasSize(2);
        Testbed old = ScriptedWorker.H200;
        ScriptedWorker worker = new ScriptedWorker(
                        api,
                        UUID.randomUUID(),
                        "cuda:0",
                        new Testbed(
                                old.kind(), old.device(), "590.2", old.assembler(), old.smCount(), old.clockPolicy()))
                .register();
        Gpu gpu = new Gpu(lost, verdict);

        assertThat(refreshed(api, gpu, worker))
                .contains("1 of 1: 640x384x256 bf16, toy on NVIDIA H200: measured with driver 580.1; workers offer")
                .contains(decided);
        List<String> names = new ArrayList<>();
        api.get("/api/v1/jobs")
                .expect(200)
                .get("items")
                .forEach(job -> names.add(job.get("name").asString()));
        assertThat(names).filteredOn(name -> name.equals("refresh: tune again")).hasSize(tuned == null ? 0 : 1);
        assertThat(best(api)).hasSize(2).anySatisfy(item -> {
            assertThat(item.at("/testbed/driver").asString()).isEqualTo("590.2");
            assertThat(item.get("stale").isNull()).isTrue();
        });

        assertThat(refreshed(api, gpu, worker)).contains("2 best configs are known, and none is stale");
    }
}
