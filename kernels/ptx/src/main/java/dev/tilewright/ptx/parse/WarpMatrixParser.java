package dev.tilewright.ptx.parse;

import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.instruction.WarpMatrix;
import dev.tilewright.ptx.instruction.WarpMatrix.Shape;
import dev.tilewright.ptx.type.Element;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@link WarpMatrix}. */
final class WarpMatrixParser {
    private static final Pattern SHAPE = Pattern.compile("m([0-9]{1,2})n([0-9]{1,2})k([0-9]{1,3})");
    private static final Map<String, Boolean> COLUMNS = Map.of("row", false, "col", true);

    /** The shapes of wmma with elements of 4 bits or of one bit. */
    private static final Set<Shape> SHORT = Set.of(new Shape(8, 8, 32), new Shape(8, 8, 128));

    private WarpMatrixParser() {}

    static Shape shape(Line in) {
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

    /** Products of f16 name the accumulators alone. */
    static Instruction multiply(Line in) {
        if (!in.sees("mma")) {
            return FormParser.nearest(in);
        }
        in.require("mma", "sync", "aligned");
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
        return FormParser.operands(
                in, WarpMatrix.MultiplyFragments.class, shape, columnsA, rowsB, saturate, d, a, b, c);
    }

    private static Element element(Line in, String matrix) {
        return in.one(WgmmaParser.ELEMENTS, "a type of " + matrix);
    }
}
