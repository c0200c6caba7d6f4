package dev.tilewright.ptx.parse;

import dev.tilewright.ptx.Linkage;
import dev.tilewright.ptx.Param.Pointee;
import dev.tilewright.ptx.Variable;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.StateSpace;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A variable or parameter as it is declared, between its state space and the comma, semicolon or equals sign.
 *
 * @param pointee what a pointer points to, if {@code .ptr} is written; the alignment is then that of its type
 * @param managed {@code .attribute(.managed)}
 * @param alignment in bytes, the element's size unless written
 * @param sizes of the dimensions, empty for a scalar; 0 where none is written
 */
record Declaration(
        Token name,
        ScalarType type,
        Optional<Pointee> pointee,
        int alignment,
        boolean managed,
        boolean vector,
        List<Integer> sizes) {
    private static final Map<String, Integer> VECTORS = Map.of("v2", 2, "v4", 4);
    private static final int MAX_DIMENSIONS = 16;
    /** Of what a pointer points to, if it does not say. PTX 11.5.2. */
    private static final int POINTEE_ALIGNMENT = 4;

    boolean array() {
        return !sizes.isEmpty();
    }

    /** All elements; 1 for a scalar, 0 if a size is missing. */
    int elements() {
        return sizes.stream().reduce(1, Math::multiplyExact);
    }

    int bytes() {
        return Math.multiplyExact(elements(), type.bytes());
    }

    /** Bytes of one element of a dimension: of the row behind it. */
    int stride(int dimension) {
        return sizes.stream().skip(dimension + 1L).reduce(type.bytes(), Math::multiplyExact);
    }

    /** Reads the variables up to the semicolon; each is used before the next is read, for its initialiser follows. */
    static void each(Cursor cursor, Consumer<Declaration> use) {
        Declaration first = read(cursor);
        use.accept(first);
        while (cursor.accept(",")) {
            use.accept(first.another(cursor));
        }
        cursor.expect(";");
    }

    /** Reads alignment, type and attributes in any order, then name and sizes. */
    static Declaration read(Cursor cursor) {
        int alignment = 0;
        int vector = 1;
        boolean pointer = false;
        boolean managed = false;
        StateSpace pointee = StateSpace.GENERIC;
        Optional<ScalarType> type = Optional.empty();
        while (cursor.peek().kind() == Token.Kind.MODIFIER) {
            Token token = cursor.next();
            if (Spellings.TYPES.get(token.text()) instanceof ScalarType named && type.isEmpty()) {
                type = Optional.of(named);
            } else if (token.text().equals("align")) {
                alignment = alignment(cursor);
            } else if (token.text().equals("ptr")) {
                pointer = true;
            } else if (pointer && Spellings.SPACES.containsKey(token.text())) {
                pointee = Spellings.SPACES.get(token.text());
            } else if (token.text().equals("attribute")) {
                managed |= attribute(cursor);
            } else if (VECTORS.get(token.text()) instanceof Integer size) {
                vector = size;
            } else {
                throw Directives.unread(token, "a declaration with " + token.shown() + " is not supported");
            }
        }
        ScalarType element = type.orElseThrow(
                () -> cursor.refuse("a type is needed, got " + cursor.peek().shown()));
        Token name = cursor.word("a name");
        List<Integer> sizes = sizes(cursor);
        if (vector > 1) {
            sizes.add(vector);
        }
        int own = element.bytes() * vector;
        Declaration declared = new Declaration(
                name,
                element,
                pointer
                        ? Optional.of(new Pointee(pointee, alignment == 0 ? POINTEE_ALIGNMENT : alignment))
                        : Optional.empty(),
                alignment == 0 || pointer ? own : alignment,
                managed,
                vector > 1,
                List.copyOf(sizes));
        // Refuses a size that an int does not hold.
        declared.bytes();
        return declared;
    }

    /** Whether an attribute in parentheses says that the variable is managed. */
    private static boolean attribute(Cursor cursor) {
        cursor.expect("(");
        boolean managed = false;
        do {
            Token token = cursor.peek();
            String attribute = cursor.modifier("an attribute");
            if (!attribute.equals("managed")) {
                throw Directives.unread(token, "the attribute " + token.shown() + " is not supported");
            }
            managed = true;
        } while (cursor.accept(","));
        cursor.expect(")");
        return managed;
    }

    /** Another one of the same type, behind a comma. */
    Declaration another(Cursor cursor) {
        Declaration next =
                new Declaration(cursor.word("a name"), type, pointee, alignment, managed, false, sizes(cursor));
        next.bytes();
        return next;
    }

    private static int alignment(Cursor cursor) {
        Token at = cursor.peek();
        int alignment = new Constants(cursor).integer("an alignment", 1, 1 << 16);
        if (Integer.bitCount(alignment) != 1) {
            throw new Refusal(at.at(), "an alignment must be a power of two, got " + alignment);
        }
        return alignment;
    }

    private static List<Integer> sizes(Cursor cursor) {
        List<Integer> sizes = new ArrayList<>();
        while (cursor.accept("[")) {
            if (sizes.size() == MAX_DIMENSIONS) {
                throw cursor.refuse("more than " + MAX_DIMENSIONS + " dimensions");
            }
            sizes.add(
                    cursor.peek().isMark("]") ? 0 : new Constants(cursor).integer("the size of an array", 0, 1 << 30));
            cursor.expect("]");
        }
        return sizes;
    }

    /** Data of that name in a space, with its contents if an equals sign follows. */
    Variable variable(StateSpace space, Linkage linkage, String unique, Names names, Cursor cursor) {
        Initialiser contents = new Initialiser(cursor, names, this);
        if (cursor.accept("=")) {
            contents.read();
        }
        int bytes = elements() == 0 ? contents.bytes() : bytes();
        if (contents.bytes() > bytes) {
            throw new Refusal(name.at(), name.text() + " has " + bytes + " bytes, its contents " + contents.bytes());
        }
        if (!contents.relocations().isEmpty() && bytes % 8 != 0) {
            throw new Refusal(name.at(), name.text() + " holds addresses and must have a multiple of 8 bytes");
        }
        return new Variable(
                space, unique, alignment, bytes, contents.hexadecimal(), contents.relocations(), linkage, managed);
    }
}
