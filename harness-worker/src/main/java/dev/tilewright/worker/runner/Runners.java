package dev.tilewright.worker.runner;

import dev.tilewright.model.exchange.DeviceSelector;
import dev.tilewright.worker.device.DeviceUnusableException;
import dev.tilewright.worker.process.ChildCommand;
import dev.tilewright.worker.process.ScratchDirectory;
import dev.tilewright.worker.process.VisibleGpus;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Starts the runners of this host's devices. */
public final class Runners {

    private static final int HEAP_MIB = 1024;
    private static final int EMULATOR_HEAP_MIB = 2048;

    private Runners() {}

    /**
     * Starts a runner that sees this GPU alone, or none for a model or the emulator, and waits until it is ready.
     *
     * @param device one GPU, counted among those that this process may see, or one model, or the emulator
     * @param assembler name and version of the assembler in use; asked for when the runner is ready
     * @param visible the GPUs that this process may see
     * @throws IllegalArgumentException if the selector means more than one device
     */
    public static RunnerDevice open(DeviceSelector device, Supplier<String> assembler, VisibleGpus visible)
            throws DeviceUnusableException {
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
                List.of(
                        "runner",
                        "--device",
                        device.toString(),
                        "--parent",
                        Long.toString(ProcessHandle.current().pid())));
        return emulated
                ? RunnerDevice.open(
                        device.toString(), assembler, command.withFullCompiler(), RunnerLimits.EMULATOR, scratch)
                : RunnerDevice.open(device.toString(), assembler, command, RunnerLimits.STANDARD, scratch);
    }
}
