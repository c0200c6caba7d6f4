package dev.tilewright.ptx.parse;

import java.util.List;
import java.util.stream.Collectors;

/** A text that is not PTX, or has instructions that we do not know: all that is wrong with it, in the text's order. */
public final class PtxParseException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    /** A message shows no more. */
    private static final int SHOWN = 200;

    private final transient List<ParseError> problems;

    PtxParseException(List<ParseError> problems) {
        super(message(problems));
        this.problems = List.copyOf(problems);
    }

    private static String message(List<ParseError> problems) {
        String shown = problems.stream().limit(SHOWN).map(ParseError::toString).collect(Collectors.joining("\n"));
        return problems.size() <= SHOWN ? shown : shown + "\nand " + (problems.size() - SHOWN) + " more";
    }

    /** In the order of the text. */
    public List<ParseError> problems() {
        return problems;
    }
}
