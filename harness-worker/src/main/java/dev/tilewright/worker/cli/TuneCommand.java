package dev.tilewright.worker.cli;

import dev.tilewright.model.problem.Scenario;
import dev.tilewright.simulator.SimulatedGpus;
import dev.tilewright.worker.board.JobResource;
import dev.tilewright.worker.board.Leaderboard;
import dev.tilewright.worker.board.MarkdownReport;
import dev.tilewright.worker.board.ResultDocument;
import dev.tilewright.worker.board.SweepExport;
import dev.tilewright.worker.client.ApiRefusedException;
import dev.tilewright.worker.device.DeviceProbe;
import dev.tilewright.worker.device.DeviceSelector;
import dev.tilewright.worker.json.Json;
import dev.tilewright.worker.service.Home;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** {@code tune}: submits a job, shows how it goes, prints what came of it. */
@Command(name = "tune", description = "Find the best config for one or more problem shapes.")
public final class TuneCommand implements Callable<Integer> {

    private static final Duration POLL = Duration.ofMillis(250);
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final int UNKNOWN_WIDTH = 80;

    /** The system property by which the launcher tells the commit that was built. */
    private static final String COMMIT = "tilewright.commit";

    @Mixin
    private ProblemOptions problems = new ProblemOptions();

    @Option(
            names = "--family",
            paramLabel = "NAME",
            description = "Kernel family (default: sm100-gemm for simulated:b200, simulated:gb200 and Blackwells,"
                    + " otherwise sm90-gemm).")
    private @Nullable String family;

    @Option(
            names = "--scheduler",
            paramLabel = "NAME",
            split = ",",
            splitSynopsisLabel = ",",
            description = "Tile schedulers to try: single, static, atomic, clc of sm100 (default: all of the family).")
    private List<String> schedulers = new ArrayList<>();

    @Option(
            names = "--device",
            paramLabel = "DEVICE",
            description =
                    "auto, cuda:N, cuda:all, simulated:h200, simulated:b200, simulated:gb200, emulated, or emulated:N"
                            + " with N SMs (default: ${DEFAULT-VALUE}).")
    private String device = "auto";

    @Option(
            names = "--busy-sms",
            paramLabel = "N",
            split = ",",
            splitSynopsisLabel = ",",
            description =
                    "SMs that others hold while a kernel is timed; each number is a study of each problem, such as"
                            + " 0,8,16,32 (default: 0).")
    private List<Integer> busySms = new ArrayList<>();

    @Option(
            names = "--strategy",
            paramLabel = "NAME",
            description = "model, random or exhaustive (default: model; random for device emulated).")
    private @Nullable String strategy;

    @Option(names = "--trials", paramLabel = "N", description = "Most trials of a study (default: 64).")
    private @Nullable Integer trials;

    @Option(names = "--seconds", paramLabel = "N", description = "Most seconds of a study (default: no limit).")
    private @Nullable Integer seconds;

    @Option(
            names = "--finalists",
            paramLabel = "N",
            description = "Kernels of each study that reach the final, on a GPU; 0 for no final (default: 1).")
    private @Nullable Integer finalists;

    @Option(names = "--seed", paramLabel = "N", description = "Seed of search and data (default: 1).")
    private @Nullable Long seed;

    @Option(
            names = "--set",
            paramLabel = "NAME=V[,V...]",
            description = "Try only these values of a parameter, such as tileN=128,256; repeatable.")
    private List<String> settings = new ArrayList<>();

    @Option(
            names = "--check",
            description = "Have each kernel text proved on the emulator before it may run; a text is proved once.")
    private boolean check;

    @Option(names = "--json", paramLabel = "FILE", description = "Write the result document to this file.")
    private @Nullable Path jsonFile;

    @Option(names = "--markdown", paramLabel = "FILE", description = "Write a report with tables to this file.")
    private @Nullable Path markdownFile;

    @Option(
            names = "--sweeps",
            paramLabel = "DIR",
            description = "Add the trials to the stored sweeps in this folder, as the verb sweeps does.")
    private @Nullable Path sweepsFolder;

    @Option(names = "--name", paramLabel = "NAME", description = "Name of the job.")
    private @Nullable String name;

    @Option(names = "--top", paramLabel = "N", description = "Trials to list (default: ${DEFAULT-VALUE}).")
    private int top = 10;

    @Mixin
    private ServiceOptions service = new ServiceOptions();

    private final Map<String, String> environment;
    private final DeviceProbe probe;
    private final PrintStream out;
    private final PrintStream err;

    /**
     * @param out results
     * @param err progress and notices
     */
    public TuneCommand(Map<String, String> environment, DeviceProbe probe, PrintStream out, PrintStream err) {
        this.environment = environment;
        this.probe = probe;
        this.out = out;
        this.err = err;
    }

    @Override
    public Integer call() throws InterruptedException, IOException {
        DeviceSelector selector = Syntax.read("--device", device, DeviceSelector::parse);
        JobRequest request = request(selector);
        Syntax.requireWritable("--json", jsonFile);
        Syntax.requireWritable("--markdown", markdownFile);
        String offered = service.isRemote() ? selector.toString() : ServiceOptions.localDevice(selector, probe, err);
        try (Connection connection = service.connect(environment, offered, err)) {
            return tune(connection, request);
        } catch (ApiRefusedException refused) {
            List<String> lines = refused.lines();
            throw new CommandFailedException(ExitCode.USAGE, lines.getFirst(), lines.subList(1, lines.size()), refused);
        }
    }

