package dev.tilewright.worker.gpu.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.tilewright.model.exchange.TrialResult;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.LibraryVersion;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.space.vendor.VendorSpace;
import dev.tilewright.worker.gpu.peer.PeerArms;
import dev.tilewright.worker.link.runner.Kernel;
import dev.tilewright.worker.link.runner.RunnerRequest.RunTrial;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Trials of the algorithms of the cublasLt that is installed beside a GPU, in the order of the search. */
class LibraryOnGpuTest extends OnGpu {

    private static final int TRIALS = 60;

    private TrialResult run(Problem problem, Config config) {
        Kernel kernel = new Kernel.OfLibrary("cublaslt", config);
        return new TrialRunner(bench, new Phases(System::nanoTime, _ -> {}))
                .run(new RunTrial(problem, config, kernel, null, SEED, List.of(Mode.SUSTAINED)))
                .answer();
    }

    @ParameterizedTest
    @ValueSource(strings = {"512x512x512", "4096x4096x4096", "1001x776x333"})
    void promisingAlgorithmsAreRightOrRefusedOrKnown(String shape) {
        Problem problem = problem(shape);
        try (PeerArms peers = bench.peers().arms("cublaslt", bench.data(problem, SEED))) {
            assumeThat(peers).isInstanceOf(PeerArms.Found.class);
        }
        List<TrialResult> completed = new ArrayList<>();
        new VendorSpace().promising(problem, SEED).limit(TRIALS).forEach(config -> {
            TrialResult result = run(problem, config);
            assertThat(result.outcome())
                    .as(config.canonical() + ": " + result.log())
                    .isIn(TrialOutcome.COMPLETED, TrialOutcome.PRUNED, TrialOutcome.NOISE);
            if (result.outcome() == TrialOutcome.PRUNED) {
                assertThat(result.log()).containsPattern("launches the same as|refuses it: ");
            } else {
                assertThat(result.executed()).isNotNull();
                assertThat(LibraryVersion.in(result.log())).isPresent();
                completed.add(result);
            }
        });
        assertThat(completed).isNotEmpty();
    }
}
