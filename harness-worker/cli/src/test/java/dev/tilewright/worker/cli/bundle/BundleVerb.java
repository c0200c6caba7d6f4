package dev.tilewright.worker.cli.bundle;

import dev.tilewright.worker.cli.RootCommand;
import dev.tilewright.worker.cli.export.TextAssembler;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import picocli.CommandLine;

/** The verb as a user calls it. */
record BundleVerb(Map<String, String> environment, TextAssembler assembler) {

    /** What a user sees of one call. */
    record Seen(int exit, List<String> out, String err) {}

    static BundleVerb withoutAssembler() {
        return new BundleVerb(System.getenv(), (_, _) -> new TextAssembler.Outcome.Unavailable("no ptxas here"));
    }

    Seen run(Object... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        StringWriter err = new StringWriter();
        CommandLine verbs = RootCommand.commandLine(
                environment,
                new BundleCommand(
                        environment, assembler, Clock.systemUTC(), new PrintStream(out, true, StandardCharsets.UTF_8)));
        verbs.setErr(new PrintWriter(err, true));
        int exit = verbs.execute(Stream.concat(Stream.of("bundle"), Stream.of(arguments))
                .map(Object::toString)
                .toArray(String[]::new));
        return new Seen(exit, out.toString(StandardCharsets.UTF_8).lines().toList(), err.toString());
    }
}
