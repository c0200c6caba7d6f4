package dev.tilewright.ptx.parse;

import dev.tilewright.ptx.parse.Token.Kind;
import dev.tilewright.ptx.type.Address;
import dev.tilewright.ptx.type.ClusterAddress;
import dev.tilewright.ptx.type.GenericAddress;
import dev.tilewright.ptx.type.GlobalAddress;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.ParamAddress;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterAddress;
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
    /** A register or variable and an offset in bytes, as written between the brackets. */
    record BaseOffset(Token base, int offset) {}

    /** {@code [map, {coordinates}]}. */
    record Box(GenericAddress map, List<Operand<B32>> coordinates) {}

    private Addresses() {}

    /** The next operand as an address of that space, by a register or a variable. */
    static Address of(Line in, StateSpace space) {
        BaseOffset address = bracketed(in);
        if (space == StateSpace.PARAM) {
            if (in.names().register(address.base().text()) != null) {
                return new RegisterAddress(space, base(in, address, space), address.offset());
            }
            Symbol symbol = variable(in, address.base(), space);
            if (symbol.ofCall()) {
                throw in.unsupported("a parameter variable of a call is not supported here");
            }
            return new ParamAddress(symbol.name(), address.offset());
        }
        if (in.names().register(address.base().text()) == null && space != StateSpace.GENERIC) {
            StateSpace home = space == StateSpace.SHARED_CLUSTER ? StateSpace.SHARED : space;
            return new VariableAddress(space, variable(in, address.base(), home).name(), address.offset());
        }
        return switch (space) {
            case GENERIC -> generic(in, address);
            case GLOBAL -> new GlobalAddress(base(in, address, space), address.offset());
            case SHARED -> new SharedAddress(base(in, address, space), address.offset());
            case SHARED_CLUSTER -> new ClusterAddress(base(in, address, space), address.offset());
            case LOCAL, CONST -> new RegisterAddress(space, base(in, address, space), address.offset());
            case PARAM -> throw new IllegalStateException("handled above");
        };
    }

    /** An address in the CTA's own shared memory. */
    static SharedAddress shared(Line in) {
        BaseOffset address = bracketed(in);
        return new SharedAddress(base(in, address, StateSpace.SHARED), address.offset());
    }

    static ClusterAddress cluster(Line in) {
        BaseOffset address = bracketed(in);
        return new ClusterAddress(base(in, address, StateSpace.SHARED), address.offset());
    }

    static GlobalAddress global(Line in) {
        BaseOffset address = bracketed(in);
        return new GlobalAddress(base(in, address, StateSpace.GLOBAL), address.offset());
    }

    static GenericAddress generic(Line in) {
        return generic(in, bracketed(in));
    }

    private static GenericAddress generic(Line in, BaseOffset address) {
        Token token = address.base();
        Symbol symbol = in.symbol(token);
        return new GenericAddress(
                in.names().register(token.text()) == null && symbol != null && symbol.space() != StateSpace.PARAM
                        ? in.temporaries().genericAddress(symbol)
                        : Line.cast(in.known(token)),
                address.offset());
    }

    /** The next operand as an address in tensor memory. */
    static TensorAddress tensor(Line in) {
        in.operand();
        return bareTensor(in);
    }

    /** An address in tensor memory, where the comma before it was read. */
    static TensorAddress bareTensor(Line in) {
        BaseOffset address = bareOpen(in.cursor());
        in.cursor().expect("]");
        return new TensorAddress(Line.cast(in.known(address.base())), address.offset());
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

    /** A barrier that must be in shared memory of the own CTA. */
    static SharedAddress own(Line in, StateSpace space) {
        if (space != StateSpace.SHARED && space != StateSpace.GENERIC) {
            throw in.refuse("the barrier must be in .shared::cta");
        }
        return (SharedAddress) barrier(in, space);
    }

    static Box box(Line in) {
        BaseOffset address = open(in);
        in.cursor().expect(",");
        List<Operand<B32>> coordinates = in.bareValues(ScalarType.B32);
        in.cursor().expect("]");
        return new Box(generic(in, address), coordinates);
    }

    /** The next operand, {@code [name+bytes]}. */
    static BaseOffset bracketed(Line in) {
        BaseOffset address = open(in);
        in.cursor().expect("]");
        return address;
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

    /** The base register of an address. For a variable, a register that holds its address. */
    private static <T extends RegisterType> Reg<T> base(Line in, BaseOffset address, StateSpace space) {
        Token token = address.base();
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
