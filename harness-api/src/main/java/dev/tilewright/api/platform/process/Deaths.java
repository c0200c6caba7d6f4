package dev.tilewright.api.platform.process;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** How the children of one place have ended, in words: the exit code, and what the child said last in its log. */
final class Deaths {

    private static final int SIGNALS = 128;
    private static final int LONGEST_TAIL = 1 << 14;
    private static final int LONGEST_REASON = 300;

    private final Path log;
    private long from;
    private int count;
    private String last = "";

    /** @param log to which every child appends */
    Deaths(Path log) {
        this.log = log;
    }

    /** A child is about to be started: what is in the log so far is not by it. */
    void begin() throws IOException {
        from = Files.exists(log) ? Files.size(log) : 0;
    }

    /** @param code exit code; above 128 it is a signal, about which the log of the child says nothing */
    void ended(int code) {
        count++;
        if (code > SIGNALS) {
            last = "the local worker ended with exit code " + code + " (killed by signal " + (code - SIGNALS) + ")";
            return;
        }
        String reason = reason();
        last = "the local worker ended with exit code " + code + (reason.isEmpty() ? "" : ": " + reason);
    }

    void notStarted(IOException why) {
        count++;
        last = "the local worker cannot be started: " + why.getMessage();
    }

    /** How often a child has been, or is to be, started again. */
    int restarts() {
        return count;
    }

    /** One line about the last death. */
    String last() {
        return last;
    }

    /** The same behind what is said of its successor. */
    String before() {
        return last.isEmpty() ? "" : "; before, " + last;
    }

    /** The reason: a line that begins with the name of the verb, otherwise the last line. */
    private String reason() {
        List<String> lines = tail();
        String said = lines.reversed().stream()
                .filter(line -> line.startsWith("tilewright worker: "))
                .map(line -> line.substring("tilewright worker: ".length()))
                .findFirst()
                .orElse(lines.isEmpty() ? "" : lines.getLast());
        said = said.replaceAll("[\\s:]+$", "");
        return said.length() > LONGEST_REASON ? said.substring(0, LONGEST_REASON) + " ..." : said;
    }

    private List<String> tail() {
        try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
            file.seek(Math.max(from, file.length() - LONGEST_TAIL));
            byte[] bytes = new byte[(int) (file.length() - file.getFilePointer())];
            file.readFully(bytes);
            return new String(bytes, StandardCharsets.UTF_8)
                    .lines()
                    .map(line -> line.replaceAll("\\p{Cntrl}", " ").strip())
                    .filter(line -> !line.isEmpty())
                    .toList();
        } catch (IOException unreadable) {
            return List.of();
        }
    }
}
