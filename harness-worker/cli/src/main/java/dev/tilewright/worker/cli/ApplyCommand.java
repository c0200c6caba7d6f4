package dev.tilewright.worker.cli;

import dev.tilewright.gemm.family.GemmFamilies;
import dev.tilewright.simulator.GpuConstants;
import dev.tilewright.simulator.SimulatedGpus;
import dev.tilewright.worker.cli.apply.KernelSource;
import dev.tilewright.worker.cli.apply.PackFolder;
import dev.tilewright.worker.cli.apply.PackPlan;
import dev.tilewright.worker.cli.apply.PackReport;
import dev.tilewright.worker.cli.board.TextTable;
import dev.tilewright.worker.cli.capture.CaptureFile;
import dev.tilewright.worker.cli.capture.CapturePlan;
import dev.tilewright.worker.cli.capture.CaptureReader;
import dev.tilewright.worker.cli.capture.CaptureSummary;
import dev.tilewright.worker.cli.export.Assembly;
import dev.tilewright.worker.cli.export.TextAssembler;
import dev.tilewright.worker.link.client.ApiRefusedException;
import dev.tilewright.worker.link.command.CommandFailedException;
import dev.tilewright.worker.link.command.ExitCode;
import dev.tilewright.worker.link.command.Syntax;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code apply}: writes the kernels for a recorded program as one package for PyTorch. */
@Command(
        name = "apply",
        description = "Write the tuned kernels for a recorded program as one Python package, which computes the"
                + " program's GEMMs in place of PyTorch.",
        footer = {
            "",
            "In the program: import PACK; PACK.enable(). From outside: tilewright run --pack DIR -- python program.py",
            "docs/capture.md says which calls are replaced."
        })
public final class ApplyCommand extends ServiceVerb {

    private static final String SIMULATED = "simulated:";
    private static final Pattern PACKAGE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    @Parameters(arity = "1", paramLabel = "RECORDING", description = "Folder of tilewright capture, or its file.")
    private Path recording = Path.of("capture");

    @Option(
            names = "--to",
            paramLabel = "DIR",
            description = "Folder of the package, whose name is the package's (default: ${DEFAULT-VALUE}).")
    private Path folder = Path.of("pack");

    @Option(
            names = "--least-share",
            paramLabel = "PERCENT",
            description = "Replace what has at least so many percent of the time, from 0 to 100 (default:"
                    + " ${DEFAULT-VALUE}).")
    private double leastShare = 1;

    @Option(
            names = "--testbed",
            paramLabel = "TEXT",
            description = "Take kernels that were measured on a GPU whose name has this text in it.")
    private @Nullable String testbed;

    @Option(
            names = "--device",
            paramLabel = "simulated:GPU",
            description = "Take what the model of this GPU would choose, for rehearsal: never measured.")
    private @Nullable String device;

    private final GemmFamilies families;
    private final TextAssembler assembler;

    /**
     * @param out what was written
     * @param err notices
     */
    public ApplyCommand(
            GemmFamilies families,
            Map<String, String> environment,
            TextAssembler assembler,
            PrintStream out,
            PrintStream err) {
        super(environment, out, err);
        this.families = families;
        this.assembler = assembler;
    }

    @Override
    public Integer call() throws ApiRefusedException, IOException, InterruptedException {
        double least = CapturePlan.leastShare(leastShare);
        Path named = folder.toAbsolutePath().normalize().getFileName();
        String name = named == null ? "" : named.toString();
        if (!PACKAGE.matcher(name).matches()) {
            throw CommandFailedException.usage(
                    "--to: the name of the folder must be that of a Python package, got '" + name + "'");
        }
        Optional<GpuConstants> model = simulated();
        CaptureFile file = CaptureReader.read("RECORDING", recording);
        CapturePlan plan = CapturePlan.byShare(file, least, model);
        if (model.isPresent()) {
            KernelSource source = new SimulatedKernels(
                    families.spaces().of(model.get().architecture()).orElseThrow(), model.get());
            return write(file, plan, source);
        }
        try (Connection connection = connect()) {
            return write(file, plan, new MeasuredKernels(connection, testbed));
        }
    }

    private Optional<GpuConstants> simulated() {
        if (device == null) {
            return Optional.empty();
        }
        if (testbed != null) {
            throw CommandFailedException.usage("--testbed: is for kernels that were measured, got --device " + device);
        }
        if (!device.startsWith(SIMULATED)) {
            throw CommandFailedException.usage("--device: is simulated:GPU, the model's choice; without it the kernels"
                    + " are those that were measured, got '" + device + "'");
        }
        return Optional.of(Syntax.read("--device", device.substring(SIMULATED.length()), SimulatedGpus::named));
    }

    private int write(CaptureFile file, CapturePlan recorded, KernelSource source)
            throws ApiRefusedException, IOException, InterruptedException {
        PackPlan plan = PackPlan.of(recorded, source);
        out.println(recorded.basis());
        List<PackReport.Line> lines = PackReport.lines(plan);
        out.show(table(lines));
        if (plan.products().isEmpty()) {
            throw new CommandFailedException(
                    ExitCode.NEGATIVE,
                    "nothing of the recording can be replaced: "
                            + plan.left().stream()
                                    .findFirst()
                                    .map(left -> left.line().text() + ": " + left.why())
                                    .orElse("it has no GEMM"));
        }
        List<String> notices = new ArrayList<>();
        String hash =
                new PackFolder(families, new Assembly(assembler)).write(folder, plan, source.device(), file, notices);
        notices.forEach(err::println);
        PackReport report = PackReport.of(recorded, plan, lines, source.device(), file);
        report.write(folder);
        out.println(report.served());
        out.println("written: " + folder + ": pack " + hash + "; " + folder.resolve(PackReport.PAGE) + " shows it");
        return ExitCode.OK.code();
    }

    private static TextTable table(List<PackReport.Line> lines) {
        TextTable table = new TextTable(List.of("share", "problem", "us", "PyTorch us", "kernel"), "rlrrl");
        lines.forEach(line -> table.add(List.of(
                CaptureSummary.percent(line.share()),
                line.problem(),
                PackReport.us(line.us()),
                PackReport.us(line.pytorchUs()),
                line.answer())));
        return table;
    }
}
