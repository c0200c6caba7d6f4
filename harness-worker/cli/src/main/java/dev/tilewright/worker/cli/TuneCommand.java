package dev.tilewright.worker.cli;

import dev.tilewright.bundle.BundleName;
import dev.tilewright.model.exchange.DeviceSelector;
import dev.tilewright.model.exchange.JobRequest;
import dev.tilewright.model.exchange.PeerSearch;
import dev.tilewright.model.exchange.ProblemDocument;
import dev.tilewright.model.exchange.ResultDocument;
import dev.tilewright.space.families.ConfigText;
import dev.tilewright.space.families.Families;
import dev.tilewright.space.family.FamilySpace;
import dev.tilewright.worker.cli.board.ListedShape;
import dev.tilewright.worker.cli.board.RacedTable;
import dev.tilewright.worker.link.client.ApiRefusedException;
import dev.tilewright.worker.link.command.CommandFailedException;
import dev.tilewright.worker.link.command.ExitCode;
import dev.tilewright.worker.link.command.Syntax;
import dev.tilewright.worker.link.json.Json;
import dev.tilewright.worker.link.probe.DeviceProbe;
import dev.tilewright.worker.link.probe.LocalDevice;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code tune}: submits a job, shows how it goes, prints what came of it. */
@Command(name = "tune", description = "Find the best config for one or more problem shapes.")
public final class TuneCommand extends ServiceVerb {

    @Mixin
    private TunedProblems problems = new TunedProblems();

    @Mixin
    private SubmissionOptions submission = new SubmissionOptions();

    @Option(names = "--boards", description = "Show the leaderboard of each shape too, where there are several.")
    private boolean boards;

    @Option(
            names = "--family",
            paramLabel = "NAME",
            completionCandidates = KnownNames.OfFamilies.class,
            description = "Kernel family: ${COMPLETION-CANDIDATES} (default: the one that the device runs; the first if"
                    + " it runs all).")
    private @Nullable String family;

    @Option(
            names = "--bundle",
            paramLabel = "DIR|ZIP",
            description =
                    "Give this bundle to the service, and tune its kernels: --family bundle:NAME takes one that the"
                            + " service has.")
    private @Nullable Path bundle;

    @Option(
            names = "--peer",
            paramLabel = "NAME|DIR|ZIP",
            split = ",",
            splitSynopsisLabel = ",",
            description =
                    "Run the kernels of this family too in the final of each shape, on a GPU: bundle:NAME, or a folder or"
                            + " a zip, which goes to the service first; repeatable.")
    private List<String> peers = new ArrayList<>();

    @Option(
            names = "--peer-budget",
            paramLabel = "SECONDS",
            description =
                    "Seconds of GPU in which the final of each shape looks for faster kernels among all algorithms"
                            + " of the vendor's library, at most 60; 0 leaves it at those that the library returns by itself"
                            + " (default: 3).")
    private @Nullable Double peerBudget;

    @Option(
            names = "--space",
            paramLabel = "default|full",
            description = "Values to try of parameters that --set does not name: default (those that have paid off"
                    + " before), or full (all values) (default: default).")
    private @Nullable String space;

    @Option(
            names = "--strategy",
            paramLabel = "NAME",
            completionCandidates = KnownNames.OfStrategies.class,
            description = "Search strategy: ${COMPLETION-CANDIDATES} (default: model; random for device emulated).")
    private @Nullable String strategy;

