package dev.tilewright.ptx.text;

import static dev.tilewright.ptx.text.OperandText.line;
import static dev.tilewright.ptx.text.OperandText.operand;

import dev.tilewright.ptx.instruction.Arithmetic;
import dev.tilewright.ptx.instruction.CarryArithmetic;
import dev.tilewright.ptx.instruction.Convert;
import dev.tilewright.ptx.instruction.FloatMath;

/** Arithmetic and conversions as text. */
final class NumberText {
    private NumberText() {}

    static String arithmetic(Arithmetic instruction) {
        return switch (instruction) {
            case Arithmetic.Binary i ->
                line(i.operation().ptx() + "." + i.type().ptx(), i.d(), i.a(), i.b());
            case Arithmetic.MultiplyWide i -> line("mul.wide." + i.type().ptx(), i.d(), i.a(), i.b());
            case Arithmetic.MultiplyAdd i ->
                line("mad." + i.half().ptx() + "." + i.type().ptx(), i.d(), i.a(), i.b(), i.c());
            case Arithmetic.Unary i -> line(i.operation().ptx() + "." + i.type().ptx(), i.d(), i.a());
            case Arithmetic.Lop3 _, Arithmetic.BitFieldExtract _ -> FormText.of(instruction);
        };
    }

    static String carry(CarryArithmetic instruction) {
        return switch (instruction) {
            case CarryArithmetic.Add i ->
                line(
                        (i.subtract() ? "sub" : "add") + carried(i.carryIn(), i.carryOut()) + "."
                                + i.type().ptx(),
                        i.d(),
                        i.a(),
                        i.b());
            case CarryArithmetic.MultiplyAdd i ->
                line(
                        "mad" + (i.carryIn() ? "c." : ".") + i.half().ptx() + (i.carryOut() ? ".cc." : ".")
                                + i.type().ptx(),
                        i.d(),
                        i.a(),
                        i.b(),
                        i.c());
            case CarryArithmetic.Saturated i -> line((i.subtract() ? "sub" : "add") + ".sat.s32", i.d(), i.a(), i.b());
        };
    }

    private static String carried(boolean in, boolean out) {
        return (in ? "c" : "") + (out ? ".cc" : "");
    }

    static String convert(Convert instruction) {
        return switch (instruction) {
            case Convert.Cvt i ->
                line(
                        "cvt" + i.rounding().ptx() + i.options().ptx() + "." + i.to().ptx() + "."
                                + i.from().ptx(),
                        i.d(),
                        i.a());
            case Convert.Pair i ->
                line(
                        "cvt" + i.rounding().ptx() + i.options().ptx() + "." + i.to().ptx() + ".f32",
                        i.d(),
                        i.high(),
                        i.low());
            case Convert.ToTf32 i ->
                line(
                        "cvt." + i.rounding().ptx() + (i.options().finite() ? ".satfinite" : "")
                                + (i.options().relu() ? ".relu" : "") + ".tf32.f32",
                        i.d(),
                        i.a());
            case Convert.ToFp8 i ->
                line("cvt.rn.satfinite" + relu(i.relu()) + "." + i.to().ptx() + "x2.f32", i.d(), i.high(), i.low());
            case Convert.HalvesToFp8 i ->
                line("cvt.rn.satfinite" + relu(i.relu()) + "." + i.to().ptx() + "x2.f16x2", i.d(), i.a());
            case Convert.Fp8ToHalves i ->
                line("cvt.rn" + relu(i.relu()) + ".f16x2." + i.from().ptx() + "x2", i.d(), i.a());
            case Convert.SaturateAndPack i ->
                line("cvt.pack.sat." + i.to().ptx() + ".s32" + (i.c().isPresent() ? ".b32" : ""), i.d(), i.a(), i.b())
                        + i.c().map(c -> ", " + operand(c)).orElse("");
            case Convert.ToGeneric i -> line("cvta" + OperandText.window(i.space()) + ".u64", i.d(), i.a());
            case Convert.FromGeneric i -> line("cvta.to" + OperandText.window(i.space()) + ".u64", i.d(), i.a());
            case Convert.GenericAddressOf i ->
                line(
                        "cvta" + OperandText.window(i.space()) + ".u64",
                        i.d(),
                        OperandText.within(i.symbol(), i.offset()));
            case Convert.IsInSpace i -> line("isspacep" + OperandText.window(i.space()), i.d(), i.a());
        };
    }

    static String floats(FloatMath instruction) {
        return switch (instruction) {
            case FloatMath.Binary i ->
                line(
                        i.operation().ptx() + i.rounding().ptx() + i.options().ptx() + "."
                                + i.type().ptx(),
                        i.d(),
                        i.a(),
                        i.b());
            case FloatMath.Fma i ->
                line(
                        "fma" + i.rounding().ptx() + i.options().ptx() + "."
                                + i.type().ptx(),
                        i.d(),
                        i.a(),
                        i.b(),
                        i.c());
            case FloatMath.Unary i ->
                line(
                        i.operation().ptx() + i.rounding().ptx() + flush(i.flushToZero()) + "."
                                + i.type().ptx(),
                        i.d(),
                        i.a());
            case FloatMath.CopySign _, FloatMath.Test _ -> FormText.of(instruction);
        };
    }

    private static String flush(boolean flushToZero) {
        return flushToZero ? ".ftz" : "";
    }

    private static String relu(boolean relu) {
        return relu ? ".relu" : "";
    }
}
