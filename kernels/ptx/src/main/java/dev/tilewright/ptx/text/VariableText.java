package dev.tilewright.ptx.text;

import dev.tilewright.ptx.Linkage;
import dev.tilewright.ptx.Variable;
import dev.tilewright.ptx.Variable.Relocation;
import dev.tilewright.ptx.instruction.FunctionCall.Declare;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Variables, and the parameter variables of calls, as text. */
final class VariableText {
    private VariableText() {}

    /** As bytes; with addresses in its contents, as words of 8 bytes. */
    static String of(Variable variable) {
        boolean words = !variable.relocations().isEmpty();
        String head =
                (variable.linkage() == Linkage.LOCAL ? "" : variable.linkage().ptx() + " ")
                        + variable.space().ptx() + (variable.managed() ? " .attribute(.managed)" : "") + " .align "
                        + variable.alignment() + (words ? " .u64 " : " .b8 ")
                        + variable.name() + "["
                        + (variable.bytes() == 0 ? "" : words ? variable.bytes() / 8 : variable.bytes()) + "]";
        List<String> elements = words ? words(variable) : bytes(variable);
        return head + (elements.isEmpty() ? "" : " = {" + String.join(", ", elements) + "}") + ";";
    }

    private static List<String> bytes(Variable variable) {
        List<String> all = new ArrayList<>();
        for (byte b : variable.initial()) {
            all.add(Integer.toString(b & 0xff));
        }
        return all;
    }

    private static List<String> words(Variable variable) {
        Map<Integer, Relocation> at = new HashMap<>();
        variable.relocations().forEach(relocation -> at.put(relocation.offset(), relocation));
        byte[] initial = variable.initial();
        int words = Math.ceilDiv(initial.length, 8);
        ByteBuffer contents = ByteBuffer.allocate(words * 8).order(ByteOrder.LITTLE_ENDIAN);
        contents.put(0, initial);
        List<String> all = new ArrayList<>();
        for (int offset = 0; offset < words * 8; offset += 8) {
            Relocation relocation = at.get(offset);
            all.add(relocation == null ? Long.toString(contents.getLong(offset)) : address(relocation));
        }
        return all;
    }

    private static String address(Relocation relocation) {
        String symbol = relocation.generic() ? "generic(" + relocation.symbol() + ")" : relocation.symbol();
        return relocation.addend() == 0 ? symbol : symbol + "+" + relocation.addend();
    }

    static String declarations(List<Declare> variables) {
        return variables.stream().map(VariableText::declaration).collect(Collectors.joining(", ", "(", ")"));
    }

    /** {@code .param .b64 name} or {@code .param .align 8 .b8 name[24]}. */
    static String declaration(Declare variable) {
        boolean array = variable.elements() > 0;
        return ".param " + (array ? ".align " + variable.alignment() + " " : "") + "."
                + variable.type().ptx() + " " + variable.name() + (array ? "[" + variable.elements() + "]" : "");
    }
}
