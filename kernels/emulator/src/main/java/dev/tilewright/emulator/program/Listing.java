package dev.tilewright.emulator.program;

import dev.tilewright.ptx.Entry;
import dev.tilewright.ptx.Function;
import dev.tilewright.ptx.PtxModule;
import dev.tilewright.ptx.parse.Position;
import dev.tilewright.ptx.text.PtxWriter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** The text of an entry's statements and of those of the functions, and the lines on which the writer puts them. */
public final class Listing {
    private record Body(String[] text, int[] line) {}

    private final List<String> lines;
    private final Map<String, Body> bodies = new HashMap<>();

    /**
     * Writes the module and finds the statements: the lines before the closing brace that are no marks.
     *
     * @param positions of the entry's statements in the text that the module was read from; if empty, lines are the
     *     writer's
     */
    public Listing(PtxModule module, Entry entry, List<Position> positions) {
        lines = PtxWriter.write(module).lines().toList();
        String head = ".entry " + entry.name() + "(";
        Body own = body(line -> line.contains(head), entry.body().size());
        for (int i = 0; i < positions.size(); i++) {
            own.line[i] = positions.get(i).line();
        }
        bodies.put("", own);
        for (Function function : module.functions()) {
            String call = " " + function.name() + "(";
            bodies.put(
                    function.name(),
                    body(
                            line -> line.contains(".func ") && line.contains(call) && !line.endsWith(";"),
                            function.body().size()));
        }
    }

    private Body body(Predicate<String> head, int size) {
        Body body = new Body(new String[size], new int[size]);
        if (size == 0) {
            return body;
        }
        int at = 0;
        while (!head.test(lines.get(at))) {
            at++;
        }
        while (!lines.get(at).equals("}")) {
            at++;
        }
        for (int statement = size - 1; statement >= 0; ) {
            at--;
            if (!lines.get(at).startsWith("    //@")) {
                body.text[statement] = lines.get(at).strip();
                body.line[statement] = at + 1;
                statement--;
            }
        }
        return body;
    }

    /** Text of a statement of the entry. */
    public String text(int statement) {
        return text("", statement);
    }

    /** Its line, counted from 1. */
    public int line(int statement) {
        return line("", statement);
    }

    /** Text of a statement of a function, or of the entry if the function is "". */
    public String text(String function, int statement) {
        return body(function).text[statement];
    }

    /** Its line, counted from 1. */
    public int line(String function, int statement) {
        return body(function).line[statement];
    }

    private Body body(String function) {
        Body body = bodies.get(function);
        if (body == null) {
            throw new IllegalArgumentException("no function named " + function);
        }
        return body;
    }
}
