package dev.tilewright.worker.agent.runner;

import dev.tilewright.model.exchange.DeviceSelector;
import dev.tilewright.worker.agent.device.DeviceUnusableException;
import dev.tilewright.worker.link.process.ChildCommand;
import dev.tilewright.worker.link.process.ScratchDirectory;
import dev.tilewright.worker.link.process.VisibleGpus;
import java.io.IOException;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Starts the runners of this host's devices.
 *
 * @param program main class of a runner
 * @param visible the GPUs that this process may see
 */
public record Runners(Class<?> program, VisibleGpus visible) {

    private static final int HEAP_MIB = 1024;
    private static final int EMULATOR_HEAP_MIB = 2048;

    /**
     * Starts a runner that sees this GPU alone, or none where it needs none, and waits until it is ready.
     *
     * @param device a GPU is counted among those that this process may see
     * @param assembler name and version of the assembler in use; asked for when the runner is ready
     */
    public RunnerDevice open(DeviceSelector.OneDevice device, Supplier<String> assembler)
            throws DeviceUnusableException {
        String gpus = switch (device) {
            case DeviceSelector.Cuda(int ordinal) ->
                visible.name(ordinal).orElseThrow(() -> new DeviceUnusableException(visible.missing(ordinal)));
            case DeviceSelector.OnCpu _ -> "";
        };
        String name = "runner-" + device.toString().replace(':', '-');
        ScratchDirectory scratch;
        try {
            scratch = ScratchDirectory.create(name);
        } catch (IOException full) {
            throw new DeviceUnusableException("no temporary directory for the runner: " + full.getMessage());
        }
        boolean emulated = device instanceof DeviceSelector.Emulated;
        ChildCommand command = ChildCommand.jvm(
                name,
                emulated ? EMULATOR_HEAP_MIB : HEAP_MIB,
                scratch.path(),
                Map.of(VisibleGpus.VARIABLE, gpus),
                program,
                device.toString());
        return emulated
                ? RunnerDevice.open(
                        device.toString(), assembler, command.withFullCompiler(), RunnerLimits.EMULATOR, scratch)
                : RunnerDevice.open(device.toString(), assembler, command, RunnerLimits.STANDARD, scratch);
    }
}
