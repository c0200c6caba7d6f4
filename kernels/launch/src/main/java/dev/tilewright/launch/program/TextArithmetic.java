package dev.tilewright.launch.program;

import dev.tilewright.model.problem.Arithmetic;
import dev.tilewright.model.problem.Epilogue;
import dev.tilewright.model.problem.EpilogueOp;
import dev.tilewright.model.problem.EpilogueOp.Addends;
import dev.tilewright.model.problem.EpilogueOp.Effect;
import java.util.stream.Collectors;

/** Expressions of the self-tests that an export has: of {@code double} in C, of tensors of f64 in Python. */
enum TextArithmetic implements Arithmetic<String> {
    C("x %s= %s;", "(%1$s < %2$s ? %2$s : %1$s)", "(%1$s > %2$s ? %2$s : %1$s)", "fabs(%s)", "exp(%s)", "erf(%s)"),
    PYTHON("x = x %s %s", "%s.clamp_min(%s)", "%s.clamp_max(%s)", "%s.abs()", "%s.exp()", "%s.erf()");

    private final String update;
    private final String atLeast;
    private final String atMost;
    private final String abs;
    private final String exp;
    private final String erf;

    TextArithmetic(String update, String atLeast, String atMost, String abs, String exp, String erf) {
        this.update = update;
        this.atLeast = atLeast;
        this.atMost = atMost;
        this.abs = abs;
        this.exp = exp;
        this.erf = erf;
    }

    /**
     * Statements that apply the steps of an epilogue to {@code x}, a line each, indented by four spaces.
     *
     * @param scale expression of the scale of a row times that of a column
     * @param bias expression of the element of the bias
     * @param c expression of the element of C
     */
    String statements(Epilogue epilogue, String scale, String bias, String c) {
        Addends<String> addends = new Addends<>(scale, bias, c);
        return epilogue.ops().stream()
                .map(op -> "    " + statement(op, addends) + "\n")
                .collect(Collectors.joining());
    }

    private String statement(EpilogueOp op, Addends<String> addends) {
        return switch (op.on("x", addends, this)) {
            case Effect.Product<String>(String factor) -> update.formatted("*", factor);
            case Effect.Sum<String>(String summand) -> update.formatted("+", summand);
            case Effect.Exact<String>(String value) -> assigned(value);
            case Effect.Function<String>(String value, var _) -> assigned(value);
        };
    }

    private String assigned(String value) {
        return switch (this) {
            case C -> "x = " + value + ";";
            case PYTHON -> "x = " + value;
        };
    }

    /** In brackets, so that a method of Python can be called of it. */
    @Override
    public String number(double constant) {
        return constant < 0 ? "(" + constant + ")" : Double.toString(constant);
    }

    @Override
    public String passed(double written) {
        return number((float) written);
    }

    @Override
    public String plus(String a, String b) {
        return "(" + a + " + " + b + ")";
    }

    @Override
    public String times(String a, String b) {
        return "(" + a + " * " + b + ")";
    }

    @Override
    public String over(String a, String b) {
        return "(" + a + " / " + b + ")";
    }

    @Override
    public String abs(String x) {
        return abs.formatted(x);
    }

    @Override
    public String atLeast(String x, String limit) {
        return atLeast.formatted(x, limit);
    }

    @Override
    public String atMost(String x, String limit) {
        return atMost.formatted(x, limit);
    }

    @Override
    public String exp(String x) {
        return exp.formatted(x);
    }

    @Override
    public String erf(String x) {
        return erf.formatted(x);
    }
}
