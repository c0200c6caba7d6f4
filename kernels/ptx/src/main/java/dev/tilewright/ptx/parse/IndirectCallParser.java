package dev.tilewright.ptx.parse;

import dev.tilewright.ptx.instruction.FunctionCall.Declare;
import dev.tilewright.ptx.instruction.IndirectCall;
import java.util.List;

/** Parses prototypes and lists of functions, which tell an {@link IndirectCall.Call} its possible callees. */
final class IndirectCallParser {
    private IndirectCallParser() {}

    /** Behind {@code name: .callprototype}; the names of its parameters mean nothing. */
    static IndirectCall.Prototype prototype(Cursor cursor, Names names, Token name) {
        List<Declare> results = cursor.peek().isMark("(") ? variables(cursor) : List.of();
        if (!cursor.word("_").text().equals("_")) {
            throw new Refusal(name.at(), "a prototype has _ where a function has its name");
        }
        List<Declare> params = cursor.peek().isMark("(") ? variables(cursor) : List.of();
        boolean noReturn = cursor.acceptModifier("noreturn");
        cursor.expect(";");
        IndirectCall.Prototype prototype = new IndirectCall.Prototype(names.label(name), results, params, noReturn);
        names.declareCallees(prototype.name());
        return prototype;
    }

    /** Behind {@code name: .calltargets}. */
    static IndirectCall.Targets targets(Cursor cursor, Names names, Token name) {
        List<String> functions = cursor.list(() -> CallParser.function(cursor, names));
        cursor.expect(";");
        IndirectCall.Targets targets = new IndirectCall.Targets(names.label(name), functions);
        names.declareCallees(targets.name());
        return targets;
    }

    private static List<Declare> variables(Cursor cursor) {
        return cursor.inParentheses(() -> {
            CallParser.space(cursor);
            Declaration declared = Declaration.read(cursor);
            return CallParser.declaration(declared, declared.name().text());
        });
    }
}
