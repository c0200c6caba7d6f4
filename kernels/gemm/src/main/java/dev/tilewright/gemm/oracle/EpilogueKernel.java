package dev.tilewright.gemm.oracle;

import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Epilogue;
import dev.tilewright.model.problem.EpilogueOp;
import dev.tilewright.model.problem.Major;
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
 * Applies an epilogue to the sums of {@link ReferenceGemmKernel}, in f64, and writes beside each result how far an
 * element may be off, but for the rounding to its type: {@link Allowance#beside} of what {@link EpilogueReference}
 * expects. {@link CompareKernel} takes both, with a scale of 1. All matrices are packed and lie as D does.
 *
 * <p>Parameters: sums, magnitudes, scale_a, scale_b, c, bias, values, allowances (pointers; all but c and bias to f32),
 * count (u64, elements), width (u32, extent of a line as it lies), and the six numbers of the {@link Allowance} (f64).
 */
public final class EpilogueKernel {
    public static final String ENTRY = "epilogue";

    private static final int THREADS = 256;

    private EpilogueKernel() {}

    /**
     * All that the text depends on.
     *
     * @param output the dimension along which a line of D lies
     * @param c type of C, if it is added
     * @param bias type of the bias, if there is one
     */
    public record Form(Epilogue epilogue, Major output, Optional<DataType> c, Optional<DataType> bias) {}

    /**
     * Addresses on the device.
     *
     * @param scaleA of rows, ignored if rows have no scales, as is {@code scaleB}
     * @param c ignored if there is none, as is the bias
     */
    public record Addresses(
            long sums, long magnitudes, long scaleA, long scaleB, long c, long bias, long values, long allowances) {}

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
                        at.scaleA,
                        at.scaleB,
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
                        allowance.ofSteps(),
                        allowance.ofFunctions()));
    }

    private static final class Text {
        private final EntryBuilder e;
        private final Form form;
        private final Param sums;
        private final Param magnitudes;
        private final Param scaleA;
        private final Param scaleB;
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
        private final Param ofFunctions;

        Text(EntryBuilder e, Form form) {
            this.e = e;
            this.form = form;
            sums = e.pointer("sums");
            magnitudes = e.pointer("magnitudes");
            scaleA = e.pointer("scale_a");
            scaleB = e.pointer("scale_b");
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
            ofFunctions = e.param("of_functions", Param.Kind.F64);
        }

        void write() {
            e.launchBounds(THREADS, 0);
            e.code(b -> {
                Reg<B64> sumsAt = b.globalPointer(sums);
                Reg<B64> magnitudesAt = b.globalPointer(magnitudes);
                Reg<B64> valuesAt = b.globalPointer(values);
                Reg<B64> allowancesAt = b.globalPointer(allowances);
                BoundedValue.Errors<Reg<F64>> errors =
                        new BoundedValue.Errors<>(number(b, ofSteps), number(b, ofFunctions));
                GridStride.forEach(b, "elements", b.param64(count), (l, index) -> {
                    F64Arithmetic in = new F64Arithmetic(l);
                    EpilogueOp.Addends<Reg<F64>> addends = new EpilogueOp.Addends<>(
                            form.epilogue.scalesRows() ? scale(l, in, index) : in.number(1),
                            form.bias
                                    .map(type -> in.load(
                                            type,
                                            l.globalPointer(bias),
                                            along(l, index, form.epilogue.bias().orElseThrow())))
                                    .orElseGet(() -> in.number(0)),
                            form.c
                                    .map(type -> in.load(type, l.globalPointer(c), index))
                                    .orElseGet(() -> in.number(0)));
                    BoundedValue<Reg<F64>> now = new BoundedValue<>(
                            in.wide(l.ldF32(at(l, sumsAt, index))),
                            in.wide(l.ldF32(at(l, magnitudesAt, index))),
                            number(l, ofSums),
                            in.number(0));
                    for (EpilogueOp op : form.epilogue.ops()) {
                        now = now.after(op, addends, errors, in);
                    }
                    l.stF32(at(l, valuesAt, index), narrow(l, now.value()));
                    l.stF32(at(l, allowancesAt, index), narrow(l, beside(l, now, in)));
                });
                b.ret();
            });
        }

        /** The scale of the row of an element of D, times that of its column: exact in f64. */
        private Reg<F64> scale(CodeBuilder b, F64Arithmetic in, Reg<B64> index) {
            Reg<F64> ofRow = in.load(DataType.F32, b.globalPointer(scaleA), along(b, index, Major.M));
            Reg<F64> ofColumn = in.load(DataType.F32, b.globalPointer(scaleB), along(b, index, Major.N));
            return in.times(ofRow, ofColumn);
        }

        /** The coordinate of an element of D along M or N. */
        private Reg<B64> along(CodeBuilder b, Reg<B64> index, Major dimension) {
            Reg<B64> ofLine = b.widen(b.param32(width));
            return dimension == form.output ? b.rem(index, ofLine) : b.div(index, ofLine);
        }

        private Reg<F64> beside(CodeBuilder b, BoundedValue<Reg<F64>> bounded, F64Arithmetic in) {
            Reg<F64> rounding = b.fmul(number(b, relative), b.fabs(bounded.value()));
            Reg<F64> rest = b.fadd(bounded.allError(in), number(b, absolute));
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
