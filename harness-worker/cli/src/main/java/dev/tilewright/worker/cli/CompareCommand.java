package dev.tilewright.worker.cli;

import dev.tilewright.model.exchange.ComparisonDocument;
import dev.tilewright.model.exchange.DeviceSelector;
import dev.tilewright.model.exchange.GpuTask;
import dev.tilewright.model.exchange.ProblemDocument;
import dev.tilewright.model.exchange.TaskState;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.worker.cli.board.ComparisonText;
import dev.tilewright.worker.link.client.ApiRefusedException;
import dev.tilewright.worker.link.command.CommandFailedException;
import dev.tilewright.worker.link.command.ExitCode;
import dev.tilewright.worker.link.command.Syntax;
import dev.tilewright.worker.link.json.Json;
import dev.tilewright.worker.link.probe.DeviceProbe;
import dev.tilewright.worker.link.probe.LocalDevice;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code compare}: two kernels beside each other on one GPU. */
@Command(
        name = "compare",
        description = "Tell whether one kernel is faster than another: both verified, then timed beside each other on"
                + " one GPU, at one clock.",
        footer = {
            "",
            "A kernel is one argument: a trial's id; a config in the words of boards or as 'NAME=V NAME=V ...', perhaps",
            "behind the name of its family; one of a bundle, 'bundle:NAME NAME=V ...', with @VERSION behind the name for an older one; one of",
            "a folder or zip, 'DIR NAME=V ...', which goes to the service first; or a peer's kernel, PEER or",
            "PEER:ALGORITHM. A bundle with one config needs no values.",
            "Exit code: 0 with a verdict, 1 if a kernel computes something else or cannot run, 2 wrong usage,",
            "3 inconclusive, 4 no GPU or no service."
        })
public final class CompareCommand extends ServiceVerb {

    @Parameters(index = "0", paramLabel = "FIRST", description = "The kernel that the verdict is about.")
    private String first = "";

    @Parameters(index = "1", paramLabel = "SECOND", description = "The kernel that it is compared with.")
    private String second = "";

    @Mixin
    private ProblemOptions problems = new ProblemOptions();

    @Option(
            names = "--family",
            paramLabel = "NAME",
            completionCandidates = KnownNames.OfFamilies.class,
            description =
                    "Family of configs without a bundle: ${COMPLETION-CANDIDATES} (default: that of a trial, or of the GPU).")
    private @Nullable String family;

    @Option(
            names = "--device",
            paramLabel = "DEVICE",
            completionCandidates = KnownNames.OfGpus.class,
            description = "auto or cuda:N (default: ${DEFAULT-VALUE}).")
    private String device = "auto";

    @Option(
            names = "--measure-equal",
            description = "Time two kernels with the same module and launch too: what differs then is noise.")
    private boolean measureEqual;

    @Option(
            names = "--slowed",
            paramLabel = "PART",
            description = "Put a wait in front of SECOND that makes its launches this much longer, such as 0.01, at"
                    + " most 0.5. Compared with itself, FIRST is then faster.")
    private @Nullable Double slowed;

    @Option(names = "--seed", paramLabel = "N", description = "Seed of the data (default: 1).")
    private @Nullable Long seed;

    @Option(names = "--json", paramLabel = "FILE", description = "Write the comparison with its blocks to this file.")
    private @Nullable Path jsonFile;

    private final DeviceProbe probe;

    /**
     * @param out the verdict
     * @param err notices
     */
    public CompareCommand(Map<String, String> environment, DeviceProbe probe, PrintStream out, PrintStream err) {
        super(environment, out, err);
        this.probe = probe;
    }

    @Override
    public Integer call() throws ApiRefusedException, InterruptedException, IOException {
        ComparedKernel one = ComparedKernel.read("FIRST", first);
        ComparedKernel other = ComparedKernel.read("SECOND", second);
        if (slowed != null && !(slowed > 0 && slowed <= GpuTask.Side.Own.MOST_SLOWED)) {
            throw CommandFailedException.usage(
                    "--slowed: must be more than 0 and at most " + GpuTask.Side.Own.MOST_SLOWED + ", got " + slowed);
        }
        Optional<Problem> problem = problem(one, other);
        Syntax.requireWritable("--json", jsonFile);
        try (Connection connection = connect(offered(device, service, probe, err))) {
            return compare(connection, request(problem, one, other, connection));
        }
    }

