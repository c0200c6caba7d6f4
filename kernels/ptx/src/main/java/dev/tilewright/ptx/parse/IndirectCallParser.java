package dev.tilewright.ptx.parse;

import dev.tilewright.ptx.instruction.FunctionCall.Declare;
import dev.tilewright.ptx.instruction.IndirectCall;
import dev.tilewright.ptx.parse.Token.Kind;
import java.util.ArrayList;
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
        List<String> functions = new ArrayList<>();
        do {
            functions.add(CallParser.function(cursor, names));
        } while (cursor.accept(","));
        cursor.expect(";");
        IndirectCall.Targets targets = new IndirectCall.Targets(names.label(name), functions);
        names.declareCallees(targets.name());
        return targets;
    }

    private static List<Declare> variables(Cursor cursor) {
        cursor.expect("(");
        List<Declare> all = new ArrayList<>();
        if (cursor.accept(")")) {
            return all;
        }
        do {
            Token token = cursor.peek();
            if (token.is(Kind.MODIFIER, "reg")) {
                throw Refusal.unsupported(token.at(), "arguments and results in registers (.reg) are not supported");
            }
            if (token.kind() != Kind.MODIFIER || !cursor.acceptModifier("param")) {
                throw cursor.refuse("arguments and results are declared by .param, got " + token.shown());
            }
            Declaration declared = Declaration.read(cursor);
            all.add(CallParser.declaration(declared, declared.name().text()));
        } while (cursor.accept(","));
        cursor.expect(")");
        return all;
    }
}
