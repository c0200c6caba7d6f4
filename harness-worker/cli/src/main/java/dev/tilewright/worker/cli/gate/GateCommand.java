package dev.tilewright.worker.cli.gate;

import dev.tilewright.gate.decision.GateExit;
import dev.tilewright.gate.decision.GateExit.FailOn;
import dev.tilewright.gate.decision.RunDecision;
import dev.tilewright.gate.document.CaseResult;
import dev.tilewright.gate.document.GateRequest;
import dev.tilewright.gate.document.GateRun;
import dev.tilewright.gemm.family.GemmFamilies;
import dev.tilewright.model.exchange.DeviceNames;
import dev.tilewright.model.exchange.DeviceSelector;
import dev.tilewright.simulator.GpuConstants;
import dev.tilewright.simulator.SimulatedGpus;
import dev.tilewright.space.family.FamilySpace;
import dev.tilewright.worker.cli.Connection;
import dev.tilewright.worker.cli.ServiceVerb;
import dev.tilewright.worker.cli.Terminal;
import dev.tilewright.worker.cli.Waiting;
import dev.tilewright.worker.cli.gate.file.GateFile;
import dev.tilewright.worker.cli.gate.file.GateFileReader;
import dev.tilewright.worker.cli.gate.report.GateTable;
import dev.tilewright.worker.link.client.ApiRefusedException;
import dev.tilewright.worker.link.command.CommandFailedException;
import dev.tilewright.worker.link.command.ExitCode;
import dev.tilewright.worker.link.command.Syntax;
import dev.tilewright.worker.link.probe.DeviceProbe;
import dev.tilewright.worker.link.probe.LocalDevice;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code gate}: whether the kernels of this checkout are slower than they may be. */
@Command(
        name = "gate",
        description =
                "Compare the kernels and programs of tilewright.yaml with their baselines on one GPU. Fail if one is"
                        + " wrong, or slower than its margin allows.",
        footer = {
            "",
            "Exit code: 0 passed, 1 one is wrong or too slow, 2 wrong usage, 3 inconclusive, 4 no GPU or no service.",
            "Reports: json, markdown, junit, sarif, github (a check run), gitlab (code quality).",
            "With retuneSeconds in the file, what failed is tuned again behind the verdict, which stays."
        })
public final class GateCommand extends ServiceVerb {

    /** Variables in which CI systems name the branch under test; the source of a merge request comes first. */
    private static final List<String> BRANCH_VARIABLES =
            List.of("GITHUB_HEAD_REF", "CI_MERGE_REQUEST_SOURCE_BRANCH_NAME", "CI_COMMIT_BRANCH", "GITHUB_REF_NAME");

    @Option(
            names = "--file",
            paramLabel = "FILE",
            description = "File with the gate (default: ${DEFAULT-VALUE}); gate init writes one.")
    private Path file = Path.of(GateFile.NAME);

    @Option(
            names = "--fail-on",
            paramLabel = "VERDICT",
            description = "The mildest verdict that ends with exit code 1: regression, warn or inconclusive (default:"
                    + " ${DEFAULT-VALUE}).")
    private String failOn = FailOn.REGRESSION.toString();

    @Option(names = "--report", paramLabel = "FORMAT=FILE", description = "Write the run to this file; repeatable.")
    private List<String> reports = new ArrayList<>();

    @Option(
            names = "--device",
            paramLabel = "DEVICE",
            completionCandidates = DeviceNames.class,
            description = "auto, cuda:N or simulated:GPU, in place of what the file says.")
    private @Nullable String device;

    @Option(
            names = "--branch",
            paramLabel = "NAME",
            description = "The branch that the run is of (default: what the CI system says, else what is checked out).")
    private @Nullable String branch;

    @Option(
            names = "--dry-run",
            description = "Read the file, build, find the baselines and prove the kernels on an emulated GPU; ask no"
                    + " service and measure nothing. Exit code 3 if all of it is as it should be.")
    private boolean dryRun;

    @Option(names = "--seed", paramLabel = "N", description = "Seed of orders and data (default: drawn).")
    private @Nullable Long seed;

    private final DeviceProbe probe;

    /**
     * @param out the verdict
     * @param err progress and notices
     */
    public GateCommand(Map<String, String> environment, DeviceProbe probe, PrintStream out, PrintStream err) {
        super(environment, out, err);
        this.probe = probe;
    }

    @Override
    public Integer call() throws InterruptedException, IOException {
        List<ReportOption> wanted = ReportOption.parse(reports);
        if (dryRun && !wanted.isEmpty()) {
            throw CommandFailedException.usage("--report: a dry run has no run that could be reported");
        }
        try {
            return dryRun ? rehearsed() : gated(GateOptions.failOn(failOn), wanted);
        } catch (CommandFailedException failed) {
            ReportOption.noRun(wanted, failed);
            throw failed;
        }
    }

