package dev.tilewright.ptx.parse;

import dev.tilewright.ptx.instruction.Convert;
import dev.tilewright.ptx.instruction.Convert.Narrow;
import dev.tilewright.ptx.instruction.Convert.Options;
import dev.tilewright.ptx.instruction.Convert.Tf32Rounding;
import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.parse.Token.Kind;
import dev.tilewright.ptx.type.Element;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.ptx.type.Rounding;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.StateSpace;
import java.util.Map;
import java.util.Optional;

/** {@link Convert}. */
final class ConvertParser {
    private static final Map<String, Element> FP8 = Map.of("e4m3x2", Element.E4M3, "e5m2x2", Element.E5M2);
    private static final Map<String, Tf32Rounding> TF32 = Spellings.of(Tf32Rounding.values(), Tf32Rounding::ptx);
    private static final Map<String, Narrow> NARROW = Spellings.of(Narrow.values(), Narrow::ptx);
    private static final ScalarType F32 = ScalarType.F32;

    private ConvertParser() {}

    static Instruction convert(Line in) {
        if (in.has("pack")) {
            return pack(in);
        }
        if (in.has("tf32")) {
            return toTf32(in);
        }
        boolean fromFp8 = in.sees("f16x2") && !in.sees("satfinite");
        Optional<Element> fp8 = in.maybe(FP8);
        if (fp8.isPresent()) {
            return fromFp8 ? fromFp8(in, fp8.get()) : toFp8(in, fp8.get());
        }
        ScalarType to = in.type();
        ScalarType from = in.type();
        Rounding rounding = in.rounding();
        Options options = options(in);
        return (to == ScalarType.BF16X2 || to == ScalarType.F16X2) && from == F32
                ? new Convert.Pair(rounding, options, to, in.register(), in.value(F32), in.value(F32))
                : new Convert.Cvt(rounding, options, to, from, in.register(), in.value(from));
    }

    private static Instruction pack(Line in) {
        in.require("sat");
        // The type of the sources could be taken for that of the result.
        in.require("s32");
        Narrow to = in.one(NARROW, "a type");
        boolean rest = in.has("b32");
        return new Convert.SaturateAndPack(
                to,
                in.register(),
                in.value(ScalarType.S32),
                in.value(ScalarType.S32),
                rest ? Optional.of(in.word()) : Optional.empty());
    }

    private static Options options(Line in) {
        boolean flush = in.has("ftz");
        boolean saturate = in.has("sat");
        boolean relu = in.has("relu");
        return new Options(flush, saturate, relu, in.has("satfinite"));
    }

    private static Instruction toTf32(Line in) {
        in.require("f32");
        Tf32Rounding rounding = in.one(TF32, "a rounding");
        Options options = options(in);
        return new Convert.ToTf32(rounding, options, in.register(), in.value(F32));
    }

    private static Instruction toFp8(Line in, Element to) {
        boolean relu = in.has("relu");
        boolean halves = in.has("f16x2");
        in.require("rn", "satfinite");
        if (halves) {
            return new Convert.HalvesToFp8(to, relu, in.register(), in.value(ScalarType.B32));
        }
        in.require("f32");
        return new Convert.ToFp8(to, relu, in.register(), in.value(F32), in.value(F32));
    }

    private static Instruction fromFp8(Line in, Element from) {
        in.require("rn", "f16x2");
        boolean relu = in.has("relu");
        return new Convert.Fp8ToHalves(from, relu, in.register(), in.value(ScalarType.B16));
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
        StateSpace space = in.space();
        return new Convert.IsInSpace(space, in.register(), in.wide());
    }
}
