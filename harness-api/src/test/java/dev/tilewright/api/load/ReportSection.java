package dev.tilewright.api.load;

import dev.tilewright.testing.ResultFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A part of the document of the service's figures that one test writes, and leaves the others as they are. */
record ReportSection(String name, Class<?> writer) {

    private static final Path DOCUMENT = Path.of("../docs/results/service.md");

    /** @param text from its heading to its last line */
    void write(String text) throws IOException {
        String begin = "<!-- %s: written by %s -->\n".formatted(name, writer.getSimpleName());
        String end = "<!-- /%s -->\n".formatted(name);
        Path document = ResultFile.of(DOCUMENT);
        String before = Files.exists(document) ? Files.readString(document) : "# The service\n";
        int first = before.indexOf(begin);
        String section = begin + text + end;
        Files.writeString(
                document,
                first < 0
                        ? before + "\n" + section
                        : before.substring(0, first) + section + before.substring(before.indexOf(end) + end.length()));
    }
}
