package dev.tilewright.gemm.oracle;

import dev.tilewright.gemm.oracle.EpilogueMath.Function;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.EntryBuilder;
import dev.tilewright.ptx.Param;
import dev.tilewright.ptx.PtxModule;
import dev.tilewright.ptx.type.GlobalAddress;
import dev.tilewright.ptx.type.ParamAddress;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.ptx.type.RegisterType.F32;
import dev.tilewright.ptx.type.RegisterType.F64;
import dev.tilewright.ptx.type.Rounding;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.Target;
import java.util.List;
import java.util.Optional;

/**
 * Makes of the sums of {@link ReferenceGemmKernel} what an epilogue makes of them, in f64: {@code f(alpha * sum + beta
 * * C + bias)}, and beside it how far an element may be off, but for the rounding to its type:
 * {@link Allowance#beside}. {@link CompareKernel} takes both, with a scale of 1. All matrices are packed and lie as D
 * does.
 *
 * <p>Parameters: sums, magnitudes, c, bias, values, allowances (pointers; sums, magnitudes, values and allowances to
 * f32), count (u64, elements), columns, lines (u32, of one matrix as it lies), alpha, beta, and the five numbers of the
 * {@link Allowance} (f64).
 */
public final class EpilogueKernel {
    public static final String ENTRY = "epilogue";

    private static final int THREADS = 256;

    private EpilogueKernel() {}

    /** What the bias has a number for, as D lies in memory. */
    public enum Along {
        /** Each line: neighbours have the same. */
        LINES,
        /** Each place in a line. */
        COLUMNS
    }

    /** A bias and its type. */
    public record Bias(DataType type, Along along) {}

    /**
     * What decides the text.
     *
     * @param c type of C, if it is added
     */
    public record Form(Function function, Optional<DataType> c, Optional<Bias> bias) {}

    /**
     * Where everything is on the device.
     *
     * @param c anything if there is none, as is the bias
     */
    public record Addresses(long sums, long magnitudes, long c, long bias, long values, long allowances) {}

    public static PtxModule build(Form form) {
        return PtxModule.build(Target.SM_90A, m -> m.entry(ENTRY, e -> new Text(e, form).write()));
    }

    /**
     * The launch for equal matrices one behind the other.
     *
     * @param columns extent of a line of D as it lies
     * @param lines how many a matrix has
     */
    public static OracleLaunch launch(
            Addresses at, long count, int columns, int lines, double alpha, double beta, Allowance allowance, int sms) {
        return new OracleLaunch(
                ENTRY,
                OracleLaunch.strideGrid(count, THREADS, sms),
                THREADS,
                List.of(
                        at.sums,
                        at.magnitudes,
                        at.c,
                        at.bias,
                        at.values,
                        at.allowances,
                        count,
                        columns,
                        lines,
                        alpha,
                        beta,
                        allowance.relative(),
                        allowance.floor(),
                        allowance.absolute(),
                        allowance.ofScale(),
                        allowance.ofArgument()));
    }

    /** The argument of the activation, and the sum of the magnitudes of what was added to it. */
    private record Terms(Reg<F64> argument, Reg<F64> scale) {

        Terms plus(CodeBuilder b, Reg<F64> added) {
            return new Terms(b.fadd(argument, added), b.fadd(scale, b.fabs(added)));
        }
    }

    private static final class Text {
        private final EntryBuilder e;
        private final Form form;
        private final Param sums;
        private final Param magnitudes;
        private final Param c;
        private final Param bias;
        private final Param values;
        private final Param allowances;
        private final Param count;
        private final Param columns;
        private final Param lines;
        private final Param alpha;
        private final Param beta;
        private final Param relative;
        private final Param floor;
        private final Param absolute;
        private final Param ofScale;
        private final Param ofArgument;

