package dev.tilewright.gemm.oracle;

import dev.tilewright.model.problem.Activation;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Epilogue;
import dev.tilewright.model.problem.EpilogueOp;
import dev.tilewright.model.problem.Major;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.EntryBuilder;
import dev.tilewright.ptx.Param;
import dev.tilewright.ptx.PtxModule;
import dev.tilewright.ptx.instruction.Compare.Relation;
import dev.tilewright.ptx.type.GlobalAddress;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.ParamAddress;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.ptx.type.RegisterType.F32;
import dev.tilewright.ptx.type.RegisterType.F64;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.Rounding;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.Target;
import java.util.List;
import java.util.Optional;

/**
 * Makes of the sums of {@link ReferenceGemmKernel} what an epilogue makes of them, in f64, and beside it how far an
 * element may be off, but for the rounding to its type: {@link Allowance#beside} of what {@link EpilogueReference}
 * expects. {@link CompareKernel} takes both, with a scale of 1. All matrices are packed and lie as D does.
 *
 * <p>Parameters: sums, magnitudes, c, bias, values, allowances (pointers; sums, magnitudes, values and allowances to
 * f32), count (u64, elements), width (u32, extent of a line as it lies), and the five numbers of the {@link Allowance}
 * (f64).
 */
public final class EpilogueKernel {
    public static final String ENTRY = "epilogue";

    private static final int THREADS = 256;

    private EpilogueKernel() {}

    /**
     * What decides the text.
     *
     * @param output the dimension along which a line of D lies
     * @param c type of C, if it is added
     * @param bias type of the bias, if there is one
     */
    public record Form(Epilogue epilogue, Major output, Optional<DataType> c, Optional<DataType> bias) {}

    /**
     * Where everything is on the device.
     *
     * @param c anything if there is none, as is the bias
     */
    public record Addresses(long sums, long magnitudes, long c, long bias, long values, long allowances) {}

    /**
     * The lines of a matrix as it lies.
     *
     * @param width extent of a line
     */
    public record Lines(int count, int width) {}

    public static PtxModule build(Form form) {
        return PtxModule.build(Target.SM_90A, m -> m.entry(ENTRY, e -> new Text(e, form).write()));
    }

    /** The launch for one matrix. */
    public static OracleLaunch launch(Addresses at, Lines lines, Allowance allowance, int sms) {
        long elements = (long) lines.count * lines.width;
        return new OracleLaunch(
                ENTRY,
                OracleLaunch.strideGrid(elements, THREADS, sms),
                THREADS,
                List.of(
                        at.sums,
                        at.magnitudes,
                        at.c,
                        at.bias,
                        at.values,
                        at.allowances,
                        elements,
                        lines.width,
                        allowance.relative(),
                        allowance.floor(),
                        allowance.absolute(),
                        allowance.ofSums(),
                        allowance.ofSteps()));
    }

    /** As in {@link EpilogueReference}. */
    private record State(Reg<F64> value, Reg<F64> magnitude, Reg<F64> perMagnitude, Reg<F64> error) {

        State times(CodeBuilder b, double factor) {
            Reg<F64> size = b.mov(Immediate.f64(Math.abs(factor)));
            return new State(
                    b.fmul(value, Immediate.f64(factor)), b.fmul(magnitude, size), perMagnitude, b.fmul(error, size));
        }

        State plus(CodeBuilder b, Reg<F64> summand) {
            return new State(b.fadd(value, summand), b.fadd(magnitude, b.fabs(summand)), perMagnitude, error);
        }

        Reg<F64> allError(CodeBuilder b) {
            return b.fma(perMagnitude, magnitude, error);
        }
    }

    private static final class Text {
        private final EntryBuilder e;
        private final Form form;
        private final EpilogueReference reference;
        private final Param sums;
        private final Param magnitudes;
        private final Param c;
        private final Param bias;
        private final Param values;
        private final Param allowances;
        private final Param count;
        private final Param width;
        private final Param relative;
        private final Param floor;
        private final Param absolute;
        private final Param ofSums;
        private final Param ofSteps;

