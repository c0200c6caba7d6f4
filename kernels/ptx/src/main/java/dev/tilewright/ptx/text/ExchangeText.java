package dev.tilewright.ptx.text;

import static dev.tilewright.ptx.text.OperandText.line;
import static dev.tilewright.ptx.text.OperandText.mask;
import static dev.tilewright.ptx.text.OperandText.operand;
import static dev.tilewright.ptx.text.OperandText.scalarOrVector;
import static dev.tilewright.ptx.text.OperandText.size;

import dev.tilewright.ptx.instruction.FunctionCall;
import dev.tilewright.ptx.instruction.IndirectCall;
import dev.tilewright.ptx.instruction.WarpExchange;
import dev.tilewright.ptx.type.Label;
import dev.tilewright.ptx.type.Reg;
import java.util.stream.Collectors;

/** Calls, and exchanges between the threads of a warp or a CTA, as text. */
final class ExchangeText {
    private ExchangeText() {}

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

    static String exchange(WarpExchange instruction) {
        return switch (instruction) {
            case WarpExchange.MatchAll i ->
                line(
                        "match.all.sync." + i.type().ptx(),
                        operand(i.d()) + i.all().map(p -> "|" + p.name()).orElse(""),
                        i.a(),
                        mask(i.mask()));
            case WarpExchange.Reduce i ->
                line("redux.sync." + i.operation().ptx() + "." + i.type().ptx(), i.d(), i.a(), mask(i.mask()));
            case WarpExchange.ActiveMask _, WarpExchange.MatchAny _ -> FormText.of(instruction);
            case WarpExchange.BarrierCount i ->
                line(reduction(i.aligned()) + "popc.u32", i.d(), i.id(), i.threads()) + predicate(i.p(), i.negated());
            case WarpExchange.BarrierVote i ->
                line(reduction(i.aligned()) + i.operation().ptx() + ".pred", i.d(), i.id(), i.threads())
                        + predicate(i.p(), i.negated());
            case WarpExchange.AliasFence _ -> "fence.proxy.alias";
        };
    }

    private static String predicate(Reg<?> p, boolean negated) {
        return ", " + (negated ? "!" : "") + p.name();
    }

    /** Under its old name where that means the same: ptxas makes better code of it. */
    private static String reduction(boolean aligned) {
        return aligned ? "bar.red." : "barrier.cta.red.";
    }

    private static String bracketed(String name, int offset) {
        return "[" + name + (offset == 0 ? "]" : "+" + offset + "]");
    }
}
