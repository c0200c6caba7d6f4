package dev.tilewright.emulator.program;

import dev.tilewright.ptx.Entry;
import dev.tilewright.ptx.PtxModule;
import dev.tilewright.ptx.text.PtxWriter;
import java.util.List;

/** The text of an entry's statements, and the lines on which the writer puts them. */
public final class Listing {
    private final String[] text;
    private final int[] line;

    /** Writes the module and finds the statements: the lines before the closing brace that are no marks. */
    public Listing(PtxModule module, Entry entry) {
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
                line[statement] = at + 1;
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
