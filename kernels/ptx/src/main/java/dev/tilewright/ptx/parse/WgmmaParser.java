package dev.tilewright.ptx.parse;

import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.instruction.Wgmma;
import dev.tilewright.ptx.instruction.Wgmma.MatrixA;
import dev.tilewright.ptx.instruction.Wgmma.ScaleD;
import dev.tilewright.ptx.parse.Token.Kind;
import dev.tilewright.ptx.type.Element;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.B64;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@link Wgmma}. */
final class WgmmaParser {
    static final Map<String, Element> ELEMENTS = Spellings.of(Element.values(), Element::ptx);
    private static final Pattern SHAPE = Pattern.compile("m64n([0-9]{1,3})k([0-9]{1,3})");

    private WgmmaParser() {}

    static Instruction wgmma(Line in) {
        in.require("sync", "aligned");
        in.require("mma_async");
        return multiply(in);
    }

    /** Integers have no signs, and only elements of 16 bits have transpositions. */
    private static Instruction multiply(Line in) {
        Matcher shape = in.matching(SHAPE).orElseThrow(() -> in.refuse("needs a shape .m64nNkK"));
        int n = Integer.parseInt(shape.group(1));
        int k = Integer.parseInt(shape.group(2));
        boolean saturate = in.has("satfinite");
        Element accumulator = in.one(ELEMENTS, "a type of D");
        Element typeA = in.one(ELEMENTS, "a type of A");
        Element typeB = in.one(ELEMENTS, "a type of B");
        in.requireNoModifier();
        if (k * typeA.bits() != 256) {
            throw in.refuse("K of ." + typeA.ptx() + " is " + 256 / typeA.bits() + ", got " + k);
        }
        List<Reg<RegisterType>> d = in.registers();
        in.operand();
        boolean inRegisters = in.cursor().peek().isMark("{");
        List<Reg<B32>> fragment = inRegisters ? in.inBraces(in::bareRegister) : List.of();
        Reg<B64> descriptorA = inRegisters ? null : in.bareRegister();
        Reg<B64> descriptorB = in.register();
        ScaleD scale = scale(in);
        boolean signs = accumulator != Element.S32;
        boolean negateA = signs && in.constant("the sign of A", -1, 1) < 0;
        boolean negateB = signs && in.constant("the sign of B", -1, 1) < 0;
        boolean transpositions = typeA.bits() == 16;
        MatrixA a = descriptorA == null
                ? new MatrixA.Fragment(fragment)
                : new MatrixA.Descriptor(
                        descriptorA, transpositions && in.constant("the transposition of A", 0, 1) == 1);
        boolean transposeB = transpositions && in.constant("the transposition of B", 0, 1) == 1;
        return new Wgmma.MmaAsync(
                n,
                accumulator,
                typeA,
                typeB,
                saturate,
                List.copyOf(d),
                a,
                descriptorB,
                scale,
                negateA,
                negateB,
                transposeB);
    }

    /** Whether D is added to: a constant or a predicate. */
    static ScaleD scale(Line in) {
        in.operand();
        if (in.cursor().peek().kind() == Kind.NUMBER) {
            return new ScaleD.Fixed(new Constants(in.cursor()).integer("the scale of D", 0, 1) == 1);
        }
        return new ScaleD.When(in.bareRegister());
    }
}