    /** The device for a service of this machine: a real GPU, since nothing else can be compared on. */
    static String offered(String device, ServiceOptions service, DeviceProbe probe, PrintStream err) {
        DeviceSelector selector = Syntax.read("--device", device, DeviceSelector::parse);
        if (selector instanceof DeviceSelector.OnCpu) {
            throw CommandFailedException.usage(
                    "--device: kernels are timed, so it is auto or cuda:N, got '" + device + "'");
        }
        if (service.isRemote()) {
            return selector.toString();
        }
        if (probe.probe() instanceof DeviceProbe.NoDriver) {
            throw CommandFailedException.infrastructure(
                    "there is no NVIDIA driver on this machine, and a comparison is timed; --api URL uses another");
        }
        return LocalDevice.offered(selector, probe, err);
    }

    private Map<String, Object> request(
            Optional<Problem> problem, ComparedKernel one, ComparedKernel other, Connection connection)
            throws ApiRefusedException, InterruptedException {
        Map<String, Object> request = new LinkedHashMap<>();
        problem.ifPresent(known -> request.put("problem", ProblemDocument.inShort(known)));
        request.put("first", one.request(family, connection));
        Map<String, Object> against = other.request(family, connection);
        if (slowed != null) {
            against.put("slowedBy", slowed);
        }
        request.put("second", against);
        request.put("device", device);
        request.put("measureEqual", measureEqual);
        if (seed != null) {
            request.put("seed", seed);
        }
        return request;
    }

    /** Empty where a trial brings it; of the types and layouts of a bundle that is at hand. */
    private Optional<Problem> problem(ComparedKernel one, ComparedKernel other) {
        boolean named = one instanceof ComparedKernel.OfTrial || other instanceof ComparedKernel.OfTrial;
        if (named && !problems.given().containsValue(true)) {
            return Optional.empty();
        }
        one.toUpload().or(other::toUpload).map(BundleUpload::problem).ifPresent(problems::unlessGiven);
        List<ProblemOptions.Named> all = problems.problems(", or compare a trial, which has one");
        if (all.size() != 1) {
            throw CommandFailedException.usage("--shape: two kernels are compared on one problem, got " + all.size());
        }
        return Optional.of(all.getFirst().problem());
    }

    private int compare(Connection connection, Map<String, Object> request)
            throws ApiRefusedException, InterruptedException, IOException {
        Comparisons comparisons = new Comparisons(connection, err);
        Waiting waiting = new Waiting("comparison", device, service.localLog(environment), err);
        RedrawnLine line = progress();
        ComparisonDocument ended = comparisons.ended(request, known -> {
            line.show("comparison " + known.state());
            waiting.look(known.state() == TaskState.QUEUED);
        });
        line.clear();
        if (jsonFile != null) {
            Json.writeAtomically(jsonFile, Json.pretty().writeValueAsBytes(comparisons.document(ended.id())));
        }
        if (ended.result() == null) {
            throw CommandFailedException.infrastructure("the comparison is " + ended.state() + ": " + ended.error());
        }
        out.show(new ComparisonText(ended, ended.result()));
        out.println();
        out.println(origin(ended) + "; comparison " + ended.id() + (jsonFile == null ? "" : " in " + jsonFile));
        return switch (ended.result().verdict()) {
            case EQUAL, FASTER, SLOWER, SAME -> ExitCode.OK.code();
            case INCONCLUSIVE -> ExitCode.INCONCLUSIVE.code();
            case INVALID -> ExitCode.NEGATIVE.code();
        };
    }

    private static String origin(ComparisonDocument ended) {
        return ended.testbed() == null
                ? "nothing was measured"
                : "measured on " + ended.testbed().device() + " (driver "
                        + ended.testbed().driver() + ", " + ended.testbed().assembler() + ")";
    }
}
