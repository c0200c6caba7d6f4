package dev.tilewright.ptx.text;

import static dev.tilewright.ptx.text.InstructionText.line;
import static dev.tilewright.ptx.text.OperandText.operand;

import dev.tilewright.ptx.instruction.AsyncCopy;
import dev.tilewright.ptx.instruction.BitField;
import dev.tilewright.ptx.instruction.CarryArithmetic;
import dev.tilewright.ptx.instruction.Compare.Combine;
import dev.tilewright.ptx.instruction.FunctionCall;
import dev.tilewright.ptx.instruction.Ordinary;
import dev.tilewright.ptx.instruction.SetCompare;
import dev.tilewright.ptx.instruction.WarpExchange;
import java.util.Optional;

/** One instruction of {@link Ordinary} as text, without the semicolon. */
final class OrdinaryText {
    private OrdinaryText() {}

    static String of(Ordinary instruction) {
        return switch (instruction) {
            case BitField i -> bitField(i);
            case CarryArithmetic i -> carry(i);
            case SetCompare i -> compare(i);
            case AsyncCopy i -> CopyText.asyncCopy(i);
            case FunctionCall i -> ExchangeText.call(i);
            case WarpExchange i -> ExchangeText.exchange(i);
        };
    }

    private static String bitField(BitField instruction) {
        return switch (instruction) {
            case BitField.Insert i ->
                line(
                        "bfi." + i.type().ptx(),
                        operand(i.d()),
                        operand(i.a()),
                        operand(i.b()),
                        operand(i.position()),
                        operand(i.length()));
            case BitField.FunnelShift i ->
                line(
                        "shf." + (i.left() ? "l" : "r") + (i.wrap() ? ".wrap" : ".clamp") + ".b32",
                        operand(i.d()),
                        operand(i.a()),
                        operand(i.b()),
                        operand(i.count()));
            case BitField.FindHighest i ->
                line("bfind" + (i.shift() ? ".shiftamt." : ".") + i.type().ptx(), operand(i.d()), operand(i.a()));
            case BitField.Mask i ->
                line(
                        "bmsk" + (i.wrap() ? ".wrap" : ".clamp") + ".b32",
                        operand(i.d()),
                        operand(i.position()),
                        operand(i.length()));
            case BitField.Permute i ->
                line(
                        "prmt.b32." + i.mode().ptx(),
                        operand(i.d()),
                        operand(i.a()),
                        operand(i.b()),
                        operand(i.selector()));
            case BitField.AbsoluteDifference i ->
                line("sad." + i.type().ptx(), operand(i.d()), operand(i.a()), operand(i.b()), operand(i.c()));
            case BitField.PairBinary i ->
                line(
                        i.operation().ptx() + relu(i.relu()) + (i.signed() ? ".s16x2" : ".u16x2"),
                        operand(i.d()),
                        operand(i.a()),
                        operand(i.b()));
            case BitField.DotProduct i ->
                line(
                        "dp4a." + i.typeA().ptx() + "." + i.typeB().ptx(),
                        operand(i.d()),
                        operand(i.a()),
                        operand(i.b()),
                        operand(i.c()));
        };
    }

    private static String carry(CarryArithmetic instruction) {
        return switch (instruction) {
            case CarryArithmetic.Add i ->
                line(
                        (i.subtract() ? "sub" : "add") + carried(i.carryIn(), i.carryOut()) + "."
                                + i.type().ptx(),
                        operand(i.d()),
                        operand(i.a()),
                        operand(i.b()));
            case CarryArithmetic.MultiplyAdd i ->
                line(
                        "mad" + (i.carryIn() ? "c." : ".") + i.half().ptx() + (i.carryOut() ? ".cc." : ".")
                                + i.type().ptx(),
                        operand(i.d()),
                        operand(i.a()),
                        operand(i.b()),
                        operand(i.c()));
            case CarryArithmetic.Saturated i ->
                line((i.subtract() ? "sub" : "add") + ".sat.s32", operand(i.d()), operand(i.a()), operand(i.b()));
        };
    }

    private static String carried(boolean in, boolean out) {
        return (in ? "c" : "") + (out ? ".cc" : "");
    }

    private static String compare(SetCompare instruction) {
        return switch (instruction) {
            case SetCompare.SetPredicates i ->
                line(
                                "setp." + i.relation().ptx() + operation(i.combine()) + flush(i.flushToZero()) + "."
                                        + i.type().ptx(),
                                operand(i.d())
                                        + i.second().map(q -> "|" + q.name()).orElse(""),
                                operand(i.a()),
                                operand(i.b()))
                        + third(i.combine());
            case SetCompare.SetValue i ->
                line(
                                "set." + i.relation().ptx() + operation(i.combine()) + flush(i.flushToZero()) + "."
                                        + i.to().ptx() + "." + i.type().ptx(),
                                operand(i.d()),
                                operand(i.a()),
                                operand(i.b()))
                        + third(i.combine());
            case SetCompare.SelectBySign i ->
                line(
                        "slct" + flush(i.flushToZero()) + "." + i.type().ptx() + "." + i.of().ptx(),
                        operand(i.d()),
                        operand(i.a()),
                        operand(i.b()),
                        operand(i.c()));
            case SetCompare.ConstantPredicate i -> line("mov.pred", operand(i.d()), i.value() ? "1" : "0");
        };
    }

    private static String operation(Optional<Combine> combine) {
        return combine.map(c -> "." + c.operation().ptx()).orElse("");
    }

    private static String third(Optional<Combine> combine) {
        return combine.map(c -> ", " + (c.negated() ? "!" : "") + c.predicate().name())
                .orElse("");
    }

    private static String flush(boolean flushToZero) {
        return flushToZero ? ".ftz" : "";
    }

    private static String relu(boolean relu) {
        return relu ? ".relu" : "";
    }
}
