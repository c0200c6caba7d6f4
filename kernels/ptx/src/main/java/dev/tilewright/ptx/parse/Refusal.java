package dev.tilewright.ptx.parse;

/** Ends the reading of one statement; becomes a {@link ParseError}. */
final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Position at;

    Refusal(Position at, String reason) {
        super(reason, null, false, false);
        this.at = at;
    }

    Position at() {
        return at;
    }

    String reason() {
        return String.valueOf(getMessage());
    }
}
