package dev.tilewright.ptx.parse;

/**
 * Why a piece of text was not read.
 *
 * @param subject the mnemonic or directive it happened in, as written
 * @param reason what is not allowed, unknown or not supported, with the offending text
 */
public record Problem(Position at, String subject, String reason) {
    @Override
    public String toString() {
        return at + ": " + subject + ": " + reason;
    }
}
