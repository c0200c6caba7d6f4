package dev.tilewright.ptx.parse;

import dev.tilewright.ptx.parse.Token.Kind;
import dev.tilewright.ptx.type.Label;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.ScalarType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One instruction while it is read: its operands, in their order, behind its modifiers. At the first operand every
 * modifier must have been taken. The types of registers are compared afterwards, by {@link TypeCheck}, so the casts
 * here promise nothing.
 */
final class Line extends Mnemonic {
    private final Cursor cursor;
    private final Names names;
    private final Temporaries temporaries;
    private boolean operands;

    Line(Cursor cursor, Names names, Temporaries temporaries) {
        super(cursor);
        this.cursor = cursor;
        this.names = names;
        this.temporaries = temporaries;
    }

    Names names() {
        return names;
    }

    Temporaries temporaries() {
        return temporaries;
    }

    Cursor cursor() {
        return cursor;
    }

    /** Goes to the next operand. */
    void operand() {
        if (operands) {
            cursor.expect(",");
        } else {
            requireNoModifier();
        }
        operands = true;
    }

    /** Whether another operand follows. */
    boolean more() {
        return operands ? cursor.peek().isMark(",") : !cursor.peek().isMark(";");
    }

    /** A register of any type. */
    <T extends RegisterType> Reg<T> register() {
        operand();
        return bareRegister();
    }

    <T extends RegisterType> Reg<T> bareRegister() {
        Token token = cursor.word("a register");
        return cast(known(token));
    }

    /** A register or constant read as that type. */
    <T extends RegisterType> Operand<T> value(ScalarType type) {
        operand();
        return bareValue(type);
    }

    <T extends RegisterType> Operand<T> bareValue(ScalarType type) {
        Token token = cursor.peek();
        if (token.isMark("!") && cursor.peek(1).kind() == Kind.NUMBER) {
            throw Constants.unread(token);
        }
        if (Constants.begins(token) && names.register(token.text()) == null) {
            return Literal.operand(new Constants(cursor).literal(), type, token.at());
        }
        if (token.is(Kind.WORD, "_")) {
            throw cursor.refuse("a source is needed, got '_'");
        }
        return bareRegister();
    }

    Operand<B32> word() {
        return value(ScalarType.B32);
    }

    Operand<B64> wide() {
        return value(ScalarType.B64);
    }

    Reg<Pred> predicate() {
        return register();
    }

    /** How many operands are left. */
    int left() {
        int left = operands || !more() ? 0 : 1;
        int depth = 0;
        for (int i = 0; !cursor.peek(i).isMark(";") && cursor.peek(i).kind() != Kind.END; i++) {
            String text = cursor.peek(i).text();
            if (cursor.peek(i).kind() == Kind.MARK) {
                depth += "[{(".contains(text) ? 1 : "]})".contains(text) ? -1 : 0;
                left += depth == 0 && text.equals(",") ? 1 : 0;
            }
        }
        return left;
    }

    /** A register, or _ for none. */
    Optional<Reg<?>> bareSink() {
        if (cursor.peek().is(Kind.WORD, "_")) {
            cursor.next();
            return Optional.empty();
        }
        Reg<?> register = bareRegister();
        return Optional.of(register);
    }

    /** An optional last operand. */
    Optional<Operand<B32>> maybeWord() {
        return more() ? Optional.of(word()) : Optional.empty();
    }

    /** A constant within bounds. */
    int constant(String what, int low, int high) {
        operand();
        return new Constants(cursor).integer(what, low, high);
    }

    /** {@code {a, b}} of registers. */
    <T extends RegisterType> List<Reg<T>> registers() {
        operand();
        return inBraces(this::bareRegister);
    }

    <E> List<E> inBraces(Supplier<? extends E> element) {
        cursor.expect("{");
        List<E> all = cursor.list(element);
        cursor.expect("}");
        return all;
    }

    /** {@code {a, b}} of registers and constants. */
    <T extends RegisterType> List<Operand<T>> values(ScalarType type) {
        operand();
        return bareValues(type);
    }

    <T extends RegisterType> List<Operand<T>> bareValues(ScalarType type) {
        return inBraces(() -> bareValue(type));
    }

    /** Whether the next operand is in braces. */
    boolean nextIsVector() {
        return cursor.peek(operands ? 1 : 0).isMark("{");
    }

    /** {@code a} or, for a vector, {@code {a, b}}; one element may stand in braces too. */
    List<Operand<?>> scalarOrVector(ScalarType type, int elements) {
        List<Operand<?>> all = new ArrayList<>();
        if (elements == 1 && !nextIsVector()) {
            all.add(value(type));
        } else {
            all.addAll(values(type));
            requireElements(all.size(), elements);
        }
        return all;
    }

    void requireElements(int got, int wanted) {
        if (got != wanted) {
            throw refuse("a vector of " + wanted + " is needed, got one of " + got);
        }
    }

    Label label() {
        operand();
        return names.label(cursor.word("a label"));
    }

    boolean acceptMark(String mark) {
        return cursor.accept(mark);
    }

    /** The register of that name, or why there is none. */
    Reg<?> known(Token token) {
        Reg<?> register = names.register(token.text());
        if (register == null && token.text().equals("_")) {
            throw Refusal.unsupported(token.at(), "a result that is dropped (_) is not supported here");
        }
        if (register == null) {
            Symbol symbol = names.symbol(token.text());
            throw names.missing(
                    token,
                    symbol == null
                            ? "no register named " + token.text()
                            : token.text() + " is a variable, a register is needed");
        }
        return register;
    }

    @Nullable
    Symbol symbol(Token token) {
        return names.symbol(token.text());
    }

    @SuppressWarnings("unchecked")
    static <T extends RegisterType> Reg<T> cast(Reg<?> register) {
        return (Reg<T>) register;
    }
}
