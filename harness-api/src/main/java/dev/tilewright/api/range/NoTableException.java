package dev.tilewright.api.range;

/** There is no table for a range; the message says why. */
final class NoTableException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    NoTableException(String why) {
        super(why);
    }
}
