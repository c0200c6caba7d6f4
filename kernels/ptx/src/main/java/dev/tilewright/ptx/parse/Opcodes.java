package dev.tilewright.ptx.parse;

import java.util.Set;

/** The opcodes of PTX 9.1 that no family reads: a text with one is PTX, and unsupported. */
final class Opcodes {
    private static final Set<String> UNREAD = Set.of(
            "alloca",
            "dp2a",
            "fns",
            "istypep",
            "ldu",
            "mad24",
            "mul24",
            "multimem",
            "stackrestore",
            "stacksave",
            "suld",
            "suq",
            "sured",
            "sust",
            "szext",
            "tex",
            "tld4",
            "txq",
            "vabsdiff",
            "vabsdiff2",
            "vabsdiff4",
            "vadd",
            "vadd2",
            "vadd4",
            "vavrg2",
            "vavrg4",
            "vmad",
            "vmax",
            "vmax2",
            "vmax4",
            "vmin",
            "vmin2",
            "vmin4",
            "vset",
            "vset2",
            "vset4",
            "vshl",
            "vshr",
            "vsub",
            "vsub2",
            "vsub4");

    private Opcodes() {}

    static boolean unread(String opcode) {
        return UNREAD.contains(opcode);
    }
}
