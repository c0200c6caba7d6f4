package dev.tilewright.worker.cli.gate;

import dev.tilewright.gate.document.GateName;
import dev.tilewright.model.exchange.ResultDocument;
import dev.tilewright.model.text.Count;
import dev.tilewright.worker.cli.Connection;
import dev.tilewright.worker.cli.ServiceVerb;
import dev.tilewright.worker.cli.gate.file.BaselineEntry;
import dev.tilewright.worker.cli.gate.file.GateFile;
import dev.tilewright.worker.cli.gate.file.GateFileReader;
import dev.tilewright.worker.link.client.ApiRefusedException;
import dev.tilewright.worker.link.command.CommandFailedException;
import dev.tilewright.worker.link.command.ExitCode;
import dev.tilewright.worker.link.command.Syntax;
import dev.tilewright.worker.link.json.Json;
import dev.tilewright.worker.link.json.JsonFault;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.core.JacksonException;

/** {@code gate init}: writes a {@code tilewright.yaml} to begin with. */
@Command(
        name = "init",
        description =
                "Write a tilewright.yaml: the problems of a tuning job, each with its best config, or an example.")
public final class GateInitCommand extends ServiceVerb {

    @Parameters(
            arity = "0..1",
            paramLabel = "JOB|RESULT.json",
            description = "Id of a job, or the file of tune --json (default: an example to fill in).")
    private @Nullable String from;

    @Option(names = "--to", paramLabel = "FILE", description = "Where to (default: ${DEFAULT-VALUE}).")
    private Path to = Path.of(GateFile.NAME);

    @Option(names = "--gate", paramLabel = "NAME", description = "Name of the gate (default: ${DEFAULT-VALUE}).")
    private String gate = "kernels";

    @Option(
            names = "--branch",
            paramLabel = "NAME",
            description = "The branch that kernels are compared with (default: that of the repository).")
    private @Nullable String branch;

    /** @param out what was written */
    public GateInitCommand(Map<String, String> environment, PrintStream out, PrintStream err) {
        super(environment, out, err);
    }

    @Override
    public Integer call() throws ApiRefusedException, InterruptedException, IOException {
        if (Files.exists(to)) {
            throw CommandFailedException.usage("--to: " + to + " exists; it is not written over");
        }
        Syntax.requireWritable("--to", to);
        GateName.violation(gate).ifPresent(rule -> {
            throw CommandFailedException.usage("--gate: " + rule);
        });
        Path folder = to.toAbsolutePath().normalize().getParent();
        String left = branch == null ? usualBranch(folder) : branch;
        Syntax.read("--branch", left, BaselineEntry.Branch::new);
        GateFileText file = new GateFileText(gate, left);
        String text = from == null ? file.example(GateExample.in(folder)) : file.of(result(from));
        // Whatever it says, it must be what the other verbs read.
        GateFile written = GateFileReader.read(to.toString(), text);
        Json.writeAtomically(to, text.getBytes(StandardCharsets.UTF_8));
        out.println(to + ": gate " + written.gate() + ", "
                + Count.of(written.cases().size(), "case") + "; look it through, commit it, and run tilewright gate");
        return ExitCode.OK.code();
    }

    private String usualBranch(Path folder) throws InterruptedException {
        Optional<Repository> repository = Repository.of(folder);
        if (repository.isEmpty()) {
            err.println(folder + " is in no git repository, where the baseline is looked for: git init makes one");
            return "main";
        }
        return repository.get().usualBranch().orElse("main");
    }

    private ResultDocument result(String text) throws ApiRefusedException, InterruptedException, IOException {
        Path file = Path.of(text);
        if (Files.isRegularFile(file)) {
            return read(text, Files.readAllBytes(file));
        }
        UUID job;
        try {
            job = UUID.fromString(text);
        } catch (IllegalArgumentException neither) {
            throw CommandFailedException.usage("JOB|RESULT.json: must be a job's id or a file, got '" + text + "'");
        }
        try (Connection connection = connect()) {
            return connection.send(api -> api.get("/api/v1/jobs/" + job + "/result", ResultDocument.class));
        }
    }

    private static ResultDocument read(String name, byte[] bytes) {
        try {
            return Json.mapper().readValue(bytes, ResultDocument.class);
        } catch (JacksonException malformed) {
            throw CommandFailedException.usage(
                    name + ": is no result of a job: " + JsonFault.reason(malformed), malformed);
        }
    }
}
