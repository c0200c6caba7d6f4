package dev.tilewright.worker.cli;

import dev.tilewright.model.exchange.DeviceNames;
import dev.tilewright.model.exchange.DeviceSelector;
import dev.tilewright.model.exchange.JobRequest;
import dev.tilewright.model.exchange.ProblemDocument;
import dev.tilewright.model.exchange.ResultDocument.StudyResult;
import dev.tilewright.model.problem.Scenario;
import dev.tilewright.worker.cli.ProblemOptions.Named;
import dev.tilewright.worker.cli.board.ListedShape;
import dev.tilewright.worker.cli.board.SchedulersBoard;
import dev.tilewright.worker.cli.board.WrappedLine;
import dev.tilewright.worker.link.client.ApiRefusedException;
import dev.tilewright.worker.link.command.CommandFailedException;
import dev.tilewright.worker.link.command.ExitCode;
import dev.tilewright.worker.link.command.Syntax;
import dev.tilewright.worker.link.probe.DeviceProbe;
import dev.tilewright.worker.link.probe.LocalDevice;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code schedulers}: which tile scheduler is the fastest at which number of busy SMs, and why. */
@Command(
        name = "schedulers",
        description =
                "Tune each tile scheduler on its own while others hold some of the SMs, and say which one leads where,"
                        + " and why.")
public final class SchedulersCommand extends ServiceVerb {

    private static final String USUAL = "0-32/4";

    @Mixin
    private ProblemOptions problems = new ProblemOptions();

    @Option(
            names = BusySms.OPTION,
            paramLabel = "N[,N...]",
            description =
                    "Numbers of SMs that others hold, such as 0,8,20 or FROM-TO/STEP (default: ${DEFAULT-VALUE}).")
    private String busySms = USUAL;

    @Option(
            names = "--device",
            paramLabel = "DEVICE",
            completionCandidates = DeviceNames.class,
            description = DeviceSelector.FORMS + " with N SMs (default: ${DEFAULT-VALUE}).")
    private String device = "auto";

    @Option(
            names = "--family",
            paramLabel = "NAME",
            completionCandidates = KnownNames.OfFamilies.class,
            description = "Kernel family: ${COMPLETION-CANDIDATES} (default: the one that the device runs).")
    private @Nullable String family;

    @Option(
            names = "--scheduler",
            paramLabel = "NAME",
            split = ",",
            splitSynopsisLabel = ",",
            completionCandidates = KnownNames.OfSchedulers.class,
            description = "Tile schedulers to compare: ${COMPLETION-CANDIDATES} (default: all that the family has).")
    private List<String> schedulers = List.of();

    @Option(
            names = "--trials",
            paramLabel = "N",
            description = "Most trials for each number of busy SMs; each scheduler has an equal part (default: 160).")
    private @Nullable Integer trials;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            description = "Most seconds of search for all of it; finals come on top (default: no limit).")
    private @Nullable Integer seconds;

    @Option(names = "--seed", paramLabel = "N", description = "Seed of search and data (default: 1).")
    private @Nullable Long seed;

    @Option(
            names = "--wait",
            description = "Wait for a worker that offers the device, where none does (default: cancel the job and end"
                    + " with 4).")
    private boolean waits;

    @Option(names = "--json", paramLabel = "FILE", description = "Write the result document to this file.")
    private @Nullable Path jsonFile;

    @Option(names = "--name", paramLabel = "NAME", description = "Name of the job.")
    private @Nullable String name;

    private final DeviceProbe probe;

    /**
     * @param out results
     * @param err progress and notices
     */
    public SchedulersCommand(Map<String, String> environment, DeviceProbe probe, PrintStream out, PrintStream err) {
        super(environment, out, err);
        this.probe = probe;
    }

    @Override
    public Integer call() throws InterruptedException, IOException {
        DeviceSelector selector = Syntax.read("--device", device, DeviceSelector::parse);
        if (selector instanceof DeviceSelector.Emulated) {
            throw CommandFailedException.usage("--device: an emulated GPU has no times, got '" + device + "'");
        }
        List<Named> named = problems.problems("");
        if (named.size() != 1) {
            throw CommandFailedException.usage("--shape: schedulers are compared for one problem, got " + named.size());
        }
        List<Scenario> scenarios = BusySms.scenarios(busySms, selector);
        Syntax.requirePositive("--trials", trials);
        Syntax.requirePositive("--seconds", seconds);
        Syntax.requireWritable("--json", jsonFile);
        List<ProblemDocument> wanted = scenarios.stream()
                .map(scenario -> ProblemDocument.inShort(
                        TunedProblems.beside(named.getFirst().problem(), scenario)))
                .toList();
        String offered = service.isRemote() ? selector.toString() : LocalDevice.offered(selector, probe, err);
        try (Connection connection = connect(offered)) {
            return compare(connection, selector, wanted);
        } catch (ApiRefusedException refused) {
            throw Faults.ofJob(
                            Collections.nCopies(wanted.size(), named.getFirst().option()))
                    .failure(refused);
        }
    }

    private int compare(Connection connection, DeviceSelector selector, List<ProblemDocument> wanted)
            throws ApiRefusedException, InterruptedException, IOException {
        JobRequest request = JobRequest.of(wanted)
                .name(name)
                .family(family == null && !service.isRemote() ? LocalDevice.family(selector, probe) : family)
                .schedulers(schedulers)
                .eachScheduler(true)
                .budget(new JobRequest.BudgetRequest(
                        trials, seconds == null ? null : Math.ceilDiv(seconds, wanted.size()), null))
                .seed(seed)
                .device(selector.toString())
                .build();
        SubmittedJob job = new SubmittedJob(service, environment, err, waits, jsonFile);
        SubmittedJob.Result done =
                job.toItsEnd(connection, selector, request, Collections.nCopies(wanted.size(), ListedShape.PLAIN));
        List<StudyResult> studies = done.document().studies();
        int width = Terminal.boardWidth(environment);
        SchedulersBoard board = new SchedulersBoard(studies, width);
        out.println();
        board.lines().forEach(out::println);
        out.println();
        WrappedLine.of(job.data(done.id()), width).forEach(out::println);
        if (studies.stream().anyMatch(study -> study.document().noise() != null)) {
            return ExitCode.INCONCLUSIVE.code();
        }
        return (board.crossings().points().size() == studies.size() ? ExitCode.OK : ExitCode.NEGATIVE).code();
    }
}
