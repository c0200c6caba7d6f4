package dev.tilewright.worker.cli.program;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** The end of a comparison by one of its programs, with the last lines that the program printed. */
public final class ProgramFault extends IOException {

    private static final long serialVersionUID = 1;

    private final Kind kind;
    private final String program;
    private final int steps;
    private final String reason;
    private final transient List<String> printed;

    /** The reason. */
    public enum Kind {
        /** The program fails, takes no step, or its pack is off. */
        BROKEN,
        /** The program ended well, before enough of its steps were timed. */
        TOO_SHORT,
        /** The program uses no GPU where it must. */
        WITHOUT_A_GPU,
        /** The program enables a pack where it must have none. */
        ENABLES_A_PACK
    }

    /**
     * @param program its name
     * @param steps that it was asked for until then, behind its first
     * @param printed its last lines; empty if they do not matter
     */
    ProgramFault(Kind kind, String program, int steps, String reason, Optional<List<String>> printed) {
        super(reason + printed.map(ProgramFault::behind).orElse(""));
        this.kind = kind;
        this.program = program;
        this.steps = steps;
        this.reason = reason;
        this.printed = printed.orElse(List.of());
    }

    private static String behind(List<String> printed) {
        return printed.isEmpty() ? "; it printed nothing" : "; it printed:\n  " + String.join("\n  ", printed);
    }

    public Kind kind() {
        return kind;
    }

    /** The name of the program. */
    public String program() {
        return program;
    }

    /** The reason, without what it printed. */
    public String reason() {
        return reason;
    }

    /** The last lines that it printed. */
    public List<String> printed() {
        return printed;
    }

    /** How many steps it was asked for, behind its first. */
    int steps() {
        return steps;
    }
}
