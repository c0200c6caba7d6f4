package dev.tilewright.worker.agent.trial;

import dev.tilewright.model.exchange.BuiltKernel;
import dev.tilewright.model.exchange.GpuTask;
import dev.tilewright.model.exchange.GpuTaskResult;
import dev.tilewright.model.exchange.TrialResult;
import dev.tilewright.worker.agent.device.Device;
import dev.tilewright.worker.agent.device.DeviceUnusableException;
import dev.tilewright.worker.agent.device.PreparedKernel;
import java.util.ArrayList;
import java.util.List;

/** A task of any kind, with the kernels that it wants built: without one of them nothing comes of it. */
record BuiltTask(GpuTask task, Begun begun) {

    GpuTaskResult ran(Device device) throws DeviceUnusableException {
        List<PreparedKernel> kernels = new ArrayList<>();
        for (BuiltKernel kernel : task.kernels()) {
            switch (begun.kernel(kernel)) {
                case Preparation.Ready ready -> kernels.add(ready.kernel());
                case Preparation.Failed(TrialResult result, var _) -> {
                    return failed(kernel, result.outcome() + ": " + result.log());
                }
                case Preparation.Unassembled(var _, var _, String log) -> {
                    return failed(kernel, log);
                }
            }
        }
        return device.run(task, List.copyOf(kernels));
    }

    private static GpuTaskResult failed(BuiltKernel kernel, String why) {
        return new GpuTaskResult.Failed(kernel + ": " + why);
    }
}
