package dev.tilewright.ptx.parse;

import dev.tilewright.ptx.Function;
import dev.tilewright.ptx.Linkage;
import dev.tilewright.ptx.instruction.FunctionCall.Declare;
import dev.tilewright.ptx.parse.Token.Kind;
import java.util.List;

/** A function that kernels call, with or without its body. */
final class FunctionParser {
    private final Cursor cursor;
    private final Problems problems;
    private boolean noReturn;

    /** A function and where its statements are. */
    record Located(Function function, List<Position> positions) {}

    FunctionParser(Cursor cursor, Problems problems) {
        this.cursor = cursor;
        this.problems = problems;
    }

    /** Reads on behind {@code .func}. */
    Located read(Names module, Linkage linkage) {
        Names names = module.function();
        List<Declare> results = cursor.peek().isMark("(") ? variables(names) : List.of();
        Token name = cursor.word("the name of a function");
        List<Declare> params = cursor.peek().isMark("(") ? variables(names) : List.of();
        // It may call itself.
        module.declareFunction(name.text());
        while (cursor.peek().kind() == Kind.MODIFIER) {
            attribute();
        }
        BodyParser body = new BodyParser(cursor, problems, names);
        boolean external = cursor.accept(";");
        if (!external) {
            body.read();
        }
        Function function = new Function(
                name.text(),
                linkage,
                external,
                noReturn,
                results,
                params,
                body.shared(),
                body.locals(),
                body.registers(),
                body.statements());
        return new Located(function, body.positions());
    }

    private List<Declare> variables(Names names) {
        return cursor.inParentheses(() -> {
            CallParser.space(cursor);
            return CallParser.declare(cursor, names);
        });
    }

    /** Promises to the assembler that say nothing of what the function does. */
    private void attribute() {
        Token directive = cursor.next();
        switch (directive.text()) {
            case "noreturn" -> noReturn = true;
            case "abi_preserve", "abi_preserve_control" ->
                new Constants(cursor).integer("." + directive.text(), 0, 1 << 20);
            case "pragma" -> cursor.skipPragma(directive);
            default -> throw Directives.unread(directive, "." + directive.text() + " is not supported");
        }
    }
}
