package dev.tilewright.worker.cli;

import dev.tilewright.gate.qualification.QualificationRun;
import dev.tilewright.results.LinesFile;
import dev.tilewright.worker.link.command.CommandFailedException;
import dev.tilewright.worker.link.json.Json;
import dev.tilewright.worker.link.json.JsonFault;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JacksonException;

/** Runs of a qualification with their blocks: one JSON object a line, or these lines as columns. */
record QualificationFile(Path file) {

    /** Adds a run. */
    void add(QualificationRun run) throws IOException {
        Files.writeString(
                file,
                Json.mapper().writeValueAsString(run) + "\n",
                StandardCharsets.UTF_8,
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
    }

    /**
     * All runs.
     *
     * @throws CommandFailedException naming the line that is none
     */
    List<QualificationRun> read() throws IOException {
        if (!Files.isRegularFile(file)) {
            throw CommandFailedException.usage("there are no blocks in " + file + ": no such file");
        }
        List<QualificationRun> runs = new ArrayList<>();
        int number = 0;
        for (String line : LinesFile.lines(file)) {
            number++;
            if (!line.isBlank()) {
                try {
                    runs.add(Json.mapper().readValue(line, QualificationRun.class));
                } catch (JacksonException unreadable) {
                    throw CommandFailedException.usage(
                            file + ":" + number + ": is no run of a qualification: " + JsonFault.reason(unreadable),
                            unreadable);
                }
            }
        }
        return runs;
    }
}
