package dev.tilewright.api.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.RunningService.Service;
import dev.tilewright.api.testing.ScriptedWorker;
import dev.tilewright.model.exchange.FinalResult;
import dev.tilewright.model.exchange.GpuTaskResult;
import dev.tilewright.model.exchange.GpuTaskResult.Compared;
import dev.tilewright.model.exchange.Lease;
import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.exchange.Work;
import dev.tilewright.model.trial.GpuTime;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.Question;
import dev.tilewright.model.trial.Ratio;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.model.trial.TrialOutcome;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A GPU that is busy with finals and comparisons is busy: their time counts, and their clock is its clock. */
class GpuMetersTest {

    @Test
    void finalsAndComparisonsCountAsTrialsDo() {
        try (Service service = RunningService.start(Map.of("db-scheduler.enabled", "false"))) {
            Api api = service.api();
            api.post("/api/v1/jobs", """
                    {"problems":[{"m":640,"n":384,"k":256}],"family":"toy","strategy":"random","seed":3,
                    "budget":{"trials":2,"finalists":1},"device":"cuda:0"}""").expect(202);
            ScriptedWorker gpu = ScriptedWorker.cuda(api, 0);
            Lease lease = gpu.leaseOne();
            int trials = 0;
            while (lease.work() instanceof Work.Screen) {
                gpu.complete(lease, 1000 + trials++);
                lease = gpu.leaseOne();
            }
            double busy = value(api, "tilewright_gpu_time_seconds_total", "busy");
            assertThat(busy).isCloseTo(trials * 0.004, within(1e-9));

            gpu.report(lease, finished(lease)).taken();
            assertThat(value(api, "tilewright_gpu_time_seconds_total", "busy")).isCloseTo(busy + 2, within(1e-9));
            assertThat(value(api, "tilewright_gpu_time_seconds_total", "spinning"))
                    .isCloseTo(trials * 0.001 + 0.5, within(1e-9));
            assertThat(value(api, "tilewright_gpu_clock_hertz", "cuda:0")).isEqualTo(1605e6);

            service.clock().advance(Duration.ofMinutes(6));
            assertThat(value(api, "tilewright_gpu_clock_hertz", "cuda:0")).isNaN();
            compare(api, gpu);
            assertThat(value(api, "tilewright_gpu_time_seconds_total", "busy")).isCloseTo(busy + 2.25, within(1e-9));
            assertThat(value(api, "tilewright_gpu_clock_hertz", "cuda:0")).isEqualTo(1725e6);
            assertThat(value(api, "tilewright_gpu_power_watts", "cuda:0")).isEqualTo(610);
            assertThat(value(api, "tilewright_gpu_temperature_celsius", "cuda:0"))
                    .isEqualTo(58);
        }
    }

    private static Report.Finished finished(Lease lease) {
        List<Report.Arm> arms = ((Work.Final) lease.work())
                .contenders().stream()
                        .map(one -> new Report.Arm(
                                one.trialId().toString(),
                                one.trialId(),
                                "toy",
                                one.config(),
                                TrialOutcome.COMPLETED,
                                0.5,
                                List.of(ScriptedWorker.measurement(lease, Mode.SUSTAINED, Stage.FINAL, 1000, true)),
                                ""))
                        .toList();
        return new Report.Finished(
                lease.fence(),
                new FinalResult(
                        arms,
                        List.of(),
                        List.of(
                                block(arms.getFirst().name(), 0, 1755),
                                block(arms.getFirst().name(), 1, 1605)),
                        List.of(),
                        Map.of("load", 9_000_000L, GpuTime.BUSY, 2_000_000_000L, GpuTime.SPIN_FLUSH, 500_000_000L),
                        ""));
    }

    private static void compare(Api api, ScriptedWorker gpu) {
        api.post("/api/v1/comparisons", """
                {"problem":{"m":640,"n":384,"k":256},"device":"cuda",
                "first":{"peer":"cublaslt"},"second":{"peer":"cublaslt","algorithm":"1"}}""").expect(202);
        Lease lease = gpu.leaseOne();
        Compared found = new Compared(
                GpuTaskResult.CompareVerdict.SAME,
                new Ratio(1, 0.99, 1.01, 1),
                new GpuTaskResult.ComparedSide("first", TrialOutcome.COMPLETED, 0.2, ""),
                new GpuTaskResult.ComparedSide("second", TrialOutcome.COMPLETED, 0.2, ""),
                List.of(block("first", 0, 1740), block("second", 0, 1725)),
                List.of(),
                "");
        gpu.report(lease, new Report.Ran(lease.fence(), found.took(0.3, Map.of(GpuTime.BUSY, -1L))))
                .refused(422);
        gpu.report(lease, new Report.Ran(lease.fence(), found.took(0.3, Map.of(GpuTime.BUSY, 250_000_000L))))
                .taken();
    }

    private static Report.Block block(String arm, int index, double clock) {
        return new Report.Block(
                Stage.FINAL, Question.SAME_CLOCK, Mode.SUSTAINED, index, 0, arm, 2000, clock, 610.0, 58.0, 0);
    }

    private static double value(Api api, String name, String tag) {
        return api.get("/actuator/prometheus")
                .text()
                .lines()
                .filter(line -> line.startsWith(name + "{") && line.contains("=\"" + tag + "\""))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .findFirst()
                .orElseThrow();
    }
}
