package dev.tilewright.worker.cli;

import dev.tilewright.model.exchange.DeviceSelector;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code runner}: a child of the worker that owns one device; speaks messages, not to people. */
@Command(name = "runner", hidden = true, description = "Run kernels from messages on standard input.")
public final class RunnerCommand implements Callable<Integer> {

    @Option(
            names = "--device",
            paramLabel = "DEVICE",
            required = true,
            description = "cuda:N, simulated:h200, simulated:b200, simulated:gb200 or emulated:N.")
    private String device = "";

    @Mixin
    private ParentOption parent = new ParentOption();

    private final Runner runner;

    /** Serves requests until standard input ends. */
    @FunctionalInterface
    public interface Runner {

        /** Returns the exit code. */
        int serve(DeviceSelector device) throws IOException;
    }

    public RunnerCommand(Runner runner) {
        this.runner = runner;
    }

    @Override
    public Integer call() throws IOException {
        parent.haltWithIt();
        return runner.serve(Syntax.read("--device", device, DeviceSelector::parse));
    }
}
