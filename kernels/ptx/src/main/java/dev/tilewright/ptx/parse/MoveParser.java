package dev.tilewright.ptx.parse;

import dev.tilewright.ptx.instruction.IndirectCall;
import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.instruction.Move;
import dev.tilewright.ptx.parse.Token.Kind;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.SpecialRegister;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** {@link Move}. */
final class MoveParser {
    private static final Pattern UNKNOWN_SPECIAL = Pattern.compile("%(is_explicit_cluster|aggr_smem_size"
            + "|current_graph_exec|reserved_smem_offset_(begin|end|cap|[0-9]+)|pm[0-7](_64)?"
            + "|envreg([0-9]|[12][0-9]|3[01]))");

    private MoveParser() {}

    static Instruction move(Line in) {
        ScalarType type = in.type();
        in.operand();
        if (in.cursor().peek().isMark("{")) {
            return unpack(in, type);
        }
        Reg<RegisterType> d = in.bareRegister();
        in.operand();
        Token source = in.cursor().peek();
        if (type == ScalarType.PRED && Constants.begins(source)) {
            return new Move.ConstantPredicate(Line.cast(d), new Constants(in.cursor()).integer() != 0);
        }
        if (source.isMark("{")) {
            List<Operand<RegisterType>> parts = in.bareValues(partType(in, type, in.cursor()));
            return new Move.Pack(type, d, List.copyOf(parts));
        }
        if (source.kind() == Kind.WORD && in.names().register(source.text()) == null) {
            SpecialRegister special = special(in.cursor());
            if (special != null) {
                if (special.type().bits() != type.bits()) {
                    throw new Refusal(
                            source.at(),
                            special.ptx() + " is a ." + special.type().ptx());
                }
                return new Move.ReadSpecial(d, special);
            }
            requireKnown(source);
            Symbol symbol = in.symbol(source);
            if (symbol != null) {
                in.cursor().next();
                int offset = Addresses.offset(in.cursor());
                return new Move.AddressOf(type.unsigned(), d, symbol.name(), symbol.space(), offset);
            }
        }
        if (type.bits() == 64
                && source.kind() == Kind.WORD
                && in.names().register(source.text()) == null
                && in.names().isFunction(source.text())) {
            in.cursor().next();
            return new IndirectCall.FunctionAddress(d, source.text());
        }
        return new Move.Copy(type, d, in.bareValue(type));
    }

    /** Takes a special register, with its component if it has one. */
    static @Nullable SpecialRegister special(Cursor cursor) {
        String name = cursor.peek().text();
        Token component = cursor.peek(1);
        if (component.kind() == Kind.MODIFIER && component.joined()) {
            SpecialRegister special = Spellings.SPECIALS.get(name + "." + component.text());
            if (special != null) {
                cursor.next();
                cursor.next();
            }
            return special;
        }
        SpecialRegister special = Spellings.SPECIALS.get(name);
        if (special != null) {
            cursor.next();
        }
        return special;
    }

    /** A special register that the machine does not have is no mistake of the text. PTX 10. */
    private static void requireKnown(Token source) {
        if (UNKNOWN_SPECIAL.matcher(source.text()).matches()) {
            throw Refusal.unsupported(source.at(), "special register " + source.text() + " is not supported");
        }
    }

    private static Instruction unpack(Line in, ScalarType type) {
        List<Optional<Reg<?>>> parts = in.inBraces(in::bareSink);
        return new Move.Unpack(type, parts, in.value(type));
    }

    /** The type of one part, from the number of commas up to the closing brace. */
    private static ScalarType partType(Line in, ScalarType type, Cursor cursor) {
        int parts = 1;
        for (int i = 1; !cursor.peek(i).isMark("}"); i++) {
            if (cursor.peek(i).kind() == Kind.END || cursor.peek(i).isMark(";")) {
                throw cursor.refuse("a vector is not closed");
            }
            parts += cursor.peek(i).isMark(",") ? 1 : 0;
        }
        return switch (type.bits() / parts) {
            case 8 -> ScalarType.B8;
            case 16 -> ScalarType.B16;
            case 32 -> ScalarType.B32;
            case 64 -> ScalarType.B64;
            default -> throw in.refuse("." + type.ptx() + " has no " + parts + " parts");
        };
    }
}