    private JobRequest request(DeviceSelector selector) {
        Syntax.requirePositive("--trials", trials);
        Syntax.requirePositive("--seconds", seconds);
        Syntax.requireAtLeast("--finalists", 0, finalists);
        Syntax.requirePositive("--top", top);
        return new JobRequest(
                name,
                requested(selector),
                family == null && !service.isRemote() ? ServiceOptions.localFamily(selector, probe) : family,
                schedulers,
                Syntax.settings("--set", settings),
                strategy,
                new JobRequest.Budget(trials, seconds, finalists),
                seed,
                selector.toString(),
                check ? true : null);
    }

    /** Each problem in each scenario. */
    private List<JobRequest.ShortProblem> requested(DeviceSelector selector) {
        List<Scenario> scenarios = scenarios(selector);
        return problems.problems("").stream()
                .map(ProblemOptions.Named::problem)
                .flatMap(problem -> scenarios.stream()
                        .map(scenario ->
                                problem.beside(problem.scenario().launchOverlap() ? scenario.overlapping() : scenario)))
                .map(JobRequest.ShortProblem::of)
                .toList();
    }

    /** How many SMs there are is known here of models and the emulator; the service knows those of its GPUs. */
    private List<Scenario> scenarios(DeviceSelector selector) {
        return switch (selector) {
            case DeviceSelector.Simulated(String gpu) ->
                Syntax.scenarios(
                        "--busy-sms",
                        busySms,
                        SimulatedGpus.named(gpu).topology().smCount());
            case DeviceSelector.Emulated(int sms) -> Syntax.scenarios("--busy-sms", busySms, sms);
            case DeviceSelector.Auto _, DeviceSelector.AllCuda _, DeviceSelector.Cuda _ ->
                Syntax.scenarios("--busy-sms", busySms, Integer.MAX_VALUE);
        };
    }

    private int tune(Connection connection, JobRequest request)
            throws ApiRefusedException, InterruptedException, IOException {
        // With a key, a submission that is repeated because its answer was lost stays one job.
        UUID key = UUID.randomUUID();
        JobResource job = connection.send(api -> api.post("/api/v1/jobs", request, key, JobResource.class));
        UUID id = job.id();
        connection.onInterrupt(() -> cancel(connection, id));
        Progress progress = new Progress(err, isTerminal(), width(), Clock.systemUTC());
        boolean warned = false;
        for (int polls = 0; !job.isOver(); polls++) {
            progress.show(job);
            if (!warned && job.isWaiting() && polls * POLL.toMillis() > PATIENCE.toMillis()) {
                warned = true;
                err.println();
                err.println("no worker has taken the job for " + PATIENCE.toSeconds() + " s: is there one that offers "
                        + request.device() + "?"
                        + (service.isRemote()
                                ? ""
                                : " its log is " + Home.of(environment).workerLog()));
            }
            Thread.sleep(POLL);
            job = connection.send(api -> api.get("/api/v1/jobs/" + id, JobResource.class));
        }
        connection.onInterrupt(() -> {});
        progress.end(job);
        JsonNode document = connection.send(api -> api.get("/api/v1/jobs/" + id + "/result", JsonNode.class));
        if (jsonFile != null) {
            Json.writeAtomically(jsonFile, Json.pretty().writeValueAsBytes(document));
        }
        ResultDocument result = Json.mapper().treeToValue(document, ResultDocument.class);
        if (markdownFile != null) {
            String report = String.join("\n", new MarkdownReport(System.getProperty(COMMIT)).lines(result)) + "\n";
            Json.writeAtomically(markdownFile, report.getBytes(StandardCharsets.UTF_8));
        }
        int code = print(result, id);
        if (sweepsFolder != null) {
            addTo(sweepsFolder, result);
        }
        return code;
    }

    /** After all else was said: whatever is wrong with that folder, the results are there. */
    private void addTo(Path folder, ResultDocument result) {
        String commit = Objects.requireNonNullElse(System.getProperty(COMMIT), "");
        try {
            new SweepFolder(folder).add(new SweepExport(commit).sweeps(result)).forEach(err::println);
        } catch (IllegalArgumentException | IOException wrong) {
            throw new CommandFailedException(ExitCode.USAGE, "--sweeps " + folder + ": " + wrong.getMessage());
        }
    }

    private int print(ResultDocument result, UUID id) {
        for (ResultDocument.Study study : result.studies()) {
            out.println();
            new Leaderboard(top).lines(study).forEach(out::println);
        }
        out.println();
        String origins = String.join(
                "; ",
                result.studies().stream().map(Leaderboard::origin).distinct().toList());
        String place = service.isRemote()
                ? "at the service"
                : "in " + Home.of(environment).root();
        out.println("numbers: " + origins + "; data: job " + id + " " + place
                + (jsonFile == null ? "" : ", result in " + jsonFile)
                + (markdownFile == null ? "" : ", report in " + markdownFile));
        boolean any = result.studies().stream()
                .flatMap(study -> study.trials().stream())
                .anyMatch(ResultDocument.Trial::isCompleted);
        return (any ? ExitCode.OK : ExitCode.NEGATIVE).code();
    }

    /** On Ctrl-C: nobody waits for this job any more. */
    private void cancel(Connection connection, UUID id) {
        try {
            connection.api().post("/api/v1/jobs/" + id + "/cancel", Map.of());
            err.println();
            err.println("job " + id + " is cancelled; its finished trials are kept");
        } catch (IOException | ApiRefusedException notReached) {
            err.println("job " + id + " could not be cancelled: " + notReached.getMessage());
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
        }
    }

    private static boolean isTerminal() {
        return System.console() != null && System.console().isTerminal();
    }

    private int width() {
        String columns = environment.getOrDefault("COLUMNS", "");
        return columns.matches("\\d{2,4}") ? Integer.parseInt(columns) : UNKNOWN_WIDTH;
    }
}
