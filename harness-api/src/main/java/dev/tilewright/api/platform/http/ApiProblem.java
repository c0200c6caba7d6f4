package dev.tilewright.api.platform.http;

import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/** A request that is answered with a problem document. */
public final class ApiProblem extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final ProblemType type;
    private final transient List<Fault> faults;

    public ApiProblem(ProblemType type, String detail, List<Fault> faults) {
        super(detail);
        this.type = type;
        this.faults = List.copyOf(faults);
    }

    public ApiProblem(ProblemType type, String detail) {
        this(type, detail, List.of());
    }

    /** 404, such as {@code there is no job 4711}. */
    public static ApiProblem notFound(String what, Object id) {
        return new ApiProblem(ProblemType.NOT_FOUND, "there is no " + what + " " + id);
    }

    /** 400 for a parameter or a header. */
    public static ApiProblem malformed(String parameter, String detail) {
        return new ApiProblem(
                ProblemType.MALFORMED_REQUEST, parameter + ": " + detail, List.of(new Fault(parameter, detail)));
    }

    /** 422 with every fault that was found. */
    public static ApiProblem invalid(List<Fault> faults) {
        String detail = faults.size() == 1 ? faults.getFirst().line() : faults.size() + " values are not accepted";
        return new ApiProblem(ProblemType.INVALID, detail, faults);
    }

    /** 422 if any fault was found. */
    public static void requireNone(List<Fault> faults) {
        if (!faults.isEmpty()) {
            throw invalid(faults);
        }
    }

    /** 422 with one fault. */
    public static ApiProblem invalid(String pointer, String detail) {
        return invalid(List.of(new Fault(pointer, detail)));
    }

    /** Reads a parameter of a request; 422 with what the reader says of a text that it cannot read. */
    public static <T> T read(String parameter, String text, Function<String, T> reader) {
        try {
            return reader.apply(text);
        } catch (IllegalArgumentException wrong) {
            throw invalid(parameter, String.valueOf(wrong.getMessage()));
        }
    }

    /** Reads one of these as it is written; 422 with all of them for a text that is none. */
    public static <T> T oneOf(String parameter, String text, T[] values) {
        return Arrays.stream(values)
                .filter(value -> value.toString().equals(text))
                .findFirst()
                .orElseThrow(
                        () -> invalid(parameter, "must be one of " + Arrays.toString(values) + ", got '" + text + "'"));
    }

    /** All that is wrong, on one line. */
    public String reasons() {
        return faults.isEmpty()
                ? String.valueOf(getMessage())
                : faults.stream().map(Fault::line).collect(Collectors.joining("; "));
    }

    public ProblemType type() {
        return type;
    }

    public List<Fault> faults() {
        return faults;
    }
}
