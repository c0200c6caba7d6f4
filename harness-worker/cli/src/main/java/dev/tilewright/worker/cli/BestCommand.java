package dev.tilewright.worker.cli;

import dev.tilewright.bundle.BundleName;
import dev.tilewright.model.exchange.BestConfigs;
import dev.tilewright.worker.cli.board.BestTable;
import dev.tilewright.worker.link.client.ApiRefusedException;
import dev.tilewright.worker.link.command.ExitCode;
import dev.tilewright.worker.link.command.Syntax;
import dev.tilewright.worker.link.json.Json;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** {@code best}: shows the best known configs. */
@Command(
        name = "best",
        description =
                "Show the best known configs, from finals on real GPUs: of all plain problems, of those of a shape"
                        + " or a type, or of the one problem that the options say.")
public final class BestCommand extends ServiceVerb {

    @Mixin
    private ProblemOptions problems = new ProblemOptions();

    @Option(names = "--testbed", paramLabel = "TEXT", description = "Only devices whose name has this text in it.")
    private @Nullable String testbed;

    @Option(
            names = "--family",
            paramLabel = "NAME",
            description = "Only this kernel family; bundle:NAME for the newest version of a bundle that has a final.")
    private @Nullable String family;

    @Option(names = "--json", paramLabel = "FILE", description = "Write the answer of the service to this file.")
    private @Nullable Path jsonFile;

    /**
     * @param out results
     * @param err notices
     */
    public BestCommand(Map<String, String> environment, PrintStream out, PrintStream err) {
        super(environment, out, err);
    }

    @Override
    public Integer call() throws ApiRefusedException, InterruptedException, IOException {
        BestQuestion question = BestQuestion.of(problems).on(testbed, BestQuestion.family(family));
        Syntax.requireWritable("--json", jsonFile);
        try (Connection connection = connect()) {
            JsonNode answer = connection.send(api -> api.get(question.path(), JsonNode.class));
            BestConfigs document = Json.mapper().treeToValue(answer, BestConfigs.class);
            if (jsonFile != null && !document.items().isEmpty()) {
                Json.writeAtomically(jsonFile, Json.pretty().writeValueAsBytes(answer));
            }
            out.show(new BestTable(document, question.words()));
            version(document).ifPresent(out::println);
            return (document.items().isEmpty() ? ExitCode.NEGATIVE : ExitCode.OK).code();
        }
    }

    /** The version of a bundle that the service chose because the user named none. */
    private Optional<String> version(BestConfigs document) {
        return Optional.ofNullable(family)
                .flatMap(BundleName::parse)
                .filter(bundle ->
                        bundle.version().isEmpty() && !document.items().isEmpty())
                .map(bundle -> bundle + " is its newest version with a final here, "
                        + document.items().getFirst().family());
    }
}
