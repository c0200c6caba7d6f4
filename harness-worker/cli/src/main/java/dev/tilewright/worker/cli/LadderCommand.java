package dev.tilewright.worker.cli;

import dev.tilewright.examples.Ladder;
import dev.tilewright.examples.LadderKernel;
import dev.tilewright.model.exchange.DeviceSelector;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.trial.Architecture;
import dev.tilewright.proof.emulation.ProofPlan;
import dev.tilewright.worker.cli.board.LadderDocument;
import dev.tilewright.worker.cli.board.LadderTable;
import dev.tilewright.worker.cli.board.TextTable;
import dev.tilewright.worker.link.command.CommandFailedException;
import dev.tilewright.worker.link.command.ExitCode;
import dev.tilewright.worker.link.command.Syntax;
import dev.tilewright.worker.link.json.Json;
import dev.tilewright.worker.link.probe.DeviceProbe;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ladder}: the steps from the simplest kernel on; prints, proves or times them. */
@Command(
        name = "ladder",
        description = "List the kernels that teach a GEMM step by step, or print, prove or time them.",
        footer = {
            "",
            "The change of a step: diff <(tilewright ladder sm90/v2 --ptx) <(tilewright ladder sm90/v3 --ptx)",
            "Exit code: 0 done, 1 a step is wrong or did not complete, 2 wrong usage, 3 a proof is shallow,",
            "4 no GPU for --time."
        })
public final class LadderCommand implements Callable<Integer> {

    private static final ProblemShape TIMED = new ProblemShape(8192, 8192, 8192);

    /** Names of the steps, for completion. */
    static final class Names extends CompletionNames {
        Names() {
            super(() -> Ladder.names().stream());
        }
    }

    @Parameters(
            arity = "0..1",
            paramLabel = "STEP",
            completionCandidates = Names.class,
            description = "One step, or all of an architecture: ${COMPLETION-CANDIDATES} (default: all; with --time"
                    + " those of the GPU).")
    private @Nullable String step;

    @Option(names = "--ptx", description = "Print the PTX of the step.")
    private boolean ptx;

    @Option(
            names = "--check",
            description = "Prove the steps on the emulator, against a reference and with every rule on.")
    private boolean check;

    @Option(
            names = "--time",
            description = "Time the steps beside each other on a GPU, each in every turn, as finals are timed.")
    private boolean time;

    @Option(
            names = "--shape",
            paramLabel = "MxNxK",
            description = "Problem of --check (default: a small one of each step's own) or --time (default:"
                    + " 8192x8192x8192), in bf16.")
    private @Nullable String shape;

    @Option(
            names = "--device",
            paramLabel = "DEVICE",
            completionCandidates = KnownNames.OfGpus.class,
            description = "GPU of --time: auto or cuda:N (default: auto, the first one).")
    private @Nullable String device;

    @Option(names = "--seed", paramLabel = "N", description = "Seed of --check and --time (default: ${DEFAULT-VALUE}).")
    private long seed = 1;

    @Option(
            names = "--seeds",
            paramLabel = "N",
            description = "Runs of each step by --check, each by a seed of its own (default: " + ProofPlan.DEFAULT_SEEDS
                    + ").")
    private @Nullable Integer seeds;

    @Option(names = "--json", paramLabel = "FILE", description = "Write what --check or --time found to this file.")
    private @Nullable Path jsonFile;

    @Option(names = "--markdown", paramLabel = "FILE", description = "Write the table of --time to this file.")
    private @Nullable Path markdownFile;

    private final DeviceProbe probe;
    private final KernelTimer timer;
    private final Printer out;

    /** @param out the steps, the text of a kernel, verdicts or times */
    public LadderCommand(DeviceProbe probe, KernelTimer timer, Printer out) {
        this.probe = probe;
        this.timer = timer;
        this.out = out;
    }

    @Override
    public Integer call() throws IOException {
        requireFitting();
        Syntax.requireWritable("--json", jsonFile);
        Syntax.requireWritable("--markdown", markdownFile);
        Optional<List<LadderKernel>> named =
                Optional.ofNullable(step).map(name -> Syntax.read("STEP", name, Ladder::named));
        if (time) {
            return time(named).code();
        }
        List<LadderKernel> kernels = named.orElseGet(Ladder::all);
        if (check) {
            return new LadderProofs(out).run(kernels, given(), plan(), jsonFile).code();
        }
        if (ptx) {
            print(kernels);
        } else {
            list(kernels);
        }
        return ExitCode.OK.code();
    }

    /** Options that are of no use beside the others are refused. */
    private void requireFitting() {
        List<String> uses = given(Map.of("--ptx", ptx, "--check", check, "--time", time));
        if (uses.size() > 1) {
            throw CommandFailedException.usage(String.join(", ", uses) + ": one at a time, got " + uses.size());
        }
        Map<String, Boolean> ofTime = new LinkedHashMap<>();
        ofTime.put("--device", device != null);
        ofTime.put("--markdown", markdownFile != null);
        refuse(ofTime, time, "--time");
        refuse(Map.of("--seeds", seeds != null), check, "--check");
        Map<String, Boolean> ofBoth = new LinkedHashMap<>();
        ofBoth.put("--shape", shape != null);
        ofBoth.put("--json", jsonFile != null);
        refuse(ofBoth, check || time, "--check or --time");
    }

    private static void refuse(Map<String, Boolean> options, boolean allowed, String with) {
        if (!allowed) {
            given(options).stream().findFirst().ifPresent(option -> {
                throw CommandFailedException.usage(option + ": is for " + with);
            });
        }
    }

