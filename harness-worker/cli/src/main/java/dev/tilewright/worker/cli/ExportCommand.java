package dev.tilewright.worker.cli;

import dev.tilewright.gemm.family.GemmFamilies;
import dev.tilewright.launch.program.DispatchTable;
import dev.tilewright.launch.program.KernelProgram;
import dev.tilewright.launch.program.RangeProgram;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.text.Count;
import dev.tilewright.proof.export.KernelExport;
import dev.tilewright.simulator.GpuConstants;
import dev.tilewright.simulator.Predictions;
import dev.tilewright.simulator.SimulatedGpus;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.space.families.ConfigText;
import dev.tilewright.space.families.Families;
import dev.tilewright.space.family.AskedSpace;
import dev.tilewright.space.family.FamilySpace;
import dev.tilewright.worker.cli.export.ExportFolder;
import dev.tilewright.worker.cli.export.ExportFormats;
import dev.tilewright.worker.cli.export.TextAssembler;
import dev.tilewright.worker.link.client.ApiRefusedException;
import dev.tilewright.worker.link.command.CommandFailedException;
import dev.tilewright.worker.link.command.ExitCode;
import dev.tilewright.worker.link.command.Syntax;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code export}: writes kernels out for C and PyTorch. */
@Command(
        name = "export",
        description = "Write a kernel out: PTX, cubin, launch description, a C library, a PyTorch operator, and"
                + " self-tests. What is written needs the CUDA driver and nothing of Tilewright.")
public final class ExportCommand extends ServiceVerb {

    private static final String TABLE = "gemm";

    @Mixin
    private ProblemOptions problems = new ProblemOptions();

    @Option(
            names = "--best",
            description =
                    "Export the best known config of each problem, measured on a real GPU (default). A shape without"
                            + " one gets that of the nearest shape, and a notice says so.")
    private boolean best;

    @Option(names = "--trial", paramLabel = "ID", description = "Export the kernel of this trial, as it was tried.")
    private @Nullable UUID trial;

    @Option(
            names = "--testbed",
            paramLabel = "TEXT",
            description = "Of the best configs only those of devices whose name has this text in it.")
    private @Nullable String testbed;

    @Option(
            names = "--config",
            paramLabel = ConfigText.LABEL,
            description = "Export this config, in the words of boards or as NAME=V, what is missing with its default;"
                    + " needs no service.")
    private @Nullable String config;

    @Option(
            names = "--simulated",
            description = "Export the choice of the model of a GPU, which nobody measured; needs no service. Every file"
                    + " says so.")
    private boolean simulated;

    @Mixin
    private TableSizeOption size = new TableSizeOption();

    @Option(
            names = "--family",
            paramLabel = "NAME",
            completionCandidates = KnownNames.OfFamilies.class,
            description = "Kernel family of --config, --simulated or --best: ${COMPLETION-CANDIDATES} (default: the one"
                    + " that the GPU runs, or any).")
    private @Nullable String family;

    @Option(
            names = "--gpu",
            paramLabel = "NAME",
            description = "GPU whose SMs the grid of --config fills, or whose model --simulated asks: h200, h100, b200,"
                    + " gb200 (default: h200).")
    private @Nullable String gpu;

