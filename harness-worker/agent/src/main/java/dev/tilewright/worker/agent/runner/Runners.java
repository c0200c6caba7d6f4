package dev.tilewright.worker.agent.runner;

import dev.tilewright.model.exchange.DeviceSelector;
import dev.tilewright.proof.EmulatorBuild;
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
 * @param emulator limits of those that emulate
 */
public record Runners(Class<?> program, VisibleGpus visible, RunnerLimits emulator) {

    private static final int HEAP_MIB = 1024;
    private static final int EMULATOR_HEAP_MIB = 2048;

    public Runners(Class<?> program, VisibleGpus visible) {
        this(program, visible, RunnerLimits.EMULATOR);
    }

    /**
     * Starts a runner that sees this GPU alone, or none where it needs none, and waits until it is ready. That of an
     * emulated GPU starts with its first work: many offer one that nobody asks for, and what it is is known before.
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
        ChildCommand command = ChildCommand.jvm(
                name,
                device instanceof DeviceSelector.Emulated ? EMULATOR_HEAP_MIB : HEAP_MIB,
                scratch.path(),
                Map.of(VisibleGpus.VARIABLE, gpus),
                program,
                device.toString());
        return switch (device) {
            case DeviceSelector.Emulated(int sms) ->
                ProofDevice.idle(
                        device.toString(),
                        EmulatorBuild.running().testbed(sms, assembler.get()),
                        command.withFullCompiler(),
                        emulator,
                        scratch);
            case DeviceSelector.Cuda _, DeviceSelector.Simulated _ ->
                RunnerDevice.open(
                        device.toString(),
                        assembler,
                        new RunnerHost(command, RunnerLimits.STANDARD),
                        RunnerLimits.STANDARD,
                        scratch);
        };
    }
}