    @Option(
            names = "--trials",
            paramLabel = "N",
            description = "Most trials for each shape (default: until more trials would gain nothing).")
    private @Nullable Integer trials;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            description = "Most seconds that devices work on the search for each shape; its final comes on top"
                    + " (default: no limit).")
    private @Nullable Integer seconds;

    @Option(
            names = "--finalists",
            paramLabel = "N",
            description = "Kernels of each shape that reach the final, on a GPU; 0 for no final (default: 1).")
    private @Nullable Integer finalists;

    @Option(
            names = "--set",
            paramLabel = "NAME=V[,V...]",
            completionCandidates = KnownNames.OfParameters.class,
            description = "Try only these values of a parameter, such as scheduler=static,atomic; repeatable."
                    + KnownNames.PARAMETERS)
    private List<String> settings = new ArrayList<>();

    @Option(
            names = "--config",
            paramLabel = ConfigText.LABEL,
            description = "Try only this config, in the words of boards or as NAME=V; what is missing has its default.")
    private @Nullable String config;

    @Option(names = "--check", description = "Prove each kernel on the emulator before it may run on a device.")
    private boolean check;

    @Option(names = "--markdown", paramLabel = "FILE", description = "Write a report with tables to this file.")
    private @Nullable Path markdownFile;

    @Option(
            names = "--sweeps",
            paramLabel = "DIR",
            description = "Add the trials to the stored sweeps in this folder, as the verb sweeps does.")
    private @Nullable Path sweepsFolder;

    @Mixin
    private TableSizeOption size = new TableSizeOption();

    @Option(
            names = "--regret",
            paramLabel = "N",
            description =
                    "With a range of M: tune each of N drawn M fully as well, race the table's kernel beside the best"
                            + " one there, and show how much longer the table takes; takes N times as long as one tune, or more.")
    private @Nullable Integer regret;

    @Option(names = "--top", paramLabel = "N", description = "Trials to list (default: ${DEFAULT-VALUE}).")
    private int top = 10;

    private final DeviceProbe probe;

    /**
     * @param out results
     * @param err progress and notices
     */
    public TuneCommand(Map<String, String> environment, DeviceProbe probe, PrintStream out, PrintStream err) {
        super(environment, out, err);
        this.probe = probe;
    }

    @Override
    public Integer call() throws InterruptedException, IOException {
        DeviceSelector selector = submission.selector();
        if (bundle != null && family != null) {
            throw CommandFailedException.usage("--bundle and --family name two families: give one of them");
        }
        if (config != null) {
            family = ConfigOption.alone(
                    config,
                    family,
                    Map.of(
                            "--set",
                            !settings.isEmpty(),
                            "--scheduler",
                            !submission.schedulers().isEmpty()));
        }
        Optional<BundleUpload> upload = Optional.ofNullable(bundle).map(BundleUpload::read);
        upload.map(BundleUpload::problem).ifPresent(problems::unlessGiven);
        NamedPeers beside = NamedPeers.read(peers);
        TunedProblems.Asked asked = problems.asked(selector, out);
        requireCounts();
        requireRanges(asked);
        submission.requireWritable();
        Syntax.requireWritable("--markdown", markdownFile);
        String offered = service.isRemote() ? selector.toString() : offered(selector);
        try (Connection connection = connect(offered)) {
            if (upload.isPresent()) {
                family = upload.get().send(connection).family();
                err.println("tuning " + family);
            }
            return tune(connection, selector, asked, beside.families(connection, err));
        } catch (ApiRefusedException refused) {
            throw Faults.ofJob(asked.options()).failure(refused);
        }
    }

    private String offered(DeviceSelector selector) {
        return unmodelled(selector)
                .map(name -> LocalDevice.offeredUnmodelled(
                        selector, probe, err, bundle == null ? "--family" : "--bundle", FamilySpace.noModel(name)))
                .orElseGet(() -> LocalDevice.offered(selector, probe, err));
    }

    /**
     * The family or bundle that is tuned, if no model knows it. A bundle that is named is the service's: it says
     * whether there is one, and which version no model knows.
     */
    private Optional<String> unmodelled(DeviceSelector selector) {
        if (bundle != null) {
            return Optional.of(bundle.toString());
        }
        return Optional.ofNullable(family)
                .filter(name -> BundleName.parse(name).isPresent()
                        ? !(selector instanceof DeviceSelector.Simulated)
                        : Families.standard()
                                .find(name)
                                .filter(known -> !known.isModelled())
                                .isPresent());
    }

    private void requireCounts() {
        Syntax.requirePositive("--trials", trials);
        Syntax.requirePositive("--seconds", seconds);
        Syntax.requireAtLeast("--finalists", 0, finalists);
        Syntax.requirePositive("--top", top);
        if (peerBudget != null && !PeerSearch.isBudget(peerBudget)) {
            throw CommandFailedException.usage("--peer-budget " + PeerSearch.limits(peerBudget));
        }
        Syntax.settings("--set", settings);
    }

    private void requireRanges(TunedProblems.Asked asked) {
        size.require(!asked.ranges().isEmpty());
        if (regret != null && (regret < 1 || regret > TableRaces.MOST)) {
            throw CommandFailedException.usage("--regret: from 1 to " + TableRaces.MOST + " drawn M, got " + regret);
        }
        if (regret != null && asked.ranges().isEmpty()) {
            throw CommandFailedException.usage("--regret: " + TableSizeOption.FOR_A_RANGE);
        }
    }

    /** The options that change what a search finds, as they were given. */
    private String again() {
        List<String> schedulers = submission.schedulers();
        return (schedulers.isEmpty() ? "" : " --scheduler " + String.join(",", schedulers))
                + settings.stream().map(setting -> " --set " + setting).collect(Collectors.joining())
                + (config == null ? "" : " --config '" + config + "'")
                + (space == null ? "" : " --space " + space)
                + (strategy == null ? "" : " --strategy " + strategy)
                + (trials == null ? "" : " --trials " + trials)
                + (seconds == null ? "" : " --seconds " + seconds)
                + size.again()
                + (submission.seed() == null ? "" : " --seed " + submission.seed());
    }

    private JobRequest.Builder request(DeviceSelector selector, List<ProblemDocument> wanted, List<String> beside) {
        return submission
                .request(wanted, selector, family, service, probe)
                .parameters(Syntax.settings("--set", settings))
                .config(config)
                .space(space)
                .strategy(strategy)
                .budget(new JobRequest.BudgetRequest(trials, seconds, finalists))
                .check(check ? true : null)
                .peers(beside)
                .peerBudget(peerBudget);
    }

    private int tune(Connection connection, DeviceSelector selector, TunedProblems.Asked asked, List<String> beside)
            throws ApiRefusedException, InterruptedException, IOException {
        SubmittedJob job = submission.job(service, environment, err);
        JobRequest request = request(selector, asked.documents(), beside)
                .kernels(size.given())
                .build();
        List<ListedShape> listed = asked.listed();
        SubmittedJob.Result done = job.toItsEnd(connection, selector, request, listed);
        ResultDocument result = done.document();
        TuneReport report = new TuneReport(result, listed, top, boards, again());
        write(report, List.of());
        out.show(report);
        String origins = report.origins() + "; " + job.data(done.id())
                + (markdownFile == null ? "" : ", report in " + markdownFile);
        out.println(origins);
        if (sweepsFolder != null) {
            report.addTo(sweepsFolder).forEach(err::println);
        }
        return (regret == null ? report.exit() : races(connection, selector, result, regret, report)).code();
    }

    /** Writes the report anew with the races so far. */
    private void write(TuneReport report, List<RacedTable> raced) throws IOException {
        if (markdownFile != null) {
            Json.writeAtomically(markdownFile, report.markdown(raced).getBytes(StandardCharsets.UTF_8));
        }
    }

    /** The exit code: a range without a regret is a failure, and one that lacks some of its races is not conclusive. */
    private ExitCode races(
            Connection connection, DeviceSelector selector, ResultDocument result, int count, TuneReport report)
            throws ApiRefusedException, InterruptedException, IOException {
        List<RacedTable> kept = new ArrayList<>();
        TableRaces races = new TableRaces(
                connection,
                selector,
                submission.job(service, environment, err).withoutFile(),
                new TableRaces.Requests(
                        wanted -> request(selector, wanted, List.of()),
                        wanted -> JobRequest.of(wanted)
                                .device(selector.toString())
                                .seed(submission.seed())),
                out,
                raced -> {
                    kept.add(raced);
                    write(report, kept);
                },
                err,
                progress());
        ExitCode exit = report.exit();
        for (int i = 0; i < result.ranges().size(); i++) {
            if (result.ranges().get(i).table() != null) {
                RacedTable raced = races.show(
                        result.ranges().get(i),
                        result.ofRange(i),
                        count,
                        Objects.requireNonNullElse(submission.seed(), 1L));
                if (raced.regret().isEmpty()) {
                    exit = ExitCode.NEGATIVE;
                } else if (!raced.isWhole() && exit == ExitCode.OK) {
                    exit = ExitCode.INCONCLUSIVE;
                }
            }
        }
        return exit;
    }
}
