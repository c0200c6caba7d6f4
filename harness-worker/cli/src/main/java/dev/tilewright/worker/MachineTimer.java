package dev.tilewright.worker;

import dev.tilewright.model.exchange.DeviceSelector;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Sha256;
import dev.tilewright.worker.agent.DeviceFactory;
import dev.tilewright.worker.agent.compile.Assembler;
import dev.tilewright.worker.agent.compile.Assemblers;
import dev.tilewright.worker.agent.compile.Assembly;
import dev.tilewright.worker.agent.compile.AssemblyResult;
import dev.tilewright.worker.agent.device.Device;
import dev.tilewright.worker.agent.device.DeviceUnusableException;
import dev.tilewright.worker.agent.device.PreparedKernel;
import dev.tilewright.worker.agent.device.PreparedTurns;
import dev.tilewright.worker.cli.KernelTimer;
import dev.tilewright.worker.gpu.AssemblerMain;
import dev.tilewright.worker.link.command.CommandFailedException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The GPUs of this machine, each in a runner of its own, and the assembler that workers choose too.
 *
 * @param environment variables of this process
 */
record MachineTimer(Map<String, String> environment, DeviceFactory devices) implements KernelTimer {

    private static final Duration LIMIT = Duration.ofSeconds(120);

    @Override
    public Timed time(DeviceSelector.Cuda gpu, Problem problem, List<Subject> kernels, long seed) {
        try (Assembler assembler = new Assemblers(environment, gpu.ordinal(), AssemblerMain.class)
                        .choose()
                        .start();
                Device device = devices.open(gpu, () -> assembler.id().toString())) {
            List<PreparedTurns.Arm> arms = new ArrayList<>();
            for (Subject kernel : kernels) {
                PreparedKernel built = new PreparedKernel.Built(
                        kernel.launch().apply(device.limits().smCount()),
                        assembled(assembler, kernel),
                        Sha256.hex(kernel.ptx()));
                arms.add(new PreparedTurns.Arm(kernel.name(), kernel.family(), built));
            }
            return new Timed(device.testbed(), device.runTurns(new PreparedTurns(problem, arms, seed)));
        } catch (DeviceUnusableException unusable) {
            throw CommandFailedException.infrastructure(gpu + ": " + unusable.getMessage(), unusable);
        } catch (IOException none) {
            throw CommandFailedException.infrastructure(String.valueOf(none.getMessage()), none);
        }
    }

    /** An assembly that does what its text says: without spills, and nothing of it serialised. */
    private static Assembly assembled(Assembler assembler, Subject kernel) {
        return switch (assembler.assemble(kernel.ptx(), kernel.target(), LIMIT)) {
            case AssemblyResult.Assembled(Assembly assembly)
            when assembly.spillBytes() == 0 && assembly.alarms().isEmpty() -> assembly;
            case AssemblyResult.Assembled(Assembly assembly) ->
                throw refused(assembler, kernel, "without spills and alarms: " + assembly.log());
            case AssemblyResult.Refused(String log) -> throw refused(assembler, kernel, log);
            case AssemblyResult.Unsupported(String why) -> throw refused(assembler, kernel, why);
            case AssemblyResult.Broken(String why) -> throw refused(assembler, kernel, why);
            case AssemblyResult.Overdue(Duration limit) ->
                throw refused(assembler, kernel, "it took more than " + limit.toSeconds() + " s");
        };
    }

    private static CommandFailedException refused(Assembler assembler, Subject kernel, String reason) {
        return CommandFailedException.infrastructure(
                kernel.name() + " is not assembled by " + assembler.id() + ": " + reason.strip());
    }
}
