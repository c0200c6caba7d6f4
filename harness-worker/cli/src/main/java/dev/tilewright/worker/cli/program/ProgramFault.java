package dev.tilewright.worker.cli.program;

import java.io.IOException;

/** The end of a comparison by one of its programs, with the last lines that the program printed. */
public final class ProgramFault extends IOException {

    private static final long serialVersionUID = 1;

    private final Kind kind;
    private final String program;

    /** What came in between. */
    public enum Kind {
        /** The program fails, takes no step, or its pack is off. */
        BROKEN,
        /** The program ended well, before enough of its steps were timed. */
        TOO_SHORT,
        /** The program enables a pack where it must have none. */
        ENABLES_A_PACK
    }

    ProgramFault(Kind kind, String program, String message) {
        super(message);
        this.kind = kind;
        this.program = program;
    }

    public Kind kind() {
        return kind;
    }

    /** The name of the program. */
    public String program() {
        return program;
    }
}
