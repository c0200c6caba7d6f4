package dev.tilewright.worker.cli.gate;

import dev.tilewright.worker.cli.Printer;
import dev.tilewright.worker.cli.gate.file.CaseEntry;
import dev.tilewright.worker.cli.gate.file.GateFile;
import dev.tilewright.worker.cli.gate.file.GateFileReader;
import dev.tilewright.worker.cli.gate.file.ProgramEntry;
import dev.tilewright.worker.cli.gate.report.AnnouncedCheck;
import dev.tilewright.worker.link.command.CommandFailedException;
import dev.tilewright.worker.link.command.ExitCode;
import dev.tilewright.worker.link.command.Syntax;
import dev.tilewright.worker.link.json.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code gate announce}: the check run of GitHub that stands while the gate runs. */
@Command(
        name = "announce",
        description = "Write the check run that GitHub shows while the gate runs, for gh api"
                + " repos/OWNER/REPO/check-runs --input FILE. gate --report github=FILE completes it there.")
public final class GateAnnounceCommand implements Callable<Integer> {

    @Option(names = "--file", paramLabel = "FILE", description = "File with the gate (default: ${DEFAULT-VALUE}).")
    private Path file = Path.of(GateFile.NAME);

    @Option(names = "--to", paramLabel = "FILE", required = true, description = "Where to.")
    private Path to = Path.of("check.json");

    private final InstantSource clock;
    private final Printer out;

    /** @param out what was written */
    public GateAnnounceCommand(InstantSource clock, Printer out) {
        this.clock = clock;
        this.out = out;
    }

    @Override
    public Integer call() throws InterruptedException, IOException {
        Syntax.requireWritable("--to", to);
        GateFile gate = GateFileReader.read(file);
        Path folder = GateFileReader.folder(file);
        Optional<Repository> repository = Repository.of(folder);
        String commit = (repository.isEmpty()
                        ? Optional.<String>empty()
                        : repository.get().head())
                .orElseThrow(() -> CommandFailedException.usage(
                        "a check run is of a commit, and " + folder + " is in no repository with one"));
        UUID id = UUID.randomUUID();
        String text = AnnouncedCheck.text(
                gate.gate(),
                Stream.concat(
                                gate.cases().stream().map(CaseEntry::name),
                                gate.programs().stream().map(ProgramEntry::name))
                        .toList(),
                commit,
                id,
                clock.instant());
        Json.writeAtomically(to, text.getBytes(StandardCharsets.UTF_8));
        out.println(to + ": check run " + id + " of gate " + gate.gate() + ", in progress");
        return ExitCode.OK.code();
    }
}
