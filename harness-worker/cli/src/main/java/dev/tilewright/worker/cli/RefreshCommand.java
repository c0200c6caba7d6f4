package dev.tilewright.worker.cli;

import dev.tilewright.model.exchange.BestConfigs;
import dev.tilewright.model.exchange.BestConfigs.BestConfig;
import dev.tilewright.model.exchange.DeviceSelector;
import dev.tilewright.model.exchange.JobDocument;
import dev.tilewright.model.text.Count;
import dev.tilewright.model.trial.Testbed;
import dev.tilewright.model.trial.TestbedKind;
import dev.tilewright.worker.cli.refresh.RefreshTable;
import dev.tilewright.worker.cli.refresh.Refreshed;
import dev.tilewright.worker.cli.refresh.Refreshed.Decision;
import dev.tilewright.worker.link.client.ApiRefusedException;
import dev.tilewright.worker.link.command.CommandFailedException;
import dev.tilewright.worker.link.command.ExitCode;
import dev.tilewright.worker.link.command.Syntax;
import dev.tilewright.worker.link.probe.DeviceProbe;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code refresh}: times best configs again that may be so no longer. */
@Command(
        name = "refresh",
        description =
                "Time the stale best configs again: those whose GPUs have another driver now. A problem is tuned again"
                        + " where its best config lost more than 1 % of its speed, or where an equal one is faster now.",
        footer = {
            "",
            "Without --shape or --group it takes all plain problems. What is timed again is",
            "stored as a final, and stale no longer. A service of this machine is waited for",
            "until all is tuned again.",
            "Exit code: 0 all decided, 1 no best config is known, 2 wrong usage,",
            "3 something is not decided, 4 no GPU or no service."
        })
public final class RefreshCommand extends ServiceVerb {

    private static final Duration FOR_A_WORKER = Duration.ofSeconds(60);
    private static final Duration PAUSE = Duration.ofMillis(500);

    @Mixin
    private ProblemOptions problems = new ProblemOptions();

    @Option(
            names = "--family",
            paramLabel = "NAME",
            completionCandidates = KnownNames.OfFamilies.class,
            description = "Only this kernel family: ${COMPLETION-CANDIDATES}, bundle:NAME.")
    private @Nullable String family;

    @Option(names = "--testbed", paramLabel = "TEXT", description = "Only devices whose name has this text in it.")
    private @Nullable String testbed;

    @Option(
            names = "--device",
            paramLabel = "DEVICE",
            completionCandidates = KnownNames.OfGpus.class,
            description = "Time on these GPUs: auto, cuda:N or cuda:all (default: ${DEFAULT-VALUE}, any of the same"
                    + " model).")
    private String device = "auto";

    @Option(names = "--all", description = "Also those that are not stale.")
    private boolean all;

    private final DeviceProbe probe;

    /** A worker, as far as this verb reads it. */
    record Worker(String state, List<Device> devices) {
        record Device(String label, Testbed testbed) {}

        private Stream<Device> gpus(DeviceSelector wanted) {
            return devices.stream()
                    .filter(device -> state.equals("live")
                            && device.testbed().kind() == TestbedKind.CUDA
                            && wanted.accepts(TestbedKind.CUDA, device.label(), true));
        }
    }

    /**
     * @param out what was decided
     * @param err progress and notices
     */
    public RefreshCommand(Map<String, String> environment, DeviceProbe probe, PrintStream out, PrintStream err) {
        super(environment, out, err);
        this.probe = probe;
    }

    @Override
    public Integer call() throws ApiRefusedException, InterruptedException {
        List<BestQuestion> questions = questions();
        DeviceSelector wanted = Syntax.read("--device", device, DeviceSelector::parse);
        String offered = CompareCommand.offered(device, service, probe, err);
        try (Connection connection = connect(offered)) {
            Map<String, String> gpus = gpus(connection, wanted);
            List<BestConfig> known = new ArrayList<>();
            for (BestQuestion question : questions) {
                known.addAll(connection
                        .send(api -> api.get(question.path(), BestConfigs.class))
                        .items());
            }
            List<BestConfig> due = known.stream()
                    .filter(one -> (all || one.stale() != null) && !one.isSuperseded(known))
                    .toList();
            if (due.isEmpty()) {
                out.println(
                        known.isEmpty()
                                ? "no best config is known for what was asked"
                                : Count.of(known.size(), "best config is", "best configs are")
                                        + " known, and none is stale; --all times them all the same");
                return (known.isEmpty() ? ExitCode.NEGATIVE : ExitCode.OK).code();
            }
            return refresh(connection, due, gpus);
        }
    }

