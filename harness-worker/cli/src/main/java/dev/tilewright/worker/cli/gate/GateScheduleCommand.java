package dev.tilewright.worker.cli.gate;

import dev.tilewright.gate.document.GateRequest;
import dev.tilewright.gate.document.GateSchedule;
import dev.tilewright.model.exchange.DeviceSelector;
import dev.tilewright.worker.cli.Connection;
import dev.tilewright.worker.cli.ServiceVerb;
import dev.tilewright.worker.cli.gate.file.GateFile;
import dev.tilewright.worker.cli.gate.file.GateFileReader;
import dev.tilewright.worker.link.client.ApiRefusedException;
import dev.tilewright.worker.link.command.CommandFailedException;
import dev.tilewright.worker.link.command.ExitCode;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code gate schedule}: has the service run the gate by itself. */
@Command(
        name = "schedule",
        description =
                "Have the service run the gate at set times, with the kernels as they are now. Without an option, show"
                        + " when it runs.")
public final class GateScheduleCommand extends ServiceVerb {

    @Option(names = "--file", paramLabel = "FILE", description = "File with the gate (default: ${DEFAULT-VALUE}).")
    private Path file = Path.of(GateFile.NAME);

    @ArgGroup
    private @Nullable Change change;

    /** The requested change of a schedule. */
    private static final class Change {
        @Option(
                names = "--at",
                paramLabel = "WHEN",
                description = "DAILY|03:00, FIXED_DELAY|3600s, or the five fields of cron, in UTC.")
        private @Nullable String at;

        @Option(names = "--remove", description = "Have it run no longer.")
        private boolean remove;
    }

    @Option(names = "--branch", paramLabel = "NAME", description = "The branch that the runs are of.")
    private @Nullable String branch;

    /** @param out when it runs */
    public GateScheduleCommand(Map<String, String> environment, PrintStream out, PrintStream err) {
        super(environment, out, err);
    }

    @Override
    public Integer call() throws InterruptedException {
        GateFile gate = GateFileReader.read(file);
        if (change != null && change.at != null && !gate.programs().isEmpty()) {
            String rest = gate.cases().isEmpty() ? "" : "; leave them to a run in CI, in a file of their own";
            throw CommandFailedException.usage(
                    file + ": a service runs no programs, so it cannot run those of this file by itself" + rest);
        }
        String path = "/api/v1/gates/" + gate.gate() + "/schedule";
        try (Connection connection = connect("auto")) {
            if (change != null && change.remove) {
                connection.send(api -> {
                    api.delete(path);
                    return true;
                });
                out.println("gate " + gate.gate() + " runs by itself no longer");
                return ExitCode.OK.code();
            }
            String at = change == null ? null : change.at;
            GateSchedule schedule = at == null
                    ? connection.send(api -> api.get(path, GateSchedule.class))
                    : set(connection, path, gate, at);
            out.println("gate " + schedule.gate() + " runs at " + schedule.when() + ", next at " + schedule.nextAt()
                    + ", in the name of " + schedule.author()
                    + (schedule.lastRun() == null ? "" : "; last run " + schedule.lastRun())
                    + (schedule.lastError() == null ? "" : "; the last time it could not: " + schedule.lastError()));
            return ExitCode.OK.code();
        } catch (ApiRefusedException refused) {
            throw GateOptions.refused(refused, gate);
        }
    }

    private GateSchedule set(Connection connection, String path, GateFile gate, String at)
            throws ApiRefusedException, InterruptedException {
        String device = DeviceSelector.parse(gate.device()) instanceof DeviceSelector.Auto ? null : gate.device();
        GateRequest request = new GateSubmission(gate, file, Optional.ofNullable(branch), err)
                .request(new ServiceStore(connection), device, null);
        GateSchedule.ScheduleRequest asked = new GateSchedule.ScheduleRequest(at, request);
        return connection.send(api -> api.put(path, asked, GateSchedule.class));
    }
}
