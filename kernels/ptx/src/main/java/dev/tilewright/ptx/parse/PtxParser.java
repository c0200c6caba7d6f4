package dev.tilewright.ptx.parse;

import dev.tilewright.ptx.PtxModule;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

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
     * As above, with the positions of the statements.
     *
     * @throws PtxParseException with all problems, if there is one
     */
    public static ParsedModule parseLocated(String text) {
        return ModuleParser.read(text, Optional.empty());
    }

    /** The names of the kernels in the text, also of those that we cannot read, in its order. */
    public static List<String> entryNames(String text) {
        Cursor cursor = Lexer.read(text, new Problems());
        List<String> names = new ArrayList<>();
        while (!cursor.atEnd()) {
            if (cursor.next().is(Token.Kind.MODIFIER, "entry") && cursor.peek().kind() == Token.Kind.WORD) {
                names.add(cursor.peek().text());
            }
        }
        return names;
    }

    /**
     * As above, for one kernel: other kernels, and functions that it does not need, are left out.
     *
     * @param entry the name of the kernel; all are wanted if the text has none of that name
     * @throws PtxParseException with all problems of what is wanted, if there is one
     */
    public static ParsedModule parseLocated(String text, String entry) {
        return ModuleParser.read(text, Optional.of(entry));
    }
}