        Text(EntryBuilder e, Form form) {
            this.e = e;
            this.form = form;
            sums = e.pointer("sums");
            magnitudes = e.pointer("magnitudes");
            c = e.pointer("c");
            bias = e.pointer("bias");
            values = e.pointer("values");
            allowances = e.pointer("allowances");
            count = e.u64("count");
            columns = e.u32("columns");
            lines = e.u32("lines");
            alpha = e.param("alpha", Param.Kind.F64);
            beta = e.param("beta", Param.Kind.F64);
            relative = e.param("relative", Param.Kind.F64);
            floor = e.param("floor", Param.Kind.F64);
            absolute = e.param("absolute", Param.Kind.F64);
            ofScale = e.param("of_scale", Param.Kind.F64);
            ofArgument = e.param("of_argument", Param.Kind.F64);
        }

        void write() {
            e.launchBounds(THREADS, 0);
            e.code(b -> {
                Reg<B64> sumsAt = b.globalPointer(sums);
                Reg<B64> magnitudesAt = b.globalPointer(magnitudes);
                Reg<B64> valuesAt = b.globalPointer(values);
                Reg<B64> allowancesAt = b.globalPointer(allowances);
                Reg<F64> factor = number(b, alpha);
                GridStride.forEach(b, "elements", b.param64(count), (l, index) -> {
                    Reg<F64> sum = EpilogueMath.wide(l, l.ldF32(at(l, sumsAt, index)));
                    Reg<F64> magnitude = EpilogueMath.wide(l, l.ldF32(at(l, magnitudesAt, index)));
                    Terms terms = new Terms(l.fmul(factor, sum), l.fmul(l.fabs(factor), magnitude));
                    terms = added(l, index, terms);
                    Reg<F64> value = EpilogueMath.value(l, form.function(), terms.argument);
                    l.stF32(at(l, valuesAt, index), narrow(l, value));
                    l.stF32(at(l, allowancesAt, index), narrow(l, beside(l, value, terms)));
                });
                b.ret();
            });
        }

        private Terms added(CodeBuilder b, Reg<B64> index, Terms sums) {
            Terms terms = sums;
            if (form.c().isPresent()) {
                Reg<F64> element = EpilogueMath.load(b, form.c().get(), b.globalPointer(c), index);
                terms = terms.plus(b, b.fmul(number(b, beta), element));
            }
            if (form.bias().isPresent()) {
                Bias one = form.bias().get();
                Reg<B64> width = b.widen(b.param32(columns));
                Reg<B64> place = switch (one.along()) {
                    case COLUMNS -> b.rem(index, width);
                    case LINES -> b.rem(b.div(index, width), b.widen(b.param32(lines)));
                };
                terms = terms.plus(b, EpilogueMath.load(b, one.type(), b.globalPointer(bias), place));
            }
            return terms;
        }

        private Reg<F64> beside(CodeBuilder b, Reg<F64> value, Terms terms) {
            Reg<F64> rounding = b.fmul(number(b, relative), b.fabs(value));
            Reg<F64> rest = b.fma(number(b, ofScale), terms.scale, number(b, absolute));
            rest = b.fma(number(b, ofArgument), b.fabs(terms.argument), rest);
            return b.fadd(rest, b.fsub(b.fmax(rounding, number(b, floor)), rounding));
        }

        private static Reg<F64> number(CodeBuilder b, Param param) {
            Reg<F64> value = b.f64();
            b.ld(ScalarType.F64, value, ParamAddress.of(param.name()));
            return value;
        }

        private static Reg<F32> narrow(CodeBuilder b, Reg<F64> value) {
            Reg<F32> narrow = b.f32();
            b.cvt(Rounding.RN, ScalarType.F32, ScalarType.F64, narrow, value);
            return narrow;
        }

        private static GlobalAddress at(CodeBuilder b, Reg<B64> base, Reg<B64> index) {
            return GlobalAddress.of(b.mad(index, Float.BYTES, base));
        }
    }
}
