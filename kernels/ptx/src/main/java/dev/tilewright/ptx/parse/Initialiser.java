package dev.tilewright.ptx.parse;

import dev.tilewright.ptx.Variable.Relocation;
import dev.tilewright.ptx.parse.Token.Kind;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.ScalarType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/** The initial value of a variable: bytes, little endian, and addresses of other variables. */
final class Initialiser {
    /** Contents longer than this are refused: a text of that size would come as a file. */
    private static final int MAX_BYTES = 1 << 26;

    private final Cursor cursor;
    private final Names names;
    private final Declaration declared;
    private final List<Relocation> relocations = new ArrayList<>();
    private byte[] contents = new byte[64];
    private int end;

    Initialiser(Cursor cursor, Names names, Declaration declared) {
        this.cursor = cursor;
        this.names = names;
        this.declared = declared;
    }

    /** Reads a value or nested braces; an inner brace that gives less than its row leaves the rest zero. */
    void read() {
        level(0, 0);
    }

    List<Relocation> relocations() {
        return relocations;
    }

    int bytes() {
        return end;
    }

    String hexadecimal() {
        return HexFormat.of().formatHex(contents, 0, end);
    }

    private int level(int offset, int depth) {
        if (!cursor.accept("{")) {
            element(offset);
            return offset + declared.type().bytes();
        }
        int stride = declared.stride(depth);
        int at = offset;
        if (!cursor.peek().isMark("}")) {
            do {
                if (cursor.peek().isMark("}")) {
                    break;
                }
                if (cursor.peek().isMark("{")) {
                    if (depth + 1 >= declared.sizes().size()) {
                        throw cursor.refuse(
                                "braces nest deeper than " + declared.name().text() + " has dimensions");
                    }
                    level(at, depth + 1);
                    at = Math.addExact(at, stride);
                } else {
                    at = level(at, depth);
                }
            } while (cursor.accept(","));
        }
        cursor.expect("}");
        return at;
    }

    private void element(int offset) {
        Token token = cursor.peek();
        ScalarType type = declared.type();
        boolean generic = token.is(Kind.WORD, "generic") && cursor.peek(1).isMark("(");
        if (token.kind() == Kind.WORD && !Constants.begins(token)) {
            if (generic) {
                cursor.next();
                cursor.next();
            }
            Token name = cursor.word("a variable");
            Symbol symbol = names.symbol(name.text());
            if (symbol == null) {
                if (names.isFunction(name.text())) {
                    throw Refusal.unsupported(
                            name.at(), "the address of a function as contents is not supported: " + name.text());
                }
                throw names.missing(name, "no variable named " + name.text());
            }
            if (generic) {
                cursor.expect(")");
            }
            if (type.bytes() != 8 || offset % 8 != 0) {
                throw new Refusal(name.at(), "an address takes an element of 8 bytes, got ." + type.ptx());
            }
            boolean more = cursor.peek().isMark("+") || cursor.peek().isMark("-");
            relocations.add(new Relocation(offset, symbol.name(), more ? new Constants(cursor).integer() : 0, generic));
            put(offset, 0, 8);
            return;
        }
        Literal literal = new Constants(cursor).literal();
        if (cursor.peek().isMark("(")) {
            throw Refusal.unsupported(cursor.peek().at(), "a part of an address as contents is not supported");
        }
        long bits = literal instanceof Literal.Whole whole && !type.isFloat()
                ? whole.value()
                : ((Immediate<?>) Literal.operand(literal, type, token.at())).bits();
        put(offset, bits, type.bytes());
    }

    private void put(int offset, long bits, int bytes) {
        int after = Math.addExact(offset, bytes);
        if (after > MAX_BYTES) {
            throw Refusal.unsupported(
                    cursor.peek().at(), "contents of more than " + MAX_BYTES + " bytes are not supported");
        }
        if (after > contents.length) {
            contents = Arrays.copyOf(contents, Math.max(after, contents.length * 2));
        }
        for (int i = 0; i < bytes; i++) {
            contents[offset + i] = (byte) (bits >> 8 * i);
        }
        end = Math.max(end, after);
    }
}
