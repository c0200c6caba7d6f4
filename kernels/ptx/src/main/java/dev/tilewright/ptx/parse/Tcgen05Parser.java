package dev.tilewright.ptx.parse;

import dev.tilewright.ptx.instruction.CtaGroup;
import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.instruction.Tcgen05;
import dev.tilewright.ptx.instruction.Tcgen05.Kind;
import dev.tilewright.ptx.instruction.Tcgen05.MatrixA;
import dev.tilewright.ptx.instruction.Tcgen05.Shape;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.TensorAddress;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@link Tcgen05}. */
final class Tcgen05Parser {
    private static final Map<String, CtaGroup> GROUPS = Spellings.of(CtaGroup.values(), CtaGroup::ptx);
    private static final Map<String, Kind> KINDS = Spellings.of(Kind.values(), kind -> "kind::" + kind.ptx());
    private static final Map<String, Shape> SHAPES = Spellings.of(Shape.values(), Shape::ptx);
    private static final Pattern REPETITIONS = Pattern.compile("x([0-9]{1,3})");

    private Tcgen05Parser() {}

    static Instruction tensor(Line in) {
        if (in.has("mma")) {
            return multiply(in);
        }
        if (in.sees("ld") || in.sees("st")) {
            return access(in);
        }
        if (in.sees("shift")) {
            throw in.unsupported("the instruction is not supported");
        }
        return FormParser.nearest(in);
    }

    private static Instruction multiply(Line in) {
        CtaGroup group = in.one(GROUPS, "a CTA group");
        Kind kind = in.one(KINDS, "a kind that we know");
        TensorAddress d = Addresses.tensor(in);
        in.operand();
        MatrixA a = in.cursor().peek().isMark("[")
                ? new MatrixA.Tensor(Addresses.bareTensor(in))
                : new MatrixA.Descriptor(in.bareRegister());
        Reg<B64> b = in.register();
        Operand<B32> descriptor = in.word();
        List<Reg<B32>> disabledLanes = in.nextIsVector() ? in.registers() : List.of();
        Reg<Pred> accumulate = in.predicate();
        if (in.more()) {
            throw in.unsupported("a factor for D (scale-input-d) is not supported");
        }
        return new Tcgen05.Multiply(group, kind, d, a, b, descriptor, disabledLanes, accumulate);
    }

    private static Instruction access(Line in) {
        boolean load = in.has("ld");
        in.has("st");
        in.require("sync", "aligned", "b32");
        Shape shape = in.one(SHAPES, "a shape");
        Matcher repetitions = in.matching(REPETITIONS).orElseThrow(() -> in.refuse("needs how often, .x1 to .x128"));
        int registers = Integer.parseInt(repetitions.group(1)) * shape.registers();
        boolean halves = in.has(load ? "pack::16b" : "unpack::16b");
        if (load) {
            List<Reg<B32>> d = in.registers();
            in.requireElements(d.size(), registers);
            TensorAddress address = Addresses.tensor(in);
            return new Tcgen05.Load(shape, d, address, split(in, shape), halves);
        }
        TensorAddress address = Addresses.tensor(in);
        int split = split(in, shape);
        List<Reg<B32>> values = in.registers();
        in.requireElements(values.size(), registers);
        return new Tcgen05.Store(shape, address, split, values, halves);
    }

    private static int split(Line in, Shape shape) {
        return shape == Shape.L16_B32_TWICE ? in.constant("the distance of the halves", 0, Tcgen05.COLUMNS - 1) : 0;
    }
}
