package dev.tilewright.ptx.parse;

/**
 * Why a piece of text was not read.
 *
 * @param subject the mnemonic or directive it happened in, as written
 * @param reason what is not allowed, unknown or not supported, with the offending text
 * @param unsupported whether this is PTX, or may be, that is not known here; otherwise it is none
 */
public record ParseError(Position at, String subject, String reason, boolean unsupported) {

    @Override
    public String toString() {
        return at + ": " + subject + ": " + reason;
    }
}
