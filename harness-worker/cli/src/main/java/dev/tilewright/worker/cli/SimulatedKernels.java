package dev.tilewright.worker.cli;

import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.RangedProblem;
import dev.tilewright.model.range.TableSize;
import dev.tilewright.simulator.GpuConstants;
import dev.tilewright.simulator.Predictions;
import dev.tilewright.simulator.RangePredictions;
import dev.tilewright.space.family.FamilySpace;
import dev.tilewright.worker.cli.apply.KernelSource;
import dev.tilewright.worker.cli.apply.PackDevice;
import java.util.Map;
import java.util.Optional;

/** The choice of a model, for rehearsal. */
record SimulatedKernels(FamilySpace space, GpuConstants gpu) implements KernelSource {

    @Override
    public Choice choose(Problem problem) {
        Optional<String> refusal = space.refusal(problem);
        if (refusal.isPresent()) {
            return new Left(refusal.get());
        }
        try {
            Predictions.Pick pick =
                    Predictions.of(space, problem, gpu, Map.of(), 1).configs().getFirst();
            return Taken.of(space.family(), problem.shape().m(), pick.config(), pick.us(), Optional.empty());
        } catch (IllegalArgumentException beyondTheModel) {
            return new Left(String.valueOf(beyondTheModel.getMessage()));
        }
    }

    @Override
    public Choice choose(RangedProblem problem) {
        Optional<String> refusal = space.refusal(problem.least());
        return refusal.isPresent()
                ? new Left(refusal.get())
                : Taken.of(
                        space.family(),
                        RangePredictions.of(space, problem, gpu, Map.of(), TableSize.USUAL, PredictCommand.SEED)
                                .kernels());
    }

    @Override
    public PackDevice device() {
        return new PackDevice(
                "simulated " + gpu.name() + " (" + gpu.version() + "), never measured",
                true,
                Optional.empty(),
                Optional.empty(),
                gpu.topology().smCount());
    }
}
