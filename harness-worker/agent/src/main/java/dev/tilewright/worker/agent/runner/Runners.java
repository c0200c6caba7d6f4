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
     * Starts a runner that sees this GPU alone, or none for a model or the emulator, and waits until it is ready.
     *
     * @param device one GPU, counted among those that this process may see, or one model, or the emulator
     * @param assembler name and version of the assembler in use; asked for when the runner is ready
     * @throws IllegalArgumentException if the selector means more than one device
     */
    public RunnerDevice open(DeviceSelector device, Supplier<String> assembler) throws DeviceUnusableException {
        String gpus = switch (device) {
            case DeviceSelector.Cuda(int ordinal) ->
                visible.name(ordinal).orElseThrow(() -> new DeviceUnusableException(visible.missing(ordinal)));
            case DeviceSelector.Simulated _, DeviceSelector.Emulated _ -> "";
            case DeviceSelector.Auto _, DeviceSelector.AllCuda _ ->
                throw new IllegalArgumentException("a runner has one device, got " + device);
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
