package dev.tilewright.ptx.parse;

import dev.tilewright.ptx.PtxModule;

/** Reads PTX text. What our writer writes is read back to an equal module. */
public final class PtxParser {
    private PtxParser() {}

    /**
     * The module of the text.
     *
     * @throws PtxParseException with all problems, if there is one
     */
    public static PtxModule parse(String text) {
        return parseLocated(text).module();
    }

    /**
     * As above, with the places of the statements.
     *
     * @throws PtxParseException with all problems, if there is one
     */
    public static ParsedModule parseLocated(String text) {
        return ModuleParser.read(text);
    }
}
