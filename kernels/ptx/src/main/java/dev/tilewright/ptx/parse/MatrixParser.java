package dev.tilewright.ptx.parse;

import dev.tilewright.ptx.instruction.ClusterLaunchControl;
import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.instruction.Matrix;
import dev.tilewright.ptx.instruction.Matrix.Packing;
import dev.tilewright.ptx.parse.Token.Kind;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.StateSpace;
import java.util.List;
import java.util.Map;

/** Forms of {@link Matrix} and {@link ClusterLaunchControl} that the table has not. */
final class MatrixParser {
    private static final Map<String, Packing> PACKED =
            Map.of("b6x16_p32", Packing.SIX_BITS, "b4x16_p64", Packing.FOUR_BITS);

    private MatrixParser() {}

    /** ldmatrix of elements that have a byte each in registers. */
    static Instruction loadBytes(Line in) {
        if (in.sees("m8n8")) {
            return FormParser.nearest(in);
        }
        in.require("sync", "aligned");
        boolean square = in.has("m16n16");
        if (!square) {
            in.require("m8n16");
        }
        boolean unpacks = in.has("b8x16");
        Packing packing = unpacks ? in.one(PACKED, "a format of elements") : Packing.BYTES;
        int count = unpacks ? head(in) : head(in, "b8");
        if (square) {
            in.require("trans");
        }
        List<Reg<B32>> d = in.registers();
        in.requireElements(d.size(), square ? 2 * count : count);
        return new Matrix.LoadBytes(packing, square, d, Addresses.shared(in));
    }

    private static int head(Line in, String type) {
        int count = head(in);
        in.require(type);
        return count;
    }

    private static int head(Line in) {
        if (in.space() != StateSpace.SHARED) {
            throw in.unsupported("an address outside of .shared::cta is not supported");
        }
        return in.counted("x", "").orElseThrow(() -> in.refuse("needs .x1, .x2 or .x4"));
    }

    /** clusterlaunchcontrol: the three coordinates at once. */
    static Instruction clusterLaunch(Line in) {
        if (!in.sees("v4")) {
            return FormParser.nearest(in);
        }
        in.require("query_cancel", "get_first_ctaid", "v4", "b32", "b128");
        in.operand();
        Cursor cursor = in.cursor();
        cursor.expect("{");
        Reg<B32> x = in.bareRegister();
        cursor.expect(",");
        Reg<B32> y = in.bareRegister();
        cursor.expect(",");
        Reg<B32> z = in.bareRegister();
        cursor.expect(",");
        if (!cursor.peek().is(Kind.WORD, "_")) {
            throw in.unsupported("a register as the fourth element, which means nothing, is not supported; write _");
        }
        cursor.next();
        cursor.expect("}");
        return new ClusterLaunchControl.FirstCtaVector(x, y, z, in.register());
    }
}
