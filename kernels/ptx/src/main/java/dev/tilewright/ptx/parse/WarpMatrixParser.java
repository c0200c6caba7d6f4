package dev.tilewright.ptx.parse;

import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.instruction.WarpMatrix;
import dev.tilewright.ptx.instruction.WarpMatrix.Role;
import dev.tilewright.ptx.instruction.WarpMatrix.Shape;
import dev.tilewright.ptx.type.Address;
import dev.tilewright.ptx.type.Element;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.StateSpace;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@link WarpMatrix}. */
final class WarpMatrixParser {
    private static final Pattern SHAPE = Pattern.compile("m([0-9]{1,2})n([0-9]{1,2})k([0-9]{1,3})");
    private static final Map<String, Boolean> COLUMNS = Map.of("row", false, "col", true);
    private static final Map<String, Role> ROLES = Spellings.of(Role.values(), Role::ptx);

    /** The shapes of wmma with elements of 4 bits or of one bit. */
    private static final Set<Shape> SHORT = Set.of(new Shape(8, 8, 32), new Shape(8, 8, 128));

    private WarpMatrixParser() {}

    private static Shape shape(Line in) {
        Matcher shape = in.matching(SHAPE).orElseThrow(() -> in.refuse("needs a shape .mMnNkK"));
        Shape read = new Shape(
                Integer.parseInt(shape.group(1)), Integer.parseInt(shape.group(2)), Integer.parseInt(shape.group(3)));
        if (in.opcode().equals("wmma") && SHORT.contains(read)) {
            throw in.unsupported("elements of less than 8 bits are not supported");
        }
        return read;
    }

    private static boolean columns(Line in) {
        return in.one(COLUMNS, "an order of elements");
    }

    /** mma.sync. */
    static Instruction multiply(Line in) {
        in.require("sync", "aligned");
        Shape shape = shape(in);
        boolean columnsA = columns(in);
        boolean rowsB = !columns(in);
        boolean saturate = in.has("satfinite");
        Element d = element(in, "D");
        Element a = element(in, "A");
        Element b = element(in, "B");
        Element c = element(in, "C");
        List<Reg<RegisterType>> destinations = in.registers();
        return new WarpMatrix.Multiply(
                shape,
                columnsA,
                rowsB,
                saturate,
                d,
                a,
                b,
                c,
                List.copyOf(destinations),
                List.copyOf(in.values(scalar(a))),
                List.copyOf(in.values(scalar(b))),
                List.copyOf(in.values(scalar(c))));
    }

    /** wmma. */
    static Instruction fragments(Line in) {
        in.require("sync", "aligned");
        boolean load = in.has("load");
        if (load || in.has("store")) {
            Role role = in.one(ROLES, "a matrix");
            if (load == (role == Role.D)) {
                throw in.refuse("loads A, B or C, stores D");
            }
            boolean columns = columns(in);
            Shape shape = shape(in);
            Element type = element(in, role.name());
            StateSpace space = in.space();
            return load ? load(in, role, columns, shape, type, space) : store(in, columns, shape, type, space);
        }
        in.require("mma");
        return multiplyFragments(in);
    }

    private static Instruction load(Line in, Role role, boolean columns, Shape shape, Element type, StateSpace space) {
        List<Reg<RegisterType>> d = in.registers();
        Address address = Addresses.of(in, space);
        return new WarpMatrix.Load(role, columns, shape, type, List.copyOf(d), address, stride(in));
    }

    private static Instruction store(Line in, boolean columns, Shape shape, Element type, StateSpace space) {
        Address address = Addresses.of(in, space);
        List<Reg<RegisterType>> values = in.registers();
        return new WarpMatrix.Store(columns, shape, type, address, List.copyOf(values), stride(in));
    }

    private static Optional<Operand<B32>> stride(Line in) {
        return in.maybeWord();
    }

    /** Products of f16 name the accumulators alone. */
    private static Instruction multiplyFragments(Line in) {
        boolean columnsA = columns(in);
        boolean rowsB = !columns(in);
        Shape shape = shape(in);
        boolean saturate = in.has("satfinite");
        Element d = element(in, "D");
        Element second = element(in, "A or C");
        Optional<Element> third = in.maybe(WgmmaParser.ELEMENTS);
        Element a = third.isPresent() ? second : Element.F16;
        Element b = third.orElse(Element.F16);
        Element c = third.isPresent() ? element(in, "C") : second;
        if (a == Element.F64) {
            // The default rounding, which nvcc writes out.
            in.has("rn");
        }
        return new WarpMatrix.MultiplyFragments(
                shape,
                columnsA,
                rowsB,
                saturate,
                d,
                a,
                b,
                c,
                registers(in),
                registers(in),
                registers(in),
                registers(in));
    }

    private static List<Reg<?>> registers(Line in) {
        List<Reg<RegisterType>> all = in.registers();
        return List.copyOf(all);
    }

    private static Element element(Line in, String matrix) {
        return in.one(WgmmaParser.ELEMENTS, "a type of " + matrix);
    }

    private static ScalarType scalar(Element element) {
        return switch (element) {
            case F32 -> ScalarType.F32;
            case F64 -> ScalarType.F64;
            case F16, BF16, TF32, E4M3, E5M2, S8, U8, S32 -> ScalarType.B32;
        };
    }
}
