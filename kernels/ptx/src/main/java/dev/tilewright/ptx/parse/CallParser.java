package dev.tilewright.ptx.parse;

import dev.tilewright.ptx.instruction.FunctionCall;
import dev.tilewright.ptx.instruction.IndirectCall;
import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.parse.Addresses.BaseOffset;
import dev.tilewright.ptx.parse.Token.Kind;
import dev.tilewright.ptx.type.Label;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.StateSpace;
import java.util.List;
import java.util.Optional;

/** {@link FunctionCall}. */
final class CallParser {
    private CallParser() {}

    static Instruction call(Line in) {
        boolean uniform = in.has("uni");
        in.operand();
        List<String> results = in.cursor().peek().isMark("(") ? variables(in) : List.of();
        if (!results.isEmpty()) {
            in.operand();
        }
        if (results.size() > 1) {
            throw in.refuse("a call has at most one result, got " + results.size());
        }
        Optional<String> result = results.stream().findFirst();
        boolean indirect = in.names().register(in.cursor().peek().text()) != null;
        if (!indirect) {
            return new FunctionCall.Call(uniform, result, function(in.cursor(), in.names()), arguments(in));
        }
        Reg<RegisterType> pointer = in.bareRegister();
        List<String> arguments = arguments(in);
        if (!in.more()) {
            throw in.refuse("a call through a register names a prototype or a list of functions");
        }
        in.operand();
        Token callees = in.cursor().word("a prototype or list of functions");
        return new IndirectCall.Call(
                uniform, result, pointer, arguments, in.names().callees(callees));
    }

    /** In parentheses behind the function, if they are there. */
    private static List<String> arguments(Line in) {
        if (!in.more() || !in.cursor().peek(1).isMark("(")) {
            return List.of();
        }
        in.operand();
        return variables(in);
    }

    /** The name of a function that was declared before. */
    static String function(Cursor cursor, Names names) {
        Token function = cursor.word("a function");
        if (!names.isFunction(function.text())) {
            throw names.missing(function, "no function named " + function.text());
        }
        return function.text();
    }

    private static List<String> variables(Line in) {
        return in.cursor()
                .inParentheses(() -> variable(in, in.cursor().word("a variable declared by .param"))
                        .name());
    }

    private static Symbol variable(Line in, Token name) {
        return variableOrNone(in, name)
                .orElseThrow(() -> Refusal.unsupported(
                        name.at(), name.text() + " is no variable declared by .param; others are not supported"));
    }

    private static Optional<Symbol> variableOrNone(Line in, Token name) {
        return Optional.ofNullable(in.symbol(name)).filter(Symbol::ofCall);
    }

    /** ld.param of a result, or in a function of an argument; the destination is read. */
    static Instruction load(Line in, ScalarType type, List<Reg<?>> d) {
        BaseOffset address = Addresses.bracketed(in);
        return new FunctionCall.LoadParam(type, d, variable(in, address.base()).name(), address.offset());
    }

    /** st.param of an argument, or in a function of its result. */
    static Instruction store(Line in, ScalarType type, int elements) {
        BaseOffset address = Addresses.bracketed(in);
        Symbol symbol = variable(in, address.base());
        List<Operand<?>> values = in.scalarOrVector(type, elements);
        return new FunctionCall.StoreParam(type, symbol.name(), address.offset(), values);
    }

    static Instruction branchIndexed(Line in) {
        in.require("idx");
        boolean uniform = in.has("uni");
        Operand<?> index = in.word();
        in.operand();
        Token table = in.cursor().word("a table of labels");
        List<Label> targets = in.names().table(table);
        return new FunctionCall.BranchIndexed(uniform, index, in.names().label(table), targets);
    }

    /** Behind {@code name: .branchtargets}. */
    static FunctionCall.BranchTable table(Cursor cursor, Names names, Token name) {
        List<Label> targets = cursor.list(() -> names.label(cursor.word("a label")));
        cursor.expect(";");
        FunctionCall.BranchTable table = new FunctionCall.BranchTable(names.label(name), targets);
        names.declareTable(table.name(), table.targets());
        return table;
    }

    /** Takes the state space of an argument or a result. */
    static void space(Cursor cursor) {
        Token token = cursor.peek();
        if (token.is(Kind.MODIFIER, "reg")) {
            throw Refusal.unsupported(token.at(), "arguments and results in registers (.reg) are not supported");
        }
        if (!cursor.acceptModifier("param")) {
            throw cursor.refuse("arguments and results are declared by .param, got " + token.shown());
        }
    }

    /** Declares a parameter variable in a body or in the head of a function. */
    static FunctionCall.Declare declare(Cursor cursor, Names names) {
        Declaration declared = Declaration.read(cursor);
        Token name = declared.name();
        if (declared.array() && declared.elements() == 0) {
            throw new Refusal(name.at(), name.text() + " needs a size");
        }
        String unique = names.uniqueSymbol(name.text());
        names.declare(name, new Symbol(unique, StateSpace.PARAM, true));
        return declaration(declared, unique);
    }

    static FunctionCall.Declare declaration(Declaration declared, String name) {
        return new FunctionCall.Declare(
                declared.type(), name, declared.alignment(), declared.array() ? declared.elements() : 0);
    }
}