    @Option(names = "--to", paramLabel = "DIR", required = true, description = "Folder to write to; it may be new.")
    private Path directory = Path.of(".");

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description = "Name of the files, the functions and the operator (default: after the problem); of several"
                    + " problems what their table is called (default: gemm).")
    private @Nullable String name;

    @Option(
            names = "--format",
            paramLabel = "NAME",
            split = ",",
            splitSynopsisLabel = ",",
            description = "What to write beside the kernel: programs in c and torch (default: both), or nothing but the"
                    + " bundle of kernel.yaml and PTX; the trials that it"
                    + " was chosen from as t4, csv, json. Of an algorithm of the vendor's library: c (default).")
    private List<String> formats = new ArrayList<>();

    private final GemmFamilies families;
    private final TextAssembler assembler;

    /**
     * @param out what was written
     * @param err notices
     */
    public ExportCommand(
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
        requireOneSource();
        ExportFormats chosen =
                formats.isEmpty() ? ExportFormats.usual() : Syntax.read("--format", "", _ -> ExportFormats.of(formats));
        if ((config != null || simulated) && !chosen.records().isEmpty()) {
            throw CommandFailedException.usage("--format: " + (simulated ? "a model" : "a config")
                    + " has no trials to write as " + chosen.records());
        }
        ProblemOptions.Asked asked = trial != null && !problems.given().containsValue(true)
                ? new ProblemOptions.Asked(List.of(), List.of())
                : problems.asked(trial == null ? ", or a trial with --trial ID" : "", Optional.empty());
        int count = asked.singles().size() + asked.ranges().size();
        if (trial != null && count > 1) {
            throw CommandFailedException.usage("--trial: is of one problem, got " + count + " problems");
        }
        if (trial != null && !asked.ranges().isEmpty()) {
            throw CommandFailedException.usage("--trial: is of one number of rows, not of a range of M");
        }
        if (name != null) {
            Syntax.read("--name", name, KernelProgram::requireName);
            if (asked.singles().size() == 1 && asked.ranges().size() == 1) {
                throw CommandFailedException.usage(
                        "--name: names one problem, or the table of several shapes or ranges, got one of each");
            }
        }
        ExportFolder folder = new ExportFolder(assembler, chosen);
        List<ExportFolder.OfRange> ranges = ranges(asked.ranges());
        if (ranges.isEmpty() || !asked.singles().isEmpty()) {
            write(folder, kernels(asked.singles(), !chosen.records().isEmpty()), count);
        }
        List<RangeProgram> programs = new ArrayList<>();
        for (ExportFolder.OfRange range : ranges) {
            programs.add(write(folder, range, count));
        }
        if (programs.size() > 1) {
            // A table of shapes beside it has the name already.
            String called = (name == null ? TABLE : name) + (asked.singles().size() > 1 ? "_ranges" : "");
            out.println(folder.weights(directory, called, programs)
                    .map(reason -> "no table: " + reason)
                    .orElse("written: " + directory + ": " + called + ", the table of "
                            + Count.of(programs.size(), "range")));
        }
        return ExitCode.OK.code();
    }

    private void requireOneSource() {
        Map<String, Boolean> sources = new LinkedHashMap<>();
        sources.put("--best", best);
        sources.put("--trial", trial != null);
        sources.put("--config", config != null);
        sources.put("--simulated", simulated);
        List<String> given = sources.entrySet().stream()
                .filter(Map.Entry::getValue)
                .map(Map.Entry::getKey)
                .toList();
        if (given.size() > 1) {
            throw CommandFailedException.usage(given.getFirst() + ": says what to export, and so does " + given.get(1));
        }
        if (gpu != null && config == null && !simulated) {
            throw CommandFailedException.usage("--gpu: is for --config and --simulated; a trial has its GPU");
        }
        if (trial != null && family != null) {
            throw CommandFailedException.usage("--family: a trial has its own");
        }
        if (testbed != null && (trial != null || config != null || simulated)) {
            throw CommandFailedException.usage("--testbed: is for --best");
        }
        if (size.given() != null && !simulated) {
            throw CommandFailedException.usage("--kernels: is for --simulated; a measured table has its kernels");
        }
    }

    private RangeProgram write(ExportFolder folder, ExportFolder.OfRange range, int count) throws IOException {
        String called = count == 1 && name != null
                ? name
                : ExportFolder.name(range.export().problem());
        Path own = count == 1 ? directory : directory.resolve(called);
        List<String> notices = new ArrayList<>();
        RangeProgram program = folder.write(own, called, range, notices);
        out.println("written: " + own + ": " + range.export().title() + ", "
                + Count.of(range.export().kernels().size(), "kernel"));
        notices.forEach(notice -> out.println("  " + notice));
        return program;
    }

    /** @param count of all problems that were asked for: one alone has no folder of its own */
    private void write(ExportFolder folder, List<ExportFolder.Kernel> kernels, int count) throws IOException {
        boolean one = count == 1 || kernels.size() == 1 && trial != null;
        List<DispatchTable.Row> rows = new ArrayList<>();
        for (ExportFolder.Kernel kernel : kernels) {
            String called = one && name != null ? name : ExportFolder.name(kernel.problem());
            Path own = one ? directory : directory.resolve(called);
            ExportFolder.Written written = folder.write(own, called, kernel);
            out.println("written: " + own + ": " + written.title());
            kernel.notes().forEach(note -> out.println("  " + note));
            written.notices().forEach(notice -> out.println("  " + notice));
            written.program()
                    .ifPresent(program -> rows.add(new DispatchTable.Row(program, String.join("; ", kernel.notes()))));
        }
        if (kernels.size() < 2) {
            return;
        }
        if (rows.size() < kernels.size()) {
            out.println("no table: the kernels of a library are in none");
        } else if (!folder.formats().languages().isEmpty()) {
            String called = name == null ? TABLE : name;
            out.println(folder.table(directory, called, rows)
                    .map(reason -> "no table: " + reason)
                    .orElse("written: " + directory + ": " + called + ", the table of "
                            + Count.of(rows.size(), "shape")));
        }
    }

    private List<ExportFolder.Kernel> kernels(List<ProblemOptions.Named> asked, boolean records)
            throws ApiRefusedException, InterruptedException {
        if (config != null || simulated) {
            return asked.stream().map(this::built).toList();
        }
        try (Connection connection = connect()) {
            StoredKernels stored = new StoredKernels(connection, families, records);
            if (trial != null) {
                return List.of(stored.of(
                        trial, asked.stream().map(ProblemOptions.Named::problem).findFirst()));
            }
            BestKernels known = new BestKernels(stored, families, testbed, family);
            List<ExportFolder.Kernel> kernels = new ArrayList<>();
            for (ProblemOptions.Named each : asked) {
                kernels.add(known.of(each));
            }
            return kernels;
        }
    }

    private List<ExportFolder.OfRange> ranges(List<ProblemOptions.NamedRange> asked)
            throws ApiRefusedException, InterruptedException {
        size.require(!asked.isEmpty());
        RangeSources sources = new RangeSources(families);
        List<ExportFolder.OfRange> ranges = new ArrayList<>();
        for (ProblemOptions.NamedRange each : asked) {
            int most = each.problem().range().most();
            if (most > RangeProgram.MOST_ROWS) {
                throw CommandFailedException.usage(
                        each.option() + ": a range is exported up to M = " + RangeProgram.MOST_ROWS + ", got " + most);
            }
        }
        if (asked.isEmpty()) {
            return ranges;
        }
        if (config == null && !simulated) {
            try (Connection connection = connect()) {
                for (ProblemOptions.NamedRange each : asked) {
                    ranges.add(sources.measured(each, connection, testbed, family));
                }
            }
            return ranges;
        }
        for (ProblemOptions.NamedRange each : asked) {
            FamilySpace space = space(each.option(), each.problem().least());
            ranges.add(
                    simulated
                            ? sources.simulated(each, space, constants(), size.most())
                            : sources.given(
                                    each,
                                    space,
                                    read(space, each.problem().most()),
                                    constants().topology().smCount()));
        }
        return ranges;
    }

    /** The library that measured an algorithm is told by its trial. */
    private static FamilySpace textual(String name) {
        FamilySpace named = Families.standard().named(name);
        if (named.isInstalled()) {
            throw new IllegalArgumentException(FamilySpace.noText(name)
                    + ": its program holds for the version of the library that measured it; give --best or --trial");
        }
        return named;
    }

    private GpuConstants constants() {
        return gpu == null ? SimulatedGpus.H200 : Syntax.read("--gpu", gpu, SimulatedGpus::named);
    }

    /** The family of the command line, which computes the problem. */
    private FamilySpace space(String option, Problem problem) {
        String named = config == null ? family : ConfigOption.family(config, family);
        FamilySpace space = named == null
                ? families.spaces().of(constants().architecture()).orElseThrow()
                : Syntax.read("--family", named, ExportCommand::textual);
        space.refusal(problem).ifPresent(reason -> {
            throw CommandFailedException.usage(option + ": " + reason);
        });
        return space;
    }

    /** The config of the command line. */
    private Config read(FamilySpace space, Problem problem) {
        AskedSpace asked = AskedSpace.of(
                space, problem, DeviceLimits.of(constants().topology().smCount()));
        Config chosen = ConfigOption.read(asked, String.valueOf(config));
        asked.violation(chosen).ifPresent(violation -> {
            throw CommandFailedException.usage("--config: " + violation);
        });
        return chosen;
    }

    /** The kernel of the config of the command line, or of the model's choice. */
    private ExportFolder.Kernel built(ProblemOptions.Named named) {
        GpuConstants constants = constants();
        Problem problem = named.problem();
        FamilySpace space = space(named.option(), problem);
        Config chosen;
        String note;
        if (simulated) {
            Predictions predicted =
                    Syntax.read(named.option(), "", _ -> Predictions.of(space, problem, constants, Map.of(), 1));
            chosen = predicted.configs().getFirst().config();
            note = "simulated " + predicted.device() + " (" + predicted.version()
                    + "): the choice of a model, never measured";
        } else {
            chosen = read(space, problem);
            note = "the config was given: nothing is known of its speed";
        }
        DeviceLimits limits = DeviceLimits.of(constants.topology().smCount());
        KernelExport export = Syntax.read(
                "--config", "", _ -> KernelExport.of(families.named(space.family()), problem, chosen, limits));
        return new ExportFolder.Text(
                simulated ? export.entitled(space.family() + " " + chosen.canonical() + ", " + note) : export,
                List.of(note),
                Optional.empty(),
                Optional.empty());
    }
}
