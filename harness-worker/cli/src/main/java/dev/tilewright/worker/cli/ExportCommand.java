package dev.tilewright.worker.cli;

import dev.tilewright.gemm.family.GemmFamilies;
import dev.tilewright.launch.program.KernelProgram;
import dev.tilewright.launch.program.ProgramFiles;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import dev.tilewright.proof.export.KernelExport;
import dev.tilewright.simulator.GpuConstants;
import dev.tilewright.simulator.SimulatedGpus;
import dev.tilewright.space.family.DeviceLimits;
import dev.tilewright.space.family.FamilySpace;
import dev.tilewright.worker.cli.export.ExportFolder;
import dev.tilewright.worker.cli.export.TextAssembler;
import dev.tilewright.worker.link.command.CommandFailedException;
import dev.tilewright.worker.link.command.ExitCode;
import dev.tilewright.worker.link.command.Syntax;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code export}: writes kernels out for C and PyTorch. */
@Command(
        name = "export",
        description = "Write a kernel out: PTX, cubin, launch description, a C library, a PyTorch operator, and"
                + " self-tests. What is written needs the CUDA driver and nothing of Tilewright.")
public final class ExportCommand implements Callable<Integer> {

    @Mixin
    private ProblemOptions problems = new ProblemOptions();

    @Option(
            names = "--config",
            paramLabel = "'NAME=V NAME=V...'",
            description = "Export this config, with a value for each parameter; needs no service.")
    private @Nullable String config;

    @Option(
            names = "--family",
            paramLabel = "NAME",
            completionCandidates = KnownNames.OfFamilies.class,
            description = "Kernel family of --config: ${COMPLETION-CANDIDATES} (default: the one that the GPU runs).")
    private @Nullable String family;

    @Option(
            names = "--gpu",
            paramLabel = "NAME",
            description = "GPU whose SMs the grid of --config fills: h200, h100, b200, gb200 (default: h200).")
    private String gpu = SimulatedGpus.H200.name();

    @Option(names = "--to", paramLabel = "DIR", required = true, description = "Folder to write to; it may be new.")
    private Path directory = Path.of(".");

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description = "What files, functions and the operator are called (default: after the problem).")
    private @Nullable String name;

    @Option(
            names = "--format",
            paramLabel = "NAME",
            split = ",",
            splitSynopsisLabel = ",",
            description = "Programs to write: c, torch (default: both).")
    private List<String> formats = List.of("c", "torch");

    private final GemmFamilies families;
    private final TextAssembler assembler;
    private final PrintStream out;

    /** @param out what was written */
    public ExportCommand(GemmFamilies families, TextAssembler assembler, PrintStream out) {
        this.families = families;
        this.assembler = assembler;
        this.out = out;
    }

    @Override
    public Integer call() throws IOException {
        Set<ProgramFiles.Language> languages = new LinkedHashSet<>();
        formats.forEach(text -> languages.add(Syntax.read("--format", text, ProgramFiles.Language::named)));
        List<ProblemOptions.Named> asked = problems.problems("");
        if (config == null) {
            throw new CommandFailedException(ExitCode.USAGE, "--config: is missing");
        }
        if (name != null && asked.size() > 1) {
            throw new CommandFailedException(
                    ExitCode.USAGE, "--name: names one kernel, got " + asked.size() + " problems");
        }
        if (name != null) {
            Syntax.read("--name", name, KernelProgram::requireName);
        }
        ExportFolder folder = new ExportFolder(assembler, languages);
        for (ProblemOptions.Named each : asked) {
            ExportFolder.Kernel kernel = given(each);
            String called = name == null ? ExportFolder.name(each.problem()) : name;
            Path own = asked.size() == 1 ? directory : directory.resolve(called);
            ExportFolder.Written written = folder.write(own, called, kernel);
            out.println("written: " + own + ": " + written.program().title());
            written.notices().forEach(notice -> out.println("  " + notice));
        }
        return ExitCode.OK.code();
    }

    /** The config of the command line. */
    private ExportFolder.Kernel given(ProblemOptions.Named named) {
        GpuConstants constants = Syntax.read("--gpu", gpu, SimulatedGpus::named);
        FamilySpace space = family == null
                ? families.spaces().of(constants.architecture()).orElseThrow()
                : Syntax.read("--family", family, asked -> families.named(asked).space());
        Problem problem = named.problem();
        space.refusal(problem).ifPresent(reason -> {
            throw new CommandFailedException(ExitCode.USAGE, named.option() + ": " + reason);
        });
        Config chosen = Config.parse(String.valueOf(config));
        DeviceLimits limits = DeviceLimits.of(constants.topology().smCount());
        space.space(problem, limits).violation(chosen).ifPresent(violation -> {
            throw new CommandFailedException(ExitCode.USAGE, "--config: " + violation);
        });
        return new ExportFolder.Kernel(
                Syntax.read(
                        "--config", "", _ -> KernelExport.of(families.named(space.family()), problem, chosen, limits)),
                List.of("the config was given: nothing is known of its speed"),
                Optional.empty());
    }
}
