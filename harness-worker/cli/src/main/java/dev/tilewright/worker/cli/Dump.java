package dev.tilewright.worker.cli;

import dev.tilewright.launch.BufferDescription;
import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.launch.reader.NpyWriter;
import dev.tilewright.proof.file.FileCheckResult;
import dev.tilewright.worker.link.command.CommandFailedException;
import dev.tilewright.worker.link.command.Syntax;
import dev.tilewright.worker.link.json.Json;
import java.io.IOException;
import java.nio.file.Path;

/**
 * A buffer that is written to a file as the last run left it.
 *
 * @param buffer its name in the description
 * @param file where NumPy's array goes
 */
record Dump(String buffer, Path file) {
    private static final String OPTION = "--dump";

    /** Reads {@code BUFFER=FILE}. */
    static Dump of(String text) {
        int equals = text.indexOf('=');
        if (equals < 1 || equals == text.length() - 1) {
            throw CommandFailedException.usage(OPTION + ": must be BUFFER=FILE.npy, got '" + text + "'");
        }
        Path file = Path.of(text.substring(equals + 1));
        Syntax.requireWritable(OPTION, file);
        return new Dump(text.substring(0, equals), file);
    }

    /** The buffer's description; there must be one. */
    BufferDescription in(LaunchDescription launch) {
        return launch.buffers().stream()
                .filter(described -> described.name().equals(buffer))
                .findFirst()
                .orElseThrow(() -> CommandFailedException.usage(OPTION + ": must name a buffer of "
                        + launch.buffers().stream().map(BufferDescription::name).toList()
                        + ", got '" + buffer + "'"));
    }

    /** Writes it; the line that says so. */
    String write(LaunchDescription launch, FileCheckResult checked) throws IOException {
        byte[] content = checked.memory().get(buffer);
        if (content == null) {
            return "not written: " + file + ", for no run was made";
        }
        Json.writeAtomically(file, NpyWriter.file(in(launch), content));
        return "written: " + file + ", buffer " + buffer + " as seed " + checked.seed() + " left it";
    }
}
