package dev.tilewright.ptx.parse;

import dev.tilewright.ptx.instruction.ClusterLaunchControl;
import dev.tilewright.ptx.instruction.ClusterLaunchControl.Dimension;
import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.parse.Token.Kind;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;

/** {@link ClusterLaunchControl}. */
final class ClusterLaunchParser {
    private ClusterLaunchParser() {}

    static Instruction clusterLaunch(Line in) {
        in.require("b128");
        if (in.has("try_cancel")) {
            in.require("async", "mbarrier::complete_tx::bytes");
            if (!in.has("shared::cta")) {
                throw in.unsupported("a generic address is not supported");
            }
            boolean multicast = in.has("multicast::cluster::all");
            return new ClusterLaunchControl.TryCancel(multicast, Addresses.shared(in), Addresses.shared(in));
        }
        in.require("query_cancel");
        in.require("b32");
        for (Dimension dimension : Dimension.values()) {
            if (in.has("get_first_ctaid::" + dimension.ptx())) {
                return new ClusterLaunchControl.FirstCta(dimension, in.register(), in.register());
            }
        }
        in.require("get_first_ctaid", "v4");
        return vector(in);
    }

    private static Instruction vector(Line in) {
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