    private static List<String> given(Map<String, Boolean> options) {
        return options.entrySet().stream()
                .filter(Map.Entry::getValue)
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }

    private Optional<ProblemShape> given() {
        return Optional.ofNullable(shape).map(text -> Syntax.read("--shape", text, ProblemShape::parse));
    }

    private ProofPlan plan() {
        Syntax.requirePositive("--seeds", seeds);
        int runs = seeds == null ? ProofPlan.DEFAULT_SEEDS : seeds;
        return Syntax.read("--seed", Long.toString(seed), _ -> new ProofPlan(LadderKernel.PROOF_SMS, seed, runs));
    }

    private void list(List<LadderKernel> kernels) {
        TextTable table = new TextTable(List.of("step", "file", "adds"), "lll");
        kernels.forEach(kernel -> table.add(
                List.of(kernel.name(), kernel.source(), kernel.step().facts().adds())));
        out.show(table);
    }

    private void print(List<LadderKernel> kernels) {
        if (kernels.size() > 1) {
            throw CommandFailedException.usage("--ptx: prints one step, got " + kernels.size() + "; name one, such as "
                    + kernels.getFirst().name());
        }
        out.verbatim(kernels.getFirst().text());
    }

    private ExitCode time(Optional<List<LadderKernel>> named) throws IOException {
        Problem problem = LadderKernel.problem(given().orElse(TIMED));
        DeviceProbe.Gpu gpu = gpu();
        List<LadderKernel> kernels = onGpu(named, gpu);
        kernels.forEach(kernel ->
                Syntax.read("--shape", problem.shapes(), _ -> kernel.launch(problem.shape(), KnownNames.USUAL_SMS)));
        List<KernelTimer.Subject> subjects = kernels.stream()
                .map(kernel -> new KernelTimer.Subject(
                        kernel.name(),
                        "ladder",
                        kernel.text(),
                        kernel.target().ptx(),
                        sms -> kernel.launch(problem.shape(), sms)))
                .toList();
        KernelTimer.Timed timed = timer.time(new DeviceSelector.Cuda(gpu.ordinal()), problem, subjects, seed);
        if (timed.result().arms().isEmpty()) {
            throw CommandFailedException.infrastructure("cuda:" + gpu.ordinal() + ": no step was timed: "
                    + timed.result().log());
        }
        Map<String, String> adds = kernels.stream()
                .collect(Collectors.toMap(
                        LadderKernel::name, kernel -> kernel.step().facts().adds()));
        LadderDocument document = LadderDocument.of(
                System.getProperty("tilewright.commit", ""), timed.testbed(), problem, seed, adds, timed.result());
        String ladder = step == null ? kernels.getFirst().architecture().toString() : step;
        return written(ladder, new LadderTable(document, problem));
    }

    private ExitCode written(String ladder, LadderTable table) throws IOException {
        out.show(table);
        if (jsonFile != null) {
            Json.writeAtomically(jsonFile, Json.pretty().writeValueAsBytes(table.document()));
        }
        if (markdownFile != null) {
            String text = String.join("\n", table.markdown(ladder)) + "\n";
            Json.writeAtomically(markdownFile, text.getBytes(StandardCharsets.UTF_8));
        }
        return table.document().steps().stream().allMatch(LadderDocument.StepTime::isCompleted)
                ? ExitCode.OK
                : ExitCode.NEGATIVE;
    }

    private DeviceProbe.Gpu gpu() {
        DeviceSelector selector = Syntax.read("--device", device == null ? "auto" : device, DeviceSelector::parse);
        int ordinal = switch (selector) {
            case DeviceSelector.Auto _ -> 0;
            case DeviceSelector.Cuda(int number) -> number;
            case DeviceSelector.AllCuda _, DeviceSelector.OnCpu _ ->
                throw CommandFailedException.usage(
                        "--device: steps are timed on one GPU, so it is auto or cuda:N, got '" + device + "'");
        };
        return switch (probe.probe()) {
            case DeviceProbe.NoDriver _ ->
                throw CommandFailedException.infrastructure(
                        "--time: there is no NVIDIA driver on this machine; --check needs no GPU");
            case DeviceProbe.Failing(String reason) ->
                throw CommandFailedException.infrastructure("--time: an NVIDIA driver is there but fails: " + reason);
            case DeviceProbe.Found(List<DeviceProbe.Gpu> gpus) ->
                gpus.stream()
                        .filter(each -> each.ordinal() == ordinal)
                        .findFirst()
                        .orElseThrow(() -> CommandFailedException.usage(
                                "--device cuda:" + ordinal + ": the driver shows " + gpus.size() + " GPU(s): " + gpus));
        };
    }

    /** A kernel of one architecture does not run on another. */
    private static List<LadderKernel> onGpu(Optional<List<LadderKernel>> named, DeviceProbe.Gpu gpu) {
        Architecture architecture = Architecture.ofDevice(gpu.name())
                .orElseThrow(() -> CommandFailedException.infrastructure("--time: the ladder has no steps for cuda:"
                        + gpu.ordinal() + ", " + gpu.name() + "; it has steps for sm90 and sm100"));
        List<LadderKernel> kernels = named.orElseGet(() -> Ladder.of(architecture));
        kernels.stream()
                .filter(kernel -> kernel.architecture() != architecture)
                .findFirst()
                .ifPresent(kernel -> {
                    throw CommandFailedException.infrastructure("--time: " + kernel.name() + " does not run on cuda:"
                            + gpu.ordinal() + ", " + gpu.name() + ", which is " + architecture);
                });
        return kernels;
    }
}
