package dev.tilewright.worker;

import dev.tilewright.gemm.family.GemmFamilies;
import dev.tilewright.worker.agent.WorkerCommand;
import dev.tilewright.worker.agent.WorkerEnd;
import dev.tilewright.worker.agent.runner.Runners;
import dev.tilewright.worker.cli.ApplyCommand;
import dev.tilewright.worker.cli.BestCommand;
import dev.tilewright.worker.cli.BundlePushCommand;
import dev.tilewright.worker.cli.CheckCommand;
import dev.tilewright.worker.cli.CompareCommand;
import dev.tilewright.worker.cli.CompletionCommand;
import dev.tilewright.worker.cli.ExplainCommand;
import dev.tilewright.worker.cli.ExportCommand;
import dev.tilewright.worker.cli.GateQualifyCommand;
import dev.tilewright.worker.cli.LadderCommand;
import dev.tilewright.worker.cli.PredictCommand;
import dev.tilewright.worker.cli.Printer;
import dev.tilewright.worker.cli.RefreshCommand;
import dev.tilewright.worker.cli.ResultsCommand;
import dev.tilewright.worker.cli.RootCommand;
import dev.tilewright.worker.cli.SchedulersCommand;
import dev.tilewright.worker.cli.SweepsCommand;
import dev.tilewright.worker.cli.Terminal;
import dev.tilewright.worker.cli.TokenCommand;
import dev.tilewright.worker.cli.TuneCommand;
import dev.tilewright.worker.cli.bundle.BundleCommand;
import dev.tilewright.worker.cli.capture.CaptureCommand;
import dev.tilewright.worker.cli.gate.GateAnnounceCommand;
import dev.tilewright.worker.cli.gate.GateCommand;
import dev.tilewright.worker.cli.gate.GateInitCommand;
import dev.tilewright.worker.cli.gate.GateRedecideCommand;
import dev.tilewright.worker.cli.gate.GateScheduleCommand;
import dev.tilewright.worker.cli.gate.GateTrendCommand;
import dev.tilewright.worker.cli.gate.GateWaiveCommand;
import dev.tilewright.worker.cli.program.GateProgramCommand;
import dev.tilewright.worker.cli.program.RunCommand;
import dev.tilewright.worker.gpu.AssemblerMain;
import dev.tilewright.worker.gpu.cuda.CudaProbe;
import dev.tilewright.worker.gpu.runner.RunnerMain;
import dev.tilewright.worker.link.command.ExitCode;
import dev.tilewright.worker.link.probe.DeviceProbe;
import dev.tilewright.worker.link.process.VisibleGpus;
import dev.tilewright.worker.link.text.PlainStreams;
import java.io.PrintStream;
import java.time.Clock;
import java.util.Map;
import picocli.CommandLine;

/** Wires the verbs to the machine. */
public final class Main {

    private Main() {}

    public static void main(String[] arguments) {
        PlainStreams.install();
        if (arguments.length > 0 && arguments[0].equals("worker")) {
            WorkerEnd.onUncaught();
        }
        System.exit(ended(arguments));
    }

    /**
     * No error of ours, such as too little memory or a jar that was replaced, may end with a code that blames a kernel.
     */
    private static int ended(String[] arguments) {
        try {
            return commandLine(System.getenv(), PlainStreams.out()).execute(arguments);
        } catch (Error beyondUs) {
            System.err.println("tilewright: " + beyondUs);
            return ExitCode.INFRASTRUCTURE.code();
        }
    }

    static CommandLine commandLine(Map<String, String> environment, PrintStream out) {
        Printer printer = Printer.of(environment, out);
        return RootCommand.commandLine(
                environment,
                new TuneCommand(environment, Main::probe, out, System.err),
                new SchedulersCommand(environment, Main::probe, out, System.err),
                // Options behind the name of a program are the program's.
                new CommandLine(new CaptureCommand(environment, out, System.err)).setStopAtPositional(true),
                new ApplyCommand(
                        GemmFamilies.standard(), environment, new MachineAssembler(environment), out, System.err),
                new CommandLine(new RunCommand(environment)).setStopAtPositional(true),
                new BestCommand(environment, out, System.err),
                new RefreshCommand(environment, Main::probe, out, System.err),
                new CompareCommand(environment, Main::probe, out, System.err),
                new CommandLine(new GateCommand(environment, Main::probe, out, System.err))
                        .addSubcommand(new GateInitCommand(environment, out, System.err))
                        .addSubcommand(new CommandLine(new GateProgramCommand(environment, out, System.err))
                                .setStopAtPositional(true))
                        .addSubcommand(new GateAnnounceCommand(Clock.systemUTC(), printer))
                        .addSubcommand(new GateRedecideCommand(environment, out, System.err))
                        .addSubcommand(new GateWaiveCommand(environment, out, System.err))
                        .addSubcommand(new GateScheduleCommand(environment, out, System.err))
                        .addSubcommand(new GateQualifyCommand(environment, Main::probe, out, System.err))
                        .addSubcommand(new GateTrendCommand(environment, out, System.err)),
                new PredictCommand(printer),
                new ExplainCommand(printer),
                new LadderCommand(
                        Main::probe,
                        new MachineTimer(environment, new Runners(RunnerMain.class, VisibleGpus.of(environment))::open),
                        printer),
                new CompletionCommand(printer),
                new TokenCommand(environment, out, System.err),
                new SweepsCommand(printer, System.err),
                new ResultsCommand(printer),
                new CheckCommand(GemmFamilies.standard(), () -> Terminal.of(environment), Clock.systemUTC(), printer),
                new CommandLine(new BundleCommand(
                                environment, new MachineAssembler(environment), Clock.systemUTC(), out))
                        .addSubcommand(new BundlePushCommand(environment, Main::probe, out, System.err)),
                new ExportCommand(
                        GemmFamilies.standard(), environment, new MachineAssembler(environment), out, System.err),
                new WorkerCommand(
                        environment,
                        Main::probe,
                        new Runners(RunnerMain.class, VisibleGpus.of(environment))::open,
                        AssemblerMain.class));
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
}
