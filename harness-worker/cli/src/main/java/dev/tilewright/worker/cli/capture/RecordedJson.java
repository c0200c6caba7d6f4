package dev.tilewright.worker.cli.capture;

import dev.tilewright.launch.document.DocumentException;
import dev.tilewright.launch.document.DocumentReader;
import dev.tilewright.launch.document.Node;
import dev.tilewright.model.text.FileFault;
import dev.tilewright.worker.link.command.CommandFailedException;
import dev.tilewright.worker.link.command.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads a file of a recording; every field that is wrong is refused with its JSON pointer, its value and the rule. */
final class RecordedJson {

    private static final Pattern COMPLAINT = Pattern.compile("(\\d+:\\d+): (.*?): (.*)", Pattern.DOTALL);

    private RecordedJson() {}

    /**
     * Reads a file of at most {@link DocumentReader#MOST_JSON} bytes.
     *
     * @param option that named it
     * @throws CommandFailedException with a line for each fault
     */
    static <T> T read(String option, Path file, Function<Node, T> reader) {
        try {
            if (Files.size(file) > DocumentReader.MOST_JSON) {
                throw CommandFailedException.usage(option + ": " + file + ": must have at most "
                        + DocumentReader.MOST_JSON + " bytes, has " + Files.size(file));
            }
            return reader.apply(DocumentReader.read(Files.readString(file), true));
        } catch (IOException unreadable) {
            throw CommandFailedException.usage(
                    option + ": " + file + ": cannot be read: " + FileFault.reason(unreadable));
        } catch (DocumentException wrong) {
            List<String> lines =
                    wrong.faults().stream().map(RecordedJson::pointed).toList();
            throw new CommandFailedException(
                    ExitCode.USAGE,
                    option + ": " + file + ": " + lines.getFirst(),
                    lines.subList(1, lines.size()),
                    wrong);
        }
    }

    /** The path of a complaint as a pointer: {@code problems[2].n} is {@code /problems/2/n}. */
    private static String pointed(String complaint) {
        Matcher parts = COMPLAINT.matcher(complaint);
        if (!parts.matches()) {
            return complaint;
        }
        String path = parts.group(2);
        String pointer = path.equals("document")
                ? "the document"
                : "/" + path.replaceAll("\\[(\\d+)]", ".$1").replace('.', '/');
        return pointer + ": " + parts.group(3) + " (line " + parts.group(1).split(":", -1)[0] + ")";
    }
}
