package dev.tilewright.worker.gpu.runner;

import dev.tilewright.model.problem.Scenario;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.worker.gpu.measure.Screen;
import dev.tilewright.worker.gpu.verify.OperandSet;
import dev.tilewright.worker.gpu.verify.TestData;
import dev.tilewright.worker.gpu.verify.Verifier.Judgement;
import dev.tilewright.worker.link.runner.Kernel;
import dev.tilewright.worker.link.runner.RunnerRequest.RunTrial;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The first steps of a trial, in the stream: its kernel has been launched once and its result is under judgement, and
 * behind that the screen warms up.
 */
record Opening(Judgement before, Screen.Session session) {

    /** Puts them into the stream and returns at once. */
    static Opening of(
            Workbench bench, RunTrial trial, TestData data, LoadedKernel kernel, Screen.@Nullable Anchor anchor) {
        Judgement before = launched(bench, data, kernel);
        try {
            Screen screen = new Screen(bench.stopwatch(), bench.plan());
            return new Opening(before, screen.begin(kernel, anchor, seed(trial)));
        } catch (RuntimeException refused) {
            before.verdict();
            throw refused;
        }
    }

    /** The opening of a trial that comes next; empty if its anchor is not there, or they cannot be queued. */
    static Optional<Opening> ahead(Workbench bench, RunTrial coming, TestData data, LoadedKernel kernel) {
        if (!isFor(coming)) {
            return Optional.empty();
        }
        Kernel wanted = coming.anchor();
        if (wanted == null) {
            return Optional.of(of(bench, coming, data, kernel, null));
        }
        return bench.anchors().held(wanted, data).map(answer -> switch (answer) {
            case AnchorSlot.Answer.Ready(LoadedKernel arm) ->
                of(bench, coming, data, kernel, bench.anchors().forScreen(arm));
            case AnchorSlot.Answer.None _ -> of(bench, coming, data, kernel, null);
        });
    }

    /** Whether kernels may be queued: no SM is held, for beside holders they run one by one, and there is one mode. */
    static boolean isFor(RunTrial trial) {
        return trial.problem().scenario().equals(Scenario.QUIET)
                && trial.modes().equals(List.of(Mode.SUSTAINED));
    }

    /** Poisons one set of operands, launches on it once and has the output judged. */
    static Judgement launched(Workbench bench, TestData data, LoadedKernel kernel) {
        List<OperandSet> first = List.of(data.sets().getFirst());
        bench.meter().busy(() -> {
            bench.verifier().poison(first);
            kernel.poison();
            kernel.enqueue(0);
        });
        return bench.verifier().begin(data, kernel.expected(data, first), first);
    }

    /** Of the order in the blocks: the same for the same trial, another one for another. */
    static long seed(RunTrial trial) {
        return trial.seed() ^ trial.config().canonical().hashCode();
    }

    /** Their results are not used. */
    void leave() {
        before.verdict();
    }
}
