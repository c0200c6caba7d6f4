package dev.tilewright.ptx.parse;

import dev.tilewright.ptx.parse.Token.Kind;
import dev.tilewright.ptx.type.Label;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Ordering;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.Rounding;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.Scope;
import dev.tilewright.ptx.type.Sem;
import dev.tilewright.ptx.type.StateSpace;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One instruction while it is read. A family takes the modifiers it knows, in any order, then the operands in theirs;
 * at the first operand every modifier must have been taken. The types of registers are compared afterwards, by
 * {@link TypeCheck}, so the casts here promise nothing.
 */
final class Line {
    private final Cursor cursor;
    private final Names names;
    private final Temporaries temporaries;
    private final Token opcode;
    private final List<Token> modifiers = new ArrayList<>();
    private final String mnemonic;
    private boolean operands;

    Line(Cursor cursor, Names names, Temporaries temporaries) {
        this.cursor = cursor;
        this.names = names;
        this.temporaries = temporaries;
        this.opcode = cursor.word("an instruction");
        while (cursor.peek().kind() == Kind.MODIFIER) {
            modifiers.add(cursor.next());
        }
        this.mnemonic =
                opcode.text() + modifiers.stream().map(m -> "." + m.text()).collect(Collectors.joining());
    }

    String opcode() {
        return opcode.text();
    }

    /** The whole mnemonic as it was written. */
    String mnemonic() {
        return mnemonic;
    }

    Position at() {
        return opcode.at();
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

    // ---- modifiers ----------------------------------------------------------------------------------------------

    /** Takes the modifier if it is there. */
    boolean has(String modifier) {
        return modifiers.removeIf(m -> m.text().equals(modifier));
    }

    /** Whether the modifier is there; leaves it. */
    boolean sees(String modifier) {
        return modifiers.stream().anyMatch(m -> m.text().equals(modifier));
    }

    void require(String... wanted) {
        for (String modifier : wanted) {
            if (!has(modifier)) {
                throw lacks("." + modifier);
            }
        }
    }

    /** Takes the first modifier that is one of these. */
    <E> Optional<E> maybe(Map<String, E> spellings) {
        for (Token modifier : modifiers) {
            E constant = spellings.get(modifier.text());
            if (constant != null) {
                modifiers.remove(modifier);
                return Optional.of(constant);
            }
        }
        return Optional.empty();
    }

    <E> E one(Map<String, E> spellings, String what) {
        return maybe(spellings)
                .orElseThrow(() -> lacks(what
                        + ", one of "
                        + spellings.keySet().stream().sorted().collect(Collectors.joining(" .", ".", ""))
                        + (modifiers.isEmpty() ? "" : "; got " + shown(modifiers))));
    }

    /** The first type; a second call gives the second. */
    ScalarType type() {
        return maybe(Spellings.TYPES)
                .orElseThrow(
                        () -> lacks("a type that we know" + (modifiers.isEmpty() ? "" : ", got " + shown(modifiers))));
    }

    Rounding rounding() {
        return maybe(Spellings.ROUNDINGS).orElse(Rounding.NONE);
    }

    /** The first state space, generic if none; {@code .shared} alone is the CTA's own. */
    StateSpace space() {
        return maybe(Spellings.SPACES).orElse(StateSpace.GENERIC);
    }

    /** Ordering and scope; if only one of them is written, the other is the instruction's own. */
    Ordering ordering(Sem ownSem, Scope ownScope) {
        has("weak");
        Optional<Sem> sem = maybe(Spellings.SEMS);
        Optional<Scope> scope = maybe(Spellings.SCOPES);
        if (sem.isEmpty() && scope.isEmpty()) {
            return Ordering.DEFAULT;
        }
        if (sem.filter(Sem.VOLATILE::equals).isPresent()) {
            return new Ordering(Sem.VOLATILE, scope.orElse(Scope.NONE));
        }
        return new Ordering(sem.orElse(ownSem), scope.orElse(ownScope));
    }

    /** A modifier that a number is part of, {@code .x4} or {@code .2d}: the number. */
    Optional<Integer> counted(String before, String after) {
        for (Token modifier : modifiers) {
            String text = modifier.text();
            if (text.startsWith(before)
                    && text.endsWith(after)
                    && text.length() > before.length() + after.length()
                    && text.length() <= before.length() + after.length() + 4
                    && text.substring(before.length(), text.length() - after.length())
                            .chars()
                            .allMatch(c -> c >= '0' && c <= '9')) {
                modifiers.remove(modifier);
                return Optional.of(Integer.parseInt(text, before.length(), text.length() - after.length(), 10));
            }
        }
        return Optional.empty();
    }

    /** The first modifier that the pattern matches wholly. */
    Optional<Matcher> matching(Pattern pattern) {
        for (Token modifier : modifiers) {
            Matcher matcher = pattern.matcher(modifier.text());
            if (matcher.matches()) {
                modifiers.remove(modifier);
                return Optional.of(matcher);
            }
        }
        return Optional.empty();
    }

    /** All modifiers that the pattern matches wholly. */
    List<String> all(Pattern pattern) {
        List<String> all = new ArrayList<>();
        while (matching(pattern).orElse(null) instanceof Matcher matcher) {
            all.add(matcher.group());
        }
        return all;
    }

    /** Refuses the modifiers that nobody took. */
    void requireNoModifier() {
        if (!modifiers.isEmpty()) {
            throw Refusal.unsupported(
                    modifiers.getFirst().at(), "modifier " + shown(modifiers) + " is not supported here");
        }
    }

    private static String shown(List<Token> modifiers) {
        return modifiers.stream().map(m -> "." + m.text()).collect(Collectors.joining(" "));
    }

    /** For a wrong use of a form that we know. */
    Refusal refuse(String reason) {
        return new Refusal(opcode.at(), reason);
    }

    /** For a form of the manual that we do not know. */
    Refusal unsupported(String reason) {
        return Refusal.unsupported(opcode.at(), reason);
    }

    /** Something is missing: a mistake, unless a modifier is there that makes another form of it. */
    Refusal lacks(String what) {
        return Spellings.ordinary(modifiers) ? refuse("needs " + what) : unsupported("needs " + what);
    }

    // ---- operands -----------------------------------------------------------------------------------------------

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
        cursor.expect("{");
        List<Reg<T>> all = new ArrayList<>();
        do {
            all.add(bareRegister());
        } while (cursor.accept(","));
        cursor.expect("}");
        return all;
    }

    /** {@code {a, b}} of registers and constants. */
    <T extends RegisterType> List<Operand<T>> values(ScalarType type) {
        operand();
        return bareValues(type);
    }

    <T extends RegisterType> List<Operand<T>> bareValues(ScalarType type) {
        cursor.expect("{");
        List<Operand<T>> all = new ArrayList<>();
        do {
            all.add(bareValue(type));
        } while (cursor.accept(","));
        cursor.expect("}");
        return all;
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
            throw new Refusal(opcode.at(), "a vector of " + wanted + " is needed, got one of " + got);
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
