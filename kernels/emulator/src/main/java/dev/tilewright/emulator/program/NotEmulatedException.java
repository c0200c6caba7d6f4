package dev.tilewright.emulator.program;

/** An instruction, or a form of one, that the machine does not know. */
public final class NotEmulatedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public NotEmulatedException(String what) {
        super(what, null, false, false);
    }
}
