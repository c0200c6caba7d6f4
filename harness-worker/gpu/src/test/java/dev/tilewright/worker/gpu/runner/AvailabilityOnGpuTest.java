package dev.tilewright.worker.gpu.runner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.gemm.oracle.HolderKernel;
import dev.tilewright.model.exchange.FinalResult;
import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.exchange.TrialResult;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.Scenario;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.space.SearchSpace;
import dev.tilewright.space.SpaceTree;
import dev.tilewright.worker.gpu.cuda.HostFlag;
import dev.tilewright.worker.gpu.cuda.PreparedLaunch;
import dev.tilewright.worker.gpu.verify.OracleModule;
import dev.tilewright.worker.link.runner.RunnerRequest.RunFinal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** SMs of a real GPU that are held while others run. */
class AvailabilityOnGpuTest extends OnGpu {

    @Override
    void log(String assembler) {
        System.out.println("driver's assembler: " + assembler);
    }

    @Test
    void holdersWhoseHostIsDeadHoldDifferentSmsAndEndByThemselves() {
        int sms = 32;
        try (OracleModule module = OracleModule.load(gpu, HolderKernel.build());
                HostFlag flag = gpu.hostFlag(1 + HolderKernel.REPORT_WORDS * sms)) {
            flag.set(0, 1);
            try (PreparedLaunch holders = module.prepareBeside(HolderKernel.launch(
                    sms,
                    gpu.info().sharedBytesPerCta(),
                    flag.deviceAddress(),
                    50_000_000,
                    flag.deviceAddress() + Integer.BYTES))) {
                holders.enqueue();
            }
            long start = System.nanoTime();
            while (System.nanoTime() - start < 2_000_000_000L
                    && reports(flag, sms, HolderKernel.OUTCOME).contains(0)) {
                LockSupport.parkNanos(1_000_000);
            }
            assertThat(reports(flag, sms, HolderKernel.OUTCOME)).containsOnly(HolderKernel.EXPIRED);
            assertThat(reports(flag, sms, HolderKernel.PLACE))
                    .doesNotHaveDuplicates()
                    .allMatch(sm -> sm >= 1 && sm <= gpu.info().smCount());
        }
    }

    private static List<Integer> reports(HostFlag flag, int sms, int word) {
        return IntStream.range(0, sms)
                .mapToObj(holder -> flag.get(1 + HolderKernel.REPORT_WORDS * holder + word))
                .toList();
    }

    /** 2048 tiles: 15.5 a SM on 132. What is printed is what the scenario is for. */
    @Test
    void whereSmsAreHeldDrawingTilesBeatsDealingThem() {
        Problem quiet = problem("8192x8192x1024");
        Map<String, Double> quietNs = new HashMap<>();
        for (int held : List.of(0, 8, 16, 32)) {
            Problem problem = quiet.beside(new Scenario(held));
            Map<String, Double> slowdown = new HashMap<>();
            for (String scheduler : List.of("single", "static", "atomic")) {
                SearchSpace restricted = space(problem)
                        .restrict(Map.of(
                                "scheduler", List.of(ParameterValue.of(scheduler)),
                                "mode", List.of(ParameterValue.of("cooperative")),
                                "tileM", List.of(ParameterValue.of(128)),
                                "tileN", List.of(ParameterValue.of(256)),
                                "tileK", List.of(ParameterValue.of(64)),
                                "loadStages", List.of(ParameterValue.of(3)),
                                "rasterOrder", List.of(ParameterValue.of("groupedM")),
                                "clusterM", List.of(ParameterValue.of(1)),
                                "clusterN", List.of(ParameterValue.of(1))));
                Config config =
                        SpaceTree.of(restricted).representatives(List.of()).getFirst();
                TrialResult done = completed(request(problem, config, Mode.SUSTAINED, Mode.COLD));
                assertThat(done.evidence().heldSms()).hasSize(held).doesNotHaveDuplicates();
                assertThat(done.evidence().heldSms())
                        .allMatch(sm -> done.evidence().tilesPerSm().get(sm) == 0);
                double medianNs = done.measurements().getFirst().medianNs();
                quietNs.putIfAbsent(scheduler, medianNs);
                slowdown.put(scheduler, medianNs / quietNs.get(scheduler));
                System.out.printf(
                        "%2d SMs held, %-6s: %8.0f ns, %.3f of quiet, tiles per SM %s, %s%n",
                        held,
                        scheduler,
                        medianNs,
                        slowdown.get(scheduler),
                        done.evidence().tilesPerSm(),
                        done.log());
            }
            if (held > 0) {
                assertThat(slowdown.get("static"))
                        .as("%s SMs held", held)
                        .isGreaterThan(1.15 * slowdown.get("atomic"))
                        .isGreaterThan(1.15 * slowdown.get("single"));
            }
        }
    }

    @Test
    void peersRunBesideTheSameHolders() {
        FinalResult round = new FinalRunner(bench, phases())
                .run(new RunFinal(
                        problem("1000x1512x704").beside(new Scenario(16)),
                        List.of(),
                        3,
                        null,
                        List.of("cublaslt"),
                        8,
                        List.of(Mode.SUSTAINED)));
        System.out.println(round.log());
        assertThat(round.log()).contains("SMs held while timed: ");
        assertThat(round.arms()).extracting(Report.Arm::outcome).containsOnly(TrialOutcome.COMPLETED);
    }
}
