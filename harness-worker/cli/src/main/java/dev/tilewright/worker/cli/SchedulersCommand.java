package dev.tilewright.worker.cli;

import dev.tilewright.model.exchange.DeviceSelector;
import dev.tilewright.model.exchange.JobRequest;
import dev.tilewright.model.exchange.ProblemDocument;
import dev.tilewright.model.exchange.ResultDocument;
import dev.tilewright.worker.cli.ProblemOptions.Named;
import dev.tilewright.worker.cli.board.ListedShape;
import dev.tilewright.worker.cli.board.SchedulersBoard;
import dev.tilewright.worker.link.client.ApiRefusedException;
import dev.tilewright.worker.link.command.CommandFailedException;
import dev.tilewright.worker.link.command.ExitCode;
import dev.tilewright.worker.link.command.Syntax;
import dev.tilewright.worker.link.probe.DeviceProbe;
import dev.tilewright.worker.link.probe.LocalDevice;
import java.io.IOException;
import java.io.PrintStream;
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

    @Mixin
    private SubmissionOptions submission = new SubmissionOptions();

    @Option(
            names = BusySms.OPTION,
            paramLabel = "N[,N...]",
            description =
                    "Numbers of SMs that others hold, such as 0,8,20 or FROM-TO/STEP (default: ${DEFAULT-VALUE}).")
    private String busySms = USUAL;

    @Option(
            names = "--family",
            paramLabel = "NAME",
            completionCandidates = KnownNames.OfFamilies.class,
            description = "Kernel family: ${COMPLETION-CANDIDATES} (default: the one that the device runs).")
    private @Nullable String family;

    @Option(
            names = "--trials",
            paramLabel = "N",
            description = "Most trials for each number of busy SMs; each scheduler has an equal part (default: 160).")
    private @Nullable Integer trials;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            description =
                    "Most seconds of search for all of it, an equal part for each number of busy SMs; finals come on top"
                            + " (default: no limit).")
    private @Nullable Integer seconds;

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
        DeviceSelector selector = submission.selector();
        if (selector instanceof DeviceSelector.Emulated) {
            throw CommandFailedException.usage("--device: an emulated GPU has no times, got '" + selector + "'");
        }
        List<Named> named = problems.problems("");
        if (named.size() != 1) {
            throw CommandFailedException.usage("--shape: schedulers are compared for one problem, got " + named.size());
        }
        Syntax.requirePositive("--trials", trials);
        Syntax.requirePositive("--seconds", seconds);
        submission.requireWritable();
        List<ProblemDocument> wanted = new ProblemOptions.Asked(named, List.of())
                .beside(BusySms.scenarios(busySms, selector)).singles().stream()
                        .map(each -> ProblemDocument.inShort(each.problem()))
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
        JobRequest request = submission
                .request(wanted, selector, family, service, probe)
                .eachScheduler(true)
                .budget(new JobRequest.BudgetRequest(
                        trials, seconds == null ? null : Math.ceilDiv(seconds, wanted.size()), null))
                .build();
        SubmittedJob job = submission.job(service, environment, err);
        SubmittedJob.Result done =
                job.toItsEnd(connection, selector, request, Collections.nCopies(wanted.size(), ListedShape.PLAIN));
        ResultDocument result = done.document();
        SchedulersBoard board = SchedulersBoard.of(result.studies());
        out.println();
        out.show(board);
        out.println();
        out.println(job.data(done.id()));
        if (result.hasNoise()) {
            return ExitCode.INCONCLUSIVE.code();
        }
        return (board.isWhole() ? ExitCode.OK : ExitCode.NEGATIVE).code();
    }
}
