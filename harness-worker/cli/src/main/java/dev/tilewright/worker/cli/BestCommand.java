package dev.tilewright.worker.cli;

import dev.tilewright.bundle.BundleName;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.worker.cli.board.BestDocument;
import dev.tilewright.worker.cli.board.BestTable;
import dev.tilewright.worker.link.client.ApiRefusedException;
import dev.tilewright.worker.link.command.ExitCode;
import dev.tilewright.worker.link.command.Suggestion;
import dev.tilewright.worker.link.command.Syntax;
import dev.tilewright.worker.link.json.Json;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** {@code best}: shows the best known configs. */
@Command(name = "best", description = "Show the best known configs, from finals on real GPUs.")
public final class BestCommand implements Callable<Integer> {

    @Option(names = "--shape", paramLabel = "MxNxK", description = "Only this problem shape.")
    private @Nullable String shape;

    @Option(names = "--dtype", paramLabel = "TYPE", description = "Only this element type.")
    private @Nullable String dtype;

    @Option(names = "--testbed", paramLabel = "TEXT", description = "Only devices whose name has this text in it.")
    private @Nullable String testbed;

    @Option(
            names = "--family",
            paramLabel = "NAME",
            description = "Only this kernel family; bundle:NAME for the newest version of a bundle that has a final.")
    private @Nullable String family;

    @Option(names = "--json", paramLabel = "FILE", description = "Write the answer of the service to this file.")
    private @Nullable Path jsonFile;

    @Mixin
    private ServiceOptions service = new ServiceOptions();

    private final Map<String, String> environment;
    private final PrintStream out;
    private final PrintStream err;

    /**
     * @param out results
     * @param err notices
     */
    public BestCommand(Map<String, String> environment, PrintStream out, PrintStream err) {
        this.environment = environment;
        this.out = out;
        this.err = err;
    }

    @Override
    public Integer call() throws InterruptedException, IOException {
        Map<String, String> question = question();
        Syntax.requireWritable("--json", jsonFile);
        // A service that is started to answer a question needs no GPU.
        try (Connection connection = service.connect(environment, "simulated:h200", err)) {
            JsonNode answer = connection.send(api -> api.get("/api/v1/best" + query(question), JsonNode.class));
            BestDocument document = Json.mapper().treeToValue(answer, BestDocument.class);
            if (jsonFile != null && !document.items().isEmpty()) {
                Json.writeAtomically(jsonFile, Json.pretty().writeValueAsBytes(answer));
            }
            String asked = question.isEmpty()
                    ? ""
                    : " for "
                            + question.entrySet().stream()
                                    .map(entry -> entry.getKey() + " " + entry.getValue())
                                    .collect(Collectors.joining(", "));
            new BestTable(document).lines(asked).forEach(out::println);
            version(document).ifPresent(out::println);
            return (document.items().isEmpty() ? ExitCode.NEGATIVE : ExitCode.OK).code();
        } catch (ApiRefusedException refused) {
            throw Faults.asSaid(refused);
        }
    }

    /** Which version of a bundle is meant where none was named. */
    private Optional<String> version(BestDocument document) {
        return Optional.ofNullable(family)
                .flatMap(BundleName::parse)
                .filter(bundle ->
                        bundle.version().isEmpty() && !document.items().isEmpty())
                .map(bundle -> bundle + " is its newest version with a final here, "
                        + document.items().getFirst().family());
    }

    private Map<String, String> question() {
        Map<String, String> question = new LinkedHashMap<>();
        if (shape != null) {
            question.put(
                    "shape",
                    Syntax.read("--shape", shape, Suggestion::readShape).toString());
        }
        if (dtype != null) {
            question.put("dtype", Syntax.read("--dtype", dtype, DataType::parse).toString());
        }
        if (testbed != null) {
            question.put("testbed", testbed);
        }
        if (family != null) {
            question.put("family", BestQuestion.family(family));
        }
        return question;
    }

    private static String query(Map<String, String> question) {
        return question.isEmpty()
                ? ""
                : question.entrySet().stream()
                        .map(entry ->
                                entry.getKey() + "=" + URLEncoder.encode(entry.getValue(), StandardCharsets.UTF_8))
                        .collect(Collectors.joining("&", "?", ""));
    }
}
