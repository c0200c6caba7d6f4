package dev.tilewright.ptx.parse;

import java.util.List;
import java.util.stream.Collectors;

/** A text that is not PTX, or has instructions that we do not know: all that is wrong with it, in the text's order. */
public final class PtxParseException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient List<Problem> problems;

    PtxParseException(List<Problem> problems) {
        super(problems.stream().map(Problem::toString).collect(Collectors.joining("\n")));
        this.problems = List.copyOf(problems);
    }

    public List<Problem> problems() {
        return problems;
    }
}
