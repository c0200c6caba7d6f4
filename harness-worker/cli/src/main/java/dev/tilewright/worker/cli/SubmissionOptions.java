package dev.tilewright.worker.cli;

import dev.tilewright.model.exchange.DeviceNames;
import dev.tilewright.model.exchange.DeviceSelector;
import dev.tilewright.model.exchange.JobRequest;
import dev.tilewright.model.exchange.ProblemDocument;
import dev.tilewright.worker.link.command.Syntax;
import dev.tilewright.worker.link.probe.DeviceProbe;
import dev.tilewright.worker.link.probe.LocalDevice;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of every verb that submits a job. */
final class SubmissionOptions {

    @Option(
            names = "--scheduler",
            paramLabel = "NAME",
            split = ",",
            splitSynopsisLabel = ",",
            completionCandidates = KnownNames.OfSchedulers.class,
            description =
                    "Tile schedulers to try: ${COMPLETION-CANDIDATES}, as far as the family has them (default: all"
                            + " of them).")
    private List<String> schedulers = new ArrayList<>();

    @Option(
            names = "--device",
            paramLabel = "DEVICE",
            completionCandidates = DeviceNames.class,
            description = DeviceSelector.FORMS + " with N SMs (default: ${DEFAULT-VALUE}).")
    private String device = "auto";

    @Option(
            names = "--wait",
            description = "Wait for a worker that offers the device, where none does (default: cancel the job and end"
                    + " with 4).")
    private boolean waits;

    @Option(names = "--seed", paramLabel = "N", description = "Seed of search and data (default: 1).")
    private @Nullable Long seed;

    @Option(names = "--json", paramLabel = "FILE", description = "Write the result document to this file.")
    private @Nullable Path jsonFile;

    @Option(names = "--name", paramLabel = "NAME", description = "Name of the job.")
    private @Nullable String name;

    DeviceSelector selector() {
        return Syntax.read("--device", device, DeviceSelector::parse);
    }

    List<String> schedulers() {
        return schedulers;
    }

    @Nullable
    Long seed() {
        return seed;
    }

    void requireWritable() {
        Syntax.requireWritable("--json", jsonFile);
    }

    /**
     * A request with these options.
     *
     * @param family that the user named; {@code null} for the one that the device runs
     */
    JobRequest.Builder request(
            List<ProblemDocument> wanted,
            DeviceSelector selector,
            @Nullable String family,
            ServiceOptions service,
            DeviceProbe probe) {
        return JobRequest.of(wanted)
                .name(name)
                .family(family == null && !service.isRemote() ? LocalDevice.family(selector, probe) : family)
                .schedulers(schedulers)
                .seed(seed)
                .device(selector.toString());
    }

    SubmittedJob job(ServiceOptions service, Map<String, String> environment, PrintStream err) {
        return new SubmittedJob(service, environment, err, waits, jsonFile);
    }
}
