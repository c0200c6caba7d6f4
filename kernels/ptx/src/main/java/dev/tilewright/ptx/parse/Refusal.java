package dev.tilewright.ptx.parse;

/** Ends the reading of one statement; becomes a {@link ParseError}. */
final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Position at;
    private final boolean unsupported;

    /** For what is no PTX. */
    Refusal(Position at, String reason) {
        this(at, reason, false);
    }

    private Refusal(Position at, String reason, boolean unsupported) {
        super(reason, null, false, false);
        this.at = at;
        this.unsupported = unsupported;
    }

    /** For what is PTX, or may be, and is not known here. */
    static Refusal unsupported(Position at, String reason) {
        return new Refusal(at, reason, true);
    }

    Position at() {
        return at;
    }

    boolean unsupported() {
        return unsupported;
    }

    String reason() {
        return String.valueOf(getMessage());
    }
}