    private int gated(FailOn mildest, List<ReportOption> wanted) throws InterruptedException, IOException {
        GateFile gate = GateFileReader.read(file);
        DeviceSelector selector = selector(gate);
        try (ProgramCases programs = new ProgramCases(gate, file, selector, environment, err)) {
            return gate.cases().isEmpty()
                    ? gatedPrograms(gate, programs, mildest, wanted)
                    : gated(gate, selector, programs, mildest, wanted);
        }
    }

    private DeviceSelector selector(GateFile gate) {
        return Syntax.read("--device", device == null ? gate.device() : device, DeviceSelector::parse);
    }

    /** Of programs alone: no service has a part in it. */
    private int gatedPrograms(GateFile gate, ProgramCases programs, FailOn mildest, List<ReportOption> wanted)
            throws InterruptedException, IOException {
        GateRun run = programs.run(new GateSubmission(gate, file, branch(), err).origin());
        write(run, wanted, mildest);
        out.show(new GateTable(run, mildest));
        return GateExit.of(run, mildest).code();
    }

    private int gated(
            GateFile gate, DeviceSelector selector, ProgramCases programs, FailOn mildest, List<ReportOption> wanted)
            throws InterruptedException, IOException {
        String offered = service.isRemote() ? selector.toString() : LocalDevice.offered(selector, probe, err);
        try (Connection connection = connect(offered)) {
            GateRequest request = new GateSubmission(gate, file, branch(), err)
                    .request(new ServiceStore(connection), asked(selector, offered), seed);
            // Before the kernels: cases that are tuned again behind the run would disturb the programs.
            List<CaseResult> ofPrograms = programs.results();
            UUID key = UUID.randomUUID();
            GateRun queued = connection.send(
                    api -> api.post("/api/v1/gates/" + gate.gate() + "/runs", request, key, GateRun.class));
            Waiting waiting = new Waiting("gate", offered, service.localLog(environment), err);
            GateFollow follow = new GateFollow(connection, waiting, err, Terminal.of(environment), Clock.systemUTC());
            GateRun ofKernels = follow.toItsEnd(queued.id());
            GateRun run = RunDecision.withPrograms(ofKernels, ofPrograms);
            write(run, wanted, mildest);
            out.show(new GateTable(run, mildest));
            if (run.isRetuning()) {
                GateRun tuned = RunDecision.withPrograms(follow.untilTuned(ofKernels), ofPrograms);
                write(tuned, wanted, mildest);
                new GateTable(tuned, mildest).retunes().forEach(out::println);
            }
            return GateExit.of(run, mildest).code();
        } catch (ApiRefusedException refused) {
            throw GateOptions.refused(refused, gate);
        }
    }

    private int rehearsed() throws InterruptedException {
        GateFile gate = GateFileReader.read(file);
        DeviceSelector selector = selector(gate);
        try (ProgramCases programs = new ProgramCases(gate, file, selector, environment, err)) {
            programs.lines().forEach(out::println);
        }
        if (gate.cases().isEmpty()) {
            return ExitCode.INCONCLUSIVE.code();
        }
        GemmFamilies families = GemmFamilies.standard();
        FamilySpace usual = Optional.ofNullable(LocalDevice.family(selector, probe))
                .map(name -> families.named(name).space())
                .or(() -> selector.architecture().flatMap(families.spaces()::of))
                .orElse(families.spaces().usual());
        DryStore store = new DryStore();
        try {
            GateRequest request =
                    new GateSubmission(gate, file, branch(), err).request(store, asked(selector, "auto"), seed);
            DryProofs proofs =
                    new DryProofs(families, usual, gpuOf(usual).topology().smCount(), store);
            return new DryRun(gate, request, proofs, out).run().code();
        } catch (ApiRefusedException impossible) {
            throw new IllegalStateException("a dry run asks nobody", impossible);
        }
    }

    /** A GPU that runs the kernels of a family: its SMs decide their grids. */
    private static GpuConstants gpuOf(FamilySpace family) {
        return SimulatedGpus.all().stream()
                .filter(gpu -> family.architecture().stream().allMatch(gpu.architecture()::equals))
                .findFirst()
                .orElse(SimulatedGpus.H200);
    }

    private static void write(GateRun run, List<ReportOption> wanted, FailOn mildest) throws IOException {
        for (ReportOption report : wanted) {
            report.write(run, mildest);
        }
    }

    /** A machine without a driver has a model alone: the run is for that, and says so. */
    private static @Nullable String asked(DeviceSelector selector, String offered) {
        return selector instanceof DeviceSelector.Auto
                ? offered.equals(selector.toString()) ? null : offered
                : selector.toString();
    }

    private Optional<String> branch() {
        return Stream.concat(
                        Stream.ofNullable(branch),
                        BRANCH_VARIABLES.stream().flatMap(name -> Stream.ofNullable(environment.get(name))))
                .filter(name -> !name.isBlank())
                .findFirst();
    }
}
