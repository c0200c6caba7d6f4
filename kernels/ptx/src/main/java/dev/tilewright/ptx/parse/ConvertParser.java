package dev.tilewright.ptx.parse;

import dev.tilewright.ptx.instruction.Convert;
import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.parse.Token.Kind;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.StateSpace;

/** {@link Convert}. */
final class ConvertParser {
    private ConvertParser() {}

    static Instruction convert(Line in) {
        boolean eight = in.sees("e4m3x2") || in.sees("e5m2x2");
        boolean halves = in.sees("f16x2");
        boolean pair = (halves || in.sees("bf16x2")) && in.sees("f32");
        Class<? extends Instruction> record = !eight
                ? pair ? Convert.Pair.class : Convert.Cvt.class
                : !halves
                        ? Convert.ToFp8.class
                        : in.sees("satfinite") ? Convert.HalvesToFp8.class : Convert.Fp8ToHalves.class;
        return FormParser.read(in, record);
    }

    static Instruction address(Line in) {
        boolean from = in.has("to");
        StateSpace space = in.space();
        in.require("u64");
        Reg<B64> d = in.register();
        in.operand();
        Token source = in.cursor().peek();
        if (!from && source.kind() == Kind.WORD && in.names().register(source.text()) == null) {
            Symbol symbol = Addresses.variable(in, source, space);
            in.cursor().next();
            return new Convert.GenericAddressOf(d, symbol.name(), space, Addresses.offset(in.cursor()));
        }
        return from
                ? new Convert.FromGeneric(space, d, in.bareValue(ScalarType.U64))
                : new Convert.ToGeneric(space, d, in.bareValue(ScalarType.U64));
    }

    static Instruction isInSpace(Line in) {
        return FormParser.operands(in, Convert.IsInSpace.class, in.space());
    }
}