    /** A question for each problem, or one for all. */
    private List<BestQuestion> questions() {
        String named = BestQuestion.family(family);
        return problems.isNamed()
                ? problems.problems("").stream()
                        .map(each -> BestQuestion.of(each.problem()).on(testbed, named))
                        .toList()
                : List.of(BestQuestion.of(problems).on(testbed, named));
    }

    /**
     * The models of GPUs that are there, each with the label of one; the worker of this machine is given time to come.
     */
    private Map<String, String> gpus(Connection connection, DeviceSelector wanted)
            throws ApiRefusedException, InterruptedException {
        long giveUp = System.nanoTime() + (service.isRemote() ? 0 : FOR_A_WORKER.toNanos());
        while (true) {
            Map<String, String> gpus = new LinkedHashMap<>();
            Stream.of(connection.send(api -> api.get("/api/v1/workers", Worker[].class)))
                    .flatMap(worker -> worker.gpus(wanted))
                    .forEach(gpu -> gpus.putIfAbsent(gpu.testbed().device(), gpu.label()));
            if (!gpus.isEmpty()) {
                return gpus;
            }
            if (System.nanoTime() - giveUp > 0) {
                throw CommandFailedException.infrastructure(
                        "--device: no worker offers " + device + ", and configs are timed");
            }
            Thread.sleep(PAUSE);
        }
    }

    private int refresh(Connection connection, List<BestConfig> due, Map<String, String> gpus)
            throws ApiRefusedException, InterruptedException {
        RedrawnLine line = progress();
        Retiming retiming = new Retiming(connection, err, line);
        List<Refreshed> done = new ArrayList<>();
        for (BestConfig one : due) {
            String gpu = gpus.get(one.testbed().device());
            line.clear();
            err.println((done.size() + 1) + " of " + due.size() + ": " + one.problem() + ", " + one.family() + " on "
                    + one.testbed().device()
                    + Optional.ofNullable(one.stale()).map(why -> ": " + why).orElse(""));
            done.add(
                    gpu == null
                            ? Refreshed.undecided(
                                    one, "no worker offers " + one.testbed().device())
                            : retiming.of(one, gpu));
            line.show(
                    (double) done.size() / due.size(),
                    done.size() + " of " + Count.of(due.size(), "config") + " timed");
        }
        line.clear();
        out.show(new RefreshTable(done));
        Map<BestConfig, JobDocument> jobs = new LinkedHashMap<>();
        for (Refreshed one : done) {
            if (one.decision() == Decision.RETUNE) {
                BestConfig known = one.known();
                JobDocument job = retiming.retune(
                        known,
                        Optional.ofNullable(gpus.get(known.testbed().device())).orElse(device));
                jobs.put(known, job);
                out.println("job " + job.job().id() + " tunes " + known.problem() + " again");
            }
        }
        if (!service.isRemote()) {
            await(retiming, jobs);
        }
        boolean decided = done.stream().noneMatch(one -> one.decision() == Decision.UNDECIDED);
        return (decided ? ExitCode.OK : ExitCode.INCONCLUSIVE).code();
    }

    /** The service of this machine ends with whoever uses it. */
    private void await(Retiming retiming, Map<BestConfig, JobDocument> jobs)
            throws ApiRefusedException, InterruptedException {
        for (Map.Entry<BestConfig, JobDocument> each : jobs.entrySet()) {
            retiming.end(each.getValue().job().id(), each.getKey().problem() + " is tuned again");
            out.println(each.getKey().problem() + " after it was tuned again: " + retiming.retuned(each.getValue()));
        }
    }
}
