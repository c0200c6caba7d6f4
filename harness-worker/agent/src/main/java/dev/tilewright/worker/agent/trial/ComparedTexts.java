package dev.tilewright.worker.agent.trial;

import dev.tilewright.model.exchange.BuiltKernel;
import dev.tilewright.model.exchange.GpuTask;
import dev.tilewright.model.exchange.GpuTask.Side;
import dev.tilewright.model.exchange.GpuTaskResult;
import dev.tilewright.model.exchange.GpuTaskResult.CompareVerdict;
import dev.tilewright.model.exchange.GpuTaskResult.Compared;
import dev.tilewright.model.exchange.GpuTaskResult.ComparedSide;
import dev.tilewright.model.exchange.TrialResult;
import dev.tilewright.model.trial.Compilation;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.worker.agent.device.Device;
import dev.tilewright.worker.agent.device.DeviceUnusableException;
import dev.tilewright.worker.agent.device.PreparedKernel;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The kernels of a comparison on their way to the device. A kernel that has no cubin, or that the emulator refutes, is
 * a finding of its side: then nothing is timed. The answer of the device gets what only the texts tell.
 */
record ComparedTexts(GpuTask.Compare task, Begun begun) {

    private static final String FIRST = "first";
    private static final String SECOND = "second";

    GpuTaskResult ran(Device device) throws DeviceUnusableException {
        List<PreparedKernel> kernels = new ArrayList<>();
        boolean isReady = true;
        for (BuiltKernel kernel : task.kernels()) {
            switch (begun.kernel(kernel)) {
                case Preparation.Ready ready -> kernels.add(ready.kernel());
                case Preparation.Failed(TrialResult result, var _)
                when result.outcome() != TrialOutcome.INFRASTRUCTURE -> isReady = false;
                case Preparation.Failed(TrialResult result, var _) -> {
                    return new GpuTaskResult.Failed(kernel + ": " + result.outcome() + ": " + result.log());
                }
                case Preparation.Unassembled(var _, var _, String log) -> {
                    return new GpuTaskResult.Failed(kernel + ": " + log);
                }
            }
        }
        GpuTaskResult result = isReady ? device.run(task, List.copyOf(kernels)) : untimed();
        return result instanceof Compared compared
                ? compared.with(told(task.first(), compared.first()), told(task.second(), compared.second()))
                : result;
    }

    private Compared untimed() {
        return new Compared(
                CompareVerdict.INVALID,
                null,
                untimed(task.first(), FIRST),
                untimed(task.second(), SECOND),
                List.of(),
                List.of(),
                "nothing was timed");
    }

    /** A kernel that cannot be run says why. */
    private ComparedSide untimed(Side side, String name) {
        if (side instanceof Side.Own own) {
            if (begun.kernel(task.built(own)) instanceof Preparation.Failed(TrialResult result, var _)) {
                return new ComparedSide(name, result.outcome(), null, result.log());
            }
        }
        return new ComparedSide(name, TrialOutcome.CANCELLED, null, "not run, because of the other");
    }

    private ComparedSide told(Side side, ComparedSide said) {
        return side instanceof Side.Own own ? told(begun.kernel(task.built(own)), said) : said;
    }

    private static ComparedSide told(Preparation kernel, ComparedSide said) {
        Compilation compilation = compilation(kernel);
        ComparedSide told = said.of(
                compilation == null ? null : compilation.ptxHash(),
                compilation == null ? broughtCubin(kernel) : compilation.cubinHash(),
                kernel instanceof Preparation.Failed(TrialResult result, var _) ? result.checked() : kernel.checked());
        // What a verdict says stands in it; without one, the log says why there is none.
        return kernel instanceof Preparation.Ready ready
                        && ready.checked() == null
                        && !ready.log().isEmpty()
                ? told.noting(ready.log())
                : told;
    }

    /** Hash of a cubin that nobody here assembled. */
    private static @Nullable String broughtCubin(Preparation kernel) {
        return kernel instanceof Preparation.Ready ready
                        && ready.kernel() instanceof PreparedKernel.Built built
                        && built.broughtFor() != null
                ? built.hash()
                : null;
    }

    private static @Nullable Compilation compilation(Preparation kernel) {
        return switch (kernel) {
            case Preparation.Ready ready -> ready.compilation();
            case Preparation.Failed(TrialResult result, var _) -> result.compilation();
            case Preparation.Unassembled(PreparedKernel prepared, var _, String _) -> Preparation.compilation(prepared);
        };
    }
}
