package dev.tilewright.worker.cli;

import dev.tilewright.worker.board.ResultDocument;
import dev.tilewright.worker.board.SweepExport;
import dev.tilewright.worker.json.Json;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.core.JacksonException;

/** {@code sweeps}: turns results of {@code tune --json} into stored sweeps. */
@Command(
        name = "sweeps",
        description = "Add the trials of result documents to stored sweeps, one CSV file for each shape."
                + " Simulated and emulated studies are left out.")
public final class SweepsCommand implements Callable<Integer> {

    @Parameters(paramLabel = "RESULT", arity = "1..*", description = "Result documents of tune --json.")
    private List<Path> results = new ArrayList<>();

    @Option(names = "--to", paramLabel = "DIR", required = true, description = "Folder of the sweeps.")
    private Path folder = Path.of(".");

    @Option(names = "--commit", paramLabel = "HASH", description = "Commit that the results were measured with.")
    private String commit = "";

    private final PrintStream out;

    public SweepsCommand(PrintStream out) {
        this.out = out;
    }

    @Override
    public Integer call() throws IOException {
        SweepExport export = new SweepExport(commit);
        SweepFolder sweeps = new SweepFolder(folder);
        boolean any = false;
        for (Path result : results) {
            if (!Files.isReadable(result)) {
                throw new CommandFailedException(ExitCode.USAGE, "cannot read " + result);
            }
            try {
                ResultDocument document = Json.mapper().readValue(result.toFile(), ResultDocument.class);
                for (SweepFolder.Added added : sweeps.add(export.sweeps(document))) {
                    any = true;
                    out.println(added);
                }
            } catch (JacksonException | IllegalArgumentException wrong) {
                throw new CommandFailedException(ExitCode.USAGE, result + ": " + wrong.getMessage());
            }
        }
        return (any ? ExitCode.OK : ExitCode.NEGATIVE).code();
    }
}
