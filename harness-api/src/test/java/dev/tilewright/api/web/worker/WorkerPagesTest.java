package dev.tilewright.api.web.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.RunningService.Service;
import dev.tilewright.api.testing.ScriptedWorker;
import dev.tilewright.model.exchange.FinalResult;
import dev.tilewright.model.exchange.GpuTaskResult;
import dev.tilewright.model.exchange.Lease;
import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.exchange.TrialResult;
import dev.tilewright.model.exchange.Work;
import dev.tilewright.model.trial.Measurement;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.Question;
import dev.tilewright.model.trial.Ratio;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.model.trial.TrialOutcome;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

/** Each GPU is shown with what was read of itself, though all of them are of one testbed. */
@ExtendWith(RunningService.class)
class WorkerPagesTest {

    private static Measurement read(Stage stage, double clock, double power, double celsius) {
        return new Measurement(Mode.SUSTAINED, stage, 5, 10, 2000, 1990.0, 2010.0, clock, power, celsius, null);
    }

    /** As {@link ScriptedWorker#completed}, on a GPU that is so warm. */
    private static Report.Screened screened(
            ScriptedWorker worker, Lease lease, double clock, double power, double celsius) {
        TrialResult of = worker.completed(lease, 2000).result();
        return new Report.Screened(
                lease.fence(),
                new TrialResult(
                        of.outcome(),
                        of.errorRatio(),
                        of.compilation(),
                        of.executed(),
                        List.of(read(Stage.SCREEN, clock, power, celsius)),
                        of.evidence(),
                        of.checked(),
                        of.timesNs(),
                        of.log()));
    }

    private static Report.Finished finished(Lease lease, double clock, double power, double celsius) {
        List<Report.Arm> arms = ((Work.Final) lease.work())
                .contenders().stream()
                        .map(one -> new Report.Arm(
                                one.trialId().toString(),
                                one.trialId(),
                                "toy",
                                one.config(),
                                TrialOutcome.COMPLETED,
                                0.5,
                                List.of(read(Stage.FINAL, clock, power, celsius)),
                                ""))
                        .toList();
        return new Report.Finished(lease.fence(), new FinalResult(arms, List.of(), List.of(), List.of(), ""));
    }

    private static JsonNode reading(Api api, String device) {
        return api.get("/api/v1/workers")
                .expect(200)
                .valueStream()
                .flatMap(worker -> worker.get("devices").valueStream())
                .filter(one -> one.get("label").asString().equals(device))
                .findFirst()
                .orElseThrow()
                .get("lastReading");
    }

    private static List<Double> readings(Api api, String device) {
        JsonNode found = reading(api, device);
        assertThat(found.get("at").asString()).isNotBlank();
        return List.of(
                found.get("smClockMhz").asDouble(),
                found.get("powerWatts").asDouble(),
                found.get("temperatureCelsius").asDouble());
    }

    @Test
    void eachGpuHasItsOwnReadingsOfItsLastTrialOrFinal(Api api, Service service) {
        api.submit("cuda:all", "exhaustive", 100, "640x384x256");
        ScriptedWorker first = ScriptedWorker.cuda(api, 0);
        ScriptedWorker second = ScriptedWorker.cuda(api, 1);
        ScriptedWorker.cuda(api, 2);
        Lease old = first.leaseOne();
        first.report(old, screened(first, old, 1980, 300, 40)).taken();
        Lease cold = second.leaseOne();
        second.report(cold, screened(second, cold, 1200, 350, 45)).taken();
        service.clock().advance(Duration.ofSeconds(1));
        Lease warm = first.leaseOne();
        first.report(warm, screened(first, warm, 1755, 650, 60)).taken();
        service.clock().advance(Duration.ofSeconds(1));
        Lease lost = first.leaseOne();
        first.report(lost, ScriptedWorker.failed(lost, TrialOutcome.MISMATCH, "wrong"))
                .taken();

        assertThat(readings(api, "cuda:0")).containsExactly(1755.0, 650.0, 60.0);
        assertThat(readings(api, "cuda:1")).containsExactly(1200.0, 350.0, 45.0);
        assertThat(reading(api, "cuda:2").isNull())
                .as("it has the testbed of the others, and measured nothing")
                .isTrue();

        Lease lease = second.leaseOne();
        while (lease.work() instanceof Work.Screen) {
            second.report(lease, screened(second, lease, 1300, 360, 46)).taken();
            lease = second.leaseOne();
        }
        service.clock().advance(Duration.ofSeconds(1));
        second.report(lease, finished(lease, 1605, 698, 71)).taken();
        assertThat(readings(api, "cuda:1")).as("those of its final").containsExactly(1605.0, 698.0, 71.0);
        assertThat(readings(api, "cuda:0"))
                .as("whose trials raced on another GPU")
                .containsExactly(1755.0, 650.0, 60.0);
        assertThat(api.get("/workers").text())
                .contains("1605 MHz", "698 W", "71 °C", "1755 MHz", ">live<")
                .doesNotContain(">silent<");

        service.clock().advance(Duration.ofSeconds(1));
        compare(api, first);
        assertThat(readings(api, "cuda:0"))
                .as("those of the last block of a comparison")
                .containsExactly(1725.0, 610.0, 58.0);
        assertThat(readings(api, "cuda:1")).containsExactly(1605.0, 698.0, 71.0);
        service.silence(Duration.ofSeconds(90));
        assertThat(api.get("/workers").text()).contains(">silent<").doesNotContain(">live<");
    }

    private static void compare(Api api, ScriptedWorker gpu) {
        api.post("/api/v1/comparisons", """
                {"problem":{"m":640,"n":384,"k":256},"device":"cuda:0",
                "first":{"peer":"cublaslt"},"second":{"peer":"cublaslt","algorithm":"1"}}""").expect(202);
        Lease lease = gpu.leaseOne();
        gpu.report(
                        lease,
                        new Report.Ran(
                                lease.fence(),
                                new GpuTaskResult.Compared(
                                        GpuTaskResult.CompareVerdict.SAME,
                                        new Ratio(1, 0.99, 1.01, 1),
                                        new GpuTaskResult.ComparedSide("first", TrialOutcome.COMPLETED, 0.2, ""),
                                        new GpuTaskResult.ComparedSide("second", TrialOutcome.COMPLETED, 0.2, ""),
                                        List.of(block("first", 0, 1740), block("second", 1, 1725)),
                                        List.of(),
                                        "")))
                .taken();
    }

    private static Report.Block block(String arm, int position, double clock) {
        return new Report.Block(
                Stage.FINAL, Question.SAME_CLOCK, Mode.SUSTAINED, 0, position, arm, 2000, clock, 610.0, 58.0, 0);
    }
}
