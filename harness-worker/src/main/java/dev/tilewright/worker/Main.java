package dev.tilewright.worker;

import dev.tilewright.gemm.family.GemmFamilies;
import dev.tilewright.worker.cli.AssemblerCommand;
import dev.tilewright.worker.cli.BestCommand;
import dev.tilewright.worker.cli.CheckCommand;
import dev.tilewright.worker.cli.ExitCode;
import dev.tilewright.worker.cli.PredictCommand;
import dev.tilewright.worker.cli.ResultsCommand;
import dev.tilewright.worker.cli.RootCommand;
import dev.tilewright.worker.cli.RunnerCommand;
import dev.tilewright.worker.cli.SweepsCommand;
import dev.tilewright.worker.cli.TokenCommand;
import dev.tilewright.worker.cli.TuneCommand;
import dev.tilewright.worker.cli.WorkerCommand;
import dev.tilewright.worker.compile.Assemblers.Library;
import dev.tilewright.worker.compile.child.PtxLibrary;
import dev.tilewright.worker.device.DeviceProbe;
import dev.tilewright.worker.device.cuda.CudaJit;
import dev.tilewright.worker.device.cuda.CudaProbe;
import dev.tilewright.worker.device.cuda.NvPtxCompiler;
import dev.tilewright.worker.process.VisibleGpus;
import dev.tilewright.worker.runner.Runners;
import dev.tilewright.worker.runner.child.RunnerMain;
import dev.tilewright.worker.text.PlainFormatter;
import dev.tilewright.worker.text.PlainOutput;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Map;
import java.util.logging.Handler;
import java.util.logging.Logger;

/** Wires the verbs to the machine. */
public final class Main {

    /** One line a record: time, level, class, message, and a stack trace if there is one. */
    private static final String LOG_LINE = "%1$tFT%1$tT.%1$tL %4$s %3$s: %5$s%6$s%n";

    private Main() {}

    public static void main(String[] arguments) {
        // Nothing that others wrote, such as the error of a job, may reach a terminal as a command.
        System.setErr(plain(FileDescriptor.err));
        System.setProperty("java.util.logging.SimpleFormatter.format", LOG_LINE);
        for (Handler handler : Logger.getLogger("").getHandlers()) {
            handler.setFormatter(new PlainFormatter());
        }
        System.exit(ended(arguments));
    }

    /** No error of ours, such as too little memory, may end with a code that blames a kernel. */
    private static int ended(String[] arguments) {
        try {
            return run(System.getenv(), arguments);
        } catch (OutOfMemoryError | StackOverflowError beyondUs) {
            System.err.println("tilewright: " + beyondUs);
            return ExitCode.INFRASTRUCTURE.code();
        }
    }

    private static int run(Map<String, String> environment, String[] arguments) {
        PrintStream out = plain(FileDescriptor.out);
        return RootCommand.commandLine(
                        environment,
                        new TuneCommand(environment, Main::probe, out, System.err),
                        new BestCommand(environment, out, System.err),
                        new PredictCommand(out),
                        new TokenCommand(environment, out, System.err),
                        new SweepsCommand(out, System.err),
                        new ResultsCommand(out),
                        new CheckCommand(GemmFamilies.standard(), Clock.systemUTC(), out),
                        new WorkerCommand(
                                environment,
                                Main::probe,
                                (device, assembler) -> Runners.open(device, assembler, VisibleGpus.of(environment))),
                        new RunnerCommand(device -> RunnerMain.run(device, environment)),
                        new AssemblerCommand(Main::library))
                .execute(arguments);
    }

    /** The bars of histograms are not ASCII, whatever the locale of a bare container says. */
    private static PrintStream plain(FileDescriptor terminal) {
        return new PrintStream(new PlainOutput(new FileOutputStream(terminal)), true, StandardCharsets.UTF_8);
    }

    private static DeviceProbe.Finding probe() {
        return switch (CudaProbe.run()) {
            case CudaProbe.Absent _ -> new DeviceProbe.NoDriver();
            case CudaProbe.Failing(String reason) -> new DeviceProbe.Failing(reason);
            case CudaProbe.Present(var gpus) ->
                new DeviceProbe.Found(gpus.stream()
                        .map(gpu -> new DeviceProbe.Gpu(gpu.ordinal(), gpu.name()))
                        .toList());
        };
    }

    /** A child sees one GPU at most, which is then its first. */
    private static PtxLibrary library(Library library) {
        return switch (library) {
            case DRIVER_JIT -> new CudaJit(0);
            case NVPTXCOMPILER -> new NvPtxCompiler();
        };
    }
}
