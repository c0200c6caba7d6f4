package dev.tilewright.ptx.parse;

/**
 * Why a piece of text was not read.
 *
 * @param subject the mnemonic or directive it happened in, as written
 * @param reason what is not allowed, unknown or not supported, with the offending text
 */
public record ParseError(Position at, String subject, String reason) {
    /** Whether this may be PTX that we do not know; otherwise it is none. The reason says so. */
    public boolean unsupported() {
        return reason.contains("not supported") || reason.contains("that we know");
    }

    @Override
    public String toString() {
        return at + ": " + subject + ": " + reason;
    }
}
