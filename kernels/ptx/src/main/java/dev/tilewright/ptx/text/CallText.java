package dev.tilewright.ptx.text;

import static dev.tilewright.ptx.text.OperandText.line;
import static dev.tilewright.ptx.text.OperandText.operand;
import static dev.tilewright.ptx.text.OperandText.scalarOrVector;
import static dev.tilewright.ptx.text.OperandText.size;

import dev.tilewright.ptx.instruction.FunctionCall;
import dev.tilewright.ptx.instruction.IndirectCall;
import dev.tilewright.ptx.type.Label;
import java.util.stream.Collectors;

/** Calls as text. */
final class CallText {
    private CallText() {}

    static String call(FunctionCall instruction) {
        return switch (instruction) {
            case FunctionCall.Declare i -> VariableText.declaration(i);
            case FunctionCall.StoreParam i ->
                line(
                        "st.param" + size(i.values().size()) + "." + i.type().ptx(),
                        bracketed(i.name(), i.offset()),
                        scalarOrVector(i.values()));
            case FunctionCall.LoadParam i ->
                line(
                        "ld.param" + size(i.d().size()) + "." + i.type().ptx(),
                        scalarOrVector(i.d()),
                        bracketed(i.name(), i.offset()));
            case FunctionCall.Call i ->
                "call" + (i.uniform() ? ".uni " : " ")
                        + i.result().map(r -> "(" + r + "), ").orElse("") + i.function()
                        + (i.arguments().isEmpty() ? "" : ", (" + String.join(", ", i.arguments()) + ")");
            case FunctionCall.BranchTable i ->
                i.name().name() + ": .branchtargets "
                        + i.targets().stream().map(Label::name).collect(Collectors.joining(", "));
            case FunctionCall.BranchIndexed i ->
                line(
                        "brx.idx" + (i.uniform() ? ".uni" : ""),
                        i.index(),
                        i.table().name());
        };
    }

    static String indirectCall(IndirectCall instruction) {
        return switch (instruction) {
            case IndirectCall.FunctionAddress i -> line("mov.u64", i.d(), i.function());
            case IndirectCall.Prototype i ->
                i.name().name() + ": .callprototype "
                        + (i.results().isEmpty() ? "" : VariableText.declarations(i.results()) + " ") + "_ "
                        + VariableText.declarations(i.params()) + (i.noReturn() ? " .noreturn" : "");
            case IndirectCall.Targets i -> i.name().name() + ": .calltargets " + String.join(", ", i.functions());
            case IndirectCall.Call i ->
                "call" + (i.uniform() ? ".uni " : " ")
                        + i.result().map(r -> "(" + r + "), ").orElse("") + operand(i.function())
                        + (i.arguments().isEmpty() ? "" : ", (" + String.join(", ", i.arguments()) + ")") + ", "
                        + i.callees().name();
        };
    }

    private static String bracketed(String name, int offset) {
        return "[" + name + (offset == 0 ? "]" : "+" + offset + "]");
    }
}
