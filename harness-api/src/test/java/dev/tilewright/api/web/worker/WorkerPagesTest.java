package dev.tilewright.api.web.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.RunningService.Service;
import dev.tilewright.api.testing.ScriptedWorker;
import dev.tilewright.model.exchange.Lease;
import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.exchange.TrialResult;
import dev.tilewright.model.exchange.Work;
import dev.tilewright.model.trial.Measurement;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.model.trial.TrialOutcome;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

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
        return new Report.Finished(lease.fence(), arms, List.of(), List.of(), List.of(), "");
    }

    private static Map<String, WorkerPageRepository.Device> devices(Service service) {
        return service.bean(WorkerPageRepository.class).devices(10).stream()
                .collect(Collectors.toMap(WorkerPageRepository.Device::device, Function.identity()));
    }

    private static List<Double> readings(Service service, String device) {
        WorkerPageRepository.Device found = devices(service).get(device);
        assertThat(found.measuredAt()).isNotNull();
        return List.of(found.clockMhz(), found.powerWatts(), found.celsius());
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

        assertThat(readings(service, "cuda:0")).containsExactly(1755.0, 650.0, 60.0);
        assertThat(readings(service, "cuda:1")).containsExactly(1200.0, 350.0, 45.0);
        assertThat(devices(service).get("cuda:2").measuredAt())
                .as("it has the testbed of the others, and measured nothing")
                .isNull();

        Lease lease = second.leaseOne();
        while (lease.work() instanceof Work.Screen) {
            second.report(lease, screened(second, lease, 1300, 360, 46)).taken();
            lease = second.leaseOne();
        }
        service.clock().advance(Duration.ofSeconds(1));
        second.report(lease, finished(lease, 1605, 698, 71)).taken();
        assertThat(readings(service, "cuda:1")).as("those of its final").containsExactly(1605.0, 698.0, 71.0);
        assertThat(readings(service, "cuda:0"))
                .as("whose trials raced on another GPU")
                .containsExactly(1755.0, 650.0, 60.0);
        assertThat(api.get("/workers").text()).contains("1605 MHz", "698 W", "71 °C", "1755 MHz");
    }
}
