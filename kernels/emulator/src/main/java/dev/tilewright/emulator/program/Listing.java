package dev.tilewright.emulator.program;

import dev.tilewright.ptx.Entry;
import dev.tilewright.ptx.PtxModule;
import dev.tilewright.ptx.parse.Position;
import dev.tilewright.ptx.text.PtxWriter;
import java.util.List;

/** The text of an entry's statements, and the lines on which they stand. */
public final class Listing {
    private final String[] text;
    private final int[] line;

    /** With the lines on which the writer puts the statements. */
    public Listing(PtxModule module, Entry entry) {
        this(module, entry, List.of());
    }

    /**
     * Writes the module and finds the statements: the lines before the closing brace that are no marks.
     *
     * @param positions of the statements in the text that the module was read from; if empty, lines are the writer's
     */
    public Listing(PtxModule module, Entry entry, List<Position> positions) {
        List<String> lines = PtxWriter.write(module).lines().toList();
        int size = entry.body().size();
        text = new String[size];
        line = new int[size];
        int begin = 0;
        while (!lines.get(begin).startsWith(".visible .entry " + entry.name() + "(")) {
            begin++;
        }
        int at = begin;
        while (!lines.get(at).equals("}")) {
            at++;
        }
        for (int statement = size - 1; statement >= 0; ) {
            at--;
            if (!lines.get(at).startsWith("    //@")) {
                text[statement] = lines.get(at).strip();
                line[statement] =
                        positions.isEmpty() ? at + 1 : positions.get(statement).line();
                statement--;
            }
        }
    }

    /** Text of a statement. */
    public String text(int statement) {
        return text[statement];
    }

    /** Its line, counted from 1. */
    public int line(int statement) {
        return line[statement];
    }
}
