package dev.tilewright.ptx.text;

import static dev.tilewright.ptx.text.InstructionText.line;
import static dev.tilewright.ptx.text.OperandText.operand;

import dev.tilewright.ptx.instruction.Convert;
import dev.tilewright.ptx.instruction.FloatMath;

/** Conversions and arithmetic of floats as text. */
final class NumberText {
    private NumberText() {}

    static String convert(Convert instruction) {
        return switch (instruction) {
            case Convert.Cvt i ->
                line(
                        "cvt" + i.rounding().ptx() + i.options().ptx() + "." + i.to().ptx() + "."
                                + i.from().ptx(),
                        operand(i.d()),
                        operand(i.a()));
            case Convert.Pair i ->
                line(
                        "cvt" + i.rounding().ptx() + i.options().ptx() + "." + i.to().ptx() + ".f32",
                        operand(i.d()),
                        operand(i.high()),
                        operand(i.low()));
            case Convert.ToTf32 i ->
                line(
                        "cvt." + i.rounding().ptx() + (i.options().finite() ? ".satfinite" : "")
                                + (i.options().relu() ? ".relu" : "") + ".tf32.f32",
                        operand(i.d()),
                        operand(i.a()));
            case Convert.ToFp8 i ->
                line(
                        "cvt.rn.satfinite" + relu(i.relu()) + "." + i.to().ptx() + "x2.f32",
                        operand(i.d()),
                        operand(i.high()),
                        operand(i.low()));
            case Convert.HalvesToFp8 i ->
                line(
                        "cvt.rn.satfinite" + relu(i.relu()) + "." + i.to().ptx() + "x2.f16x2",
                        operand(i.d()),
                        operand(i.a()));
            case Convert.Fp8ToHalves i ->
                line("cvt.rn" + relu(i.relu()) + ".f16x2." + i.from().ptx() + "x2", operand(i.d()), operand(i.a()));
            case Convert.SaturateAndPack i ->
                line(
                                "cvt.pack.sat." + i.to().ptx() + ".s32" + (i.c().isPresent() ? ".b32" : ""),
                                operand(i.d()),
                                operand(i.a()),
                                operand(i.b()))
                        + i.c().map(c -> ", " + operand(c)).orElse("");
            case Convert.ToGeneric i ->
                line("cvta" + InstructionText.window(i.space()) + ".u64", operand(i.d()), operand(i.a()));
            case Convert.FromGeneric i ->
                line("cvta.to" + InstructionText.window(i.space()) + ".u64", operand(i.d()), operand(i.a()));
            case Convert.GenericAddressOf i ->
                line(
                        "cvta" + InstructionText.window(i.space()) + ".u64",
                        operand(i.d()),
                        OperandText.within(i.symbol(), i.offset()));
            case Convert.IsInSpace i ->
                line("isspacep" + InstructionText.window(i.space()), operand(i.d()), operand(i.a()));
        };
    }

    static String floats(FloatMath instruction) {
        return switch (instruction) {
            case FloatMath.Binary i ->
                line(
                        i.operation().ptx() + i.rounding().ptx() + i.options().ptx() + "."
                                + i.type().ptx(),
                        operand(i.d()),
                        operand(i.a()),
                        operand(i.b()));
            case FloatMath.Fma i ->
                line(
                        "fma" + i.rounding().ptx() + i.options().ptx() + "."
                                + i.type().ptx(),
                        operand(i.d()),
                        operand(i.a()),
                        operand(i.b()),
                        operand(i.c()));
            case FloatMath.Unary i ->
                line(
                        i.operation().ptx() + i.rounding().ptx() + flush(i.flushToZero()) + "."
                                + i.type().ptx(),
                        operand(i.d()),
                        operand(i.a()));
            case FloatMath.CopySign i ->
                line("copysign." + i.type().ptx(), operand(i.d()), operand(i.a()), operand(i.b()));
            case FloatMath.Test i ->
                line("testp." + i.property().ptx() + "." + i.type().ptx(), operand(i.d()), operand(i.a()));
        };
    }

    private static String flush(boolean flushToZero) {
        return flushToZero ? ".ftz" : "";
    }

    private static String relu(boolean relu) {
        return relu ? ".relu" : "";
    }
}
