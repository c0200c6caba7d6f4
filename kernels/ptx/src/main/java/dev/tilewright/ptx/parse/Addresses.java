package dev.tilewright.ptx.parse;

import dev.tilewright.ptx.parse.Token.Kind;
import dev.tilewright.ptx.type.Address;
import dev.tilewright.ptx.type.ClusterAddress;
import dev.tilewright.ptx.type.GenericAddress;
import dev.tilewright.ptx.type.GlobalAddress;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.ParamAddress;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.SharedAddress;
import dev.tilewright.ptx.type.StateSpace;
import dev.tilewright.ptx.type.TensorAddress;
import dev.tilewright.ptx.type.VariableAddress;
import java.util.List;

/** Memory operands: {@code [register+bytes]}, {@code [variable+bytes]}, and boxes of a tensor. */
final class Addresses {
    /** What stands between the brackets. */
    record BaseOffset(Token base, int offset) {}

    /** {@code [map, {coordinates}]}. */
    record Box(GenericAddress map, List<Operand<B32>> coordinates) {}

    private Addresses() {}

    /** The next operand as an address of that space, by a register or a variable. */
    static Address of(Line in, StateSpace space) {
        BaseOffset place = place(in);
        if (space == StateSpace.PARAM) {
            if (in.names().register(place.base().text()) != null) {
                return new VariableAddress.Parameter(base(in, place, space), place.offset());
            }
            Symbol symbol = variable(in, place.base(), space);
            if (symbol.place()) {
                throw in.unsupported("a place of a call is not supported here");
            }
            return new ParamAddress(symbol.name(), place.offset());
        }
        if (in.names().register(place.base().text()) == null && space != StateSpace.GENERIC) {
            StateSpace home = space == StateSpace.SHARED_CLUSTER ? StateSpace.SHARED : space;
            return new VariableAddress.Named(
                    space, variable(in, place.base(), home).name(), place.offset());
        }
        return switch (space) {
            case GENERIC -> generic(in, place);
            case GLOBAL -> new GlobalAddress(base(in, place, space), place.offset());
            case SHARED -> new SharedAddress(base(in, place, space), place.offset());
            case SHARED_CLUSTER -> new ClusterAddress(base(in, place, space), place.offset());
            case LOCAL -> new VariableAddress.Local(base(in, place, space), place.offset());
            case CONST -> new VariableAddress.Constant(base(in, place, space), place.offset());
            case PARAM -> throw new IllegalStateException("handled above");
        };
    }

    /** An address in the CTA's own shared memory. */
    static SharedAddress shared(Line in) {
        BaseOffset place = place(in);
        return new SharedAddress(base(in, place, StateSpace.SHARED), place.offset());
    }

    static ClusterAddress cluster(Line in) {
        BaseOffset place = place(in);
        return new ClusterAddress(base(in, place, StateSpace.SHARED), place.offset());
    }

    static GlobalAddress global(Line in) {
        BaseOffset place = place(in);
        return new GlobalAddress(base(in, place, StateSpace.GLOBAL), place.offset());
    }

    static GenericAddress generic(Line in) {
        return generic(in, place(in));
    }

    private static GenericAddress generic(Line in, BaseOffset place) {
        Token token = place.base();
        Symbol symbol = in.symbol(token);
        return new GenericAddress(
                in.names().register(token.text()) == null && symbol != null && symbol.space() != StateSpace.PARAM
                        ? in.temporaries().genericAddress(symbol)
                        : Line.cast(in.known(token)),
                place.offset());
    }

    /** A place in tensor memory. */
    static TensorAddress tensor(Line in) {
        in.operand();
        return bareTensor(in);
    }

    /** The same where the comma before it was read. */
    static TensorAddress bareTensor(Line in) {
        BaseOffset place = bareOpen(in.cursor());
        in.cursor().expect("]");
        return new TensorAddress(Line.cast(in.known(place.base())), place.offset());
    }

    /** In shared memory of the own CTA, or of the cluster if the space says so. */
    static Address barrier(Line in, StateSpace space) {
        return switch (space) {
            case SHARED -> shared(in);
            case SHARED_CLUSTER -> cluster(in);
            // A barrier by a generic address must lie in the CTA's own shared memory.
            case GENERIC -> {
                GenericAddress generic = generic(in);
                yield new SharedAddress(in.temporaries().sharedAddress(generic.base()), generic.offset());
            }
            case GLOBAL, LOCAL, CONST, PARAM ->
                throw in.refuse("a barrier needs .shared::cta or .shared::cluster, got " + space);
        };
    }

    static Box box(Line in) {
        BaseOffset place = open(in);
        in.cursor().expect(",");
        List<Operand<B32>> coordinates = in.bareValues(ScalarType.B32);
        in.cursor().expect("]");
        return new Box(generic(in, place), coordinates);
    }

    /** The next operand, {@code [name+bytes]}. */
    static BaseOffset place(Line in) {
        BaseOffset place = open(in);
        in.cursor().expect("]");
        return place;
    }

    private static BaseOffset open(Line in) {
        in.operand();
        return bareOpen(in.cursor());
    }

    private static BaseOffset bareOpen(Cursor cursor) {
        cursor.expect("[");
        Token base = cursor.peek();
        if (base.kind() == Kind.NUMBER) {
            throw Refusal.unsupported(base.at(), "a constant as an address is not supported");
        }
        if (base.kind() != Kind.WORD) {
            throw cursor.refuse("an address begins with a register or variable, got " + base.shown());
        }
        cursor.next();
        return new BaseOffset(base, offset(cursor));
    }

    /** {@code +bytes} or {@code -bytes}, or nothing. */
    static int offset(Cursor cursor) {
        boolean more = cursor.peek().isMark("+") || cursor.peek().isMark("-");
        return more
                ? new Constants(cursor).integer("the offset of an address", Integer.MIN_VALUE, Integer.MAX_VALUE)
                : 0;
    }

    /** The register of a place, or one that holds the address of the variable that it names. */
    private static <T extends RegisterType> Reg<T> base(Line in, BaseOffset place, StateSpace space) {
        Token token = place.base();
        return in.names().register(token.text()) == null
                ? in.temporaries().address(variable(in, token, space))
                : Line.cast(in.known(token));
    }

    static Symbol variable(Line in, Token token, StateSpace space) {
        Symbol symbol = in.symbol(token);
        if (symbol == null || symbol.space() != space) {
            throw in.names().missing(token, "no register or variable named " + token.text() + " in " + space.ptx());
        }
        return symbol;
    }
}