        Text(EntryBuilder e, Form form) {
            this.e = e;
            this.form = form;
            reference = new EpilogueReference(form.epilogue);
            sums = e.pointer("sums");
            magnitudes = e.pointer("magnitudes");
            c = e.pointer("c");
            bias = e.pointer("bias");
            values = e.pointer("values");
            allowances = e.pointer("allowances");
            count = e.u64("count");
            width = e.u32("width");
            relative = e.param("relative", Param.Kind.F64);
            floor = e.param("floor", Param.Kind.F64);
            absolute = e.param("absolute", Param.Kind.F64);
            ofSums = e.param("of_sums", Param.Kind.F64);
            ofSteps = e.param("of_steps", Param.Kind.F64);
        }

        void write() {
            e.launchBounds(THREADS, 0);
            e.code(b -> {
                Reg<B64> sumsAt = b.globalPointer(sums);
                Reg<B64> magnitudesAt = b.globalPointer(magnitudes);
                Reg<B64> valuesAt = b.globalPointer(values);
                Reg<B64> allowancesAt = b.globalPointer(allowances);
                GridStride.forEach(b, "elements", b.param64(count), (l, index) -> {
                    State state = new State(
                            EpilogueMath.wide(l, l.ldF32(at(l, sumsAt, index))),
                            EpilogueMath.wide(l, l.ldF32(at(l, magnitudesAt, index))),
                            number(l, ofSums),
                            l.mov(Immediate.f64(0)));
                    for (EpilogueOp op : form.epilogue.ops()) {
                        state = after(l, op, index, state);
                    }
                    l.stF32(at(l, valuesAt, index), narrow(l, state.value));
                    l.stF32(at(l, allowancesAt, index), narrow(l, beside(l, state)));
                });
                b.ret();
            });
        }

        private State after(CodeBuilder b, EpilogueOp op, Reg<B64> index, State state) {
            return switch (op) {
                case EpilogueOp.Alpha(double factor) -> state.times(b, reference.number(factor));
                case EpilogueOp.Beta(double factor) ->
                    factor == 0
                            ? state
                            : state.plus(
                                    b,
                                    b.fmul(
                                            EpilogueMath.load(b, form.c.orElseThrow(), b.globalPointer(c), index),
                                            Immediate.f64(reference.number(factor))));
                case EpilogueOp.Bias(Major along) ->
                    state.plus(
                            b,
                            EpilogueMath.load(
                                    b, form.bias.orElseThrow(), b.globalPointer(bias), biasIndex(b, along, index)));
                case EpilogueOp.Activate(Activation function) -> activated(b, function, state);
                case EpilogueOp.Clamp(double low, double high) ->
                    new State(
                            b.fmin(
                                    b.fmax(state.value, Immediate.f64(reference.number(low))),
                                    Immediate.f64(reference.number(high))),
                            state.magnitude,
                            state.perMagnitude,
                            state.error);
            };
        }

        private State activated(CodeBuilder b, Activation function, State state) {
            Reg<F64> value = EpilogueMath.value(b, function, state.value);
            Reg<F64> steps = number(b, ofSteps);
            Reg<Pred> exact = b.setp(Relation.EQ, ScalarType.F64, steps, Immediate.f64(0));
            Reg<F64> computed = b.select(exact, Immediate.f64(0), b.fabs(state.value));
            Reg<F64> ofArgument = b.fmul(state.allError(b), Immediate.f64(function.error(0, 1)));
            return new State(
                    value,
                    b.fabs(value),
                    steps,
                    b.fma(computed, b.mov(Immediate.f64(function.error(1, 0))), ofArgument));
        }

        /** The element of the bias for an element of D. */
        private Reg<B64> biasIndex(CodeBuilder b, Major along, Reg<B64> index) {
            Reg<B64> ofLine = b.widen(b.param32(width));
            return along == form.output ? b.rem(index, ofLine) : b.div(index, ofLine);
        }

        private Reg<F64> beside(CodeBuilder b, State state) {
            Reg<F64> rounding = b.fmul(number(b, relative), b.fabs(state.value));
            Reg<F64> rest = b.fadd(state.allError(b), number(b, absolute));
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
