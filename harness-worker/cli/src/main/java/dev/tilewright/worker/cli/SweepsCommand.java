package dev.tilewright.worker.cli;

import dev.tilewright.model.exchange.ResultDocument;
import dev.tilewright.results.ColumnFile;
import dev.tilewright.worker.cli.board.SweepExport;
import dev.tilewright.worker.link.command.CommandFailedException;
import dev.tilewright.worker.link.command.ExitCode;
import dev.tilewright.worker.link.json.Json;
import dev.tilewright.worker.link.json.JsonFault;
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
        description =
                "Add the trials of result documents to stored sweeps, one file for each shape: as CSV, or to a file of"
                        + " columns if the shape has one. Simulated and emulated studies are left out.")
public final class SweepsCommand implements Callable<Integer> {

    @Parameters(
            paramLabel = "RESULT",
            arity = "1..*",
            description = "Result documents of tune --json, or their columns.")
    private List<Path> results = new ArrayList<>();

    @Option(names = "--to", paramLabel = "DIR", required = true, description = "Folder of the sweeps.")
    private Path folder = Path.of(".");

    @Option(names = "--commit", paramLabel = "HASH", description = "Commit that the results were measured with.")
    private String commit = "";

    private final Printer out;
    private final PrintStream err;

    /**
     * @param out what was stored
     * @param err why nothing was
     */
    public SweepsCommand(Printer out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    @Override
    public Integer call() throws IOException {
        SweepExport export = new SweepExport(commit);
        SweepFolder sweeps = new SweepFolder(folder);
        boolean any = false;
        List<String> kinds = new ArrayList<>();
        for (Path result : results) {
            if (!Files.isReadable(result)) {
                throw CommandFailedException.usage("cannot read " + result);
            }
            try {
                ResultDocument document = Json.mapper().treeToValue(ColumnFile.read(result), ResultDocument.class);
                kinds.addAll(kinds(document));
                for (SweepFolder.Added added : sweeps.add(export.sweeps(document))) {
                    any = true;
                    out.println(added.toString());
                }
            } catch (JacksonException malformed) {
                throw CommandFailedException.usage(
                        result + ": is not a result document of tune --json: " + JsonFault.reason(malformed));
            } catch (IllegalArgumentException wrong) {
                throw CommandFailedException.of(result, wrong);
            }
        }
        if (!any) {
            err.println("nothing was stored: a sweep has times of one plain GEMM on a real GPU, and "
                    + (kinds.isEmpty()
                            ? "the results have no study"
                            : "the studies of the results are " + String.join(", ", kinds)));
        }
        return (any ? ExitCode.OK : ExitCode.NEGATIVE).code();
    }

    /** Kinds of the studies of a result, each once. */
    private static List<String> kinds(ResultDocument document) {
        return document.studies().stream()
                .map(study -> study.isSimulated()
                        ? "simulated"
                        : study.isEmulated()
                                ? "emulated"
                                : study.document().testbed() == null
                                        ? "without a testbed"
                                        : "of groups, batches or other types")
                .distinct()
                .toList();
    }
}
