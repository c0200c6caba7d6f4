package dev.tilewright.api.web.job;

import dev.tilewright.api.platform.http.ApiProblem;
import dev.tilewright.api.platform.http.Fault;
import dev.tilewright.model.exchange.JobRequest;
import dev.tilewright.model.exchange.ProblemDocument;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Epilogue;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Scales;
import dev.tilewright.model.problem.ShapeRange;
import dev.tilewright.model.problem.Suggestion;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The form for a job. All are texts, so that a wrong one comes back as it was typed.
 *
 * @param shapes one problem on a line: MxNxK, of a grouped one several joined by +
 * @param types of A, B and D; one name stands for three
 * @param scales tensor, row or block; tensor if empty
 * @param epilogue steps with commas; none if empty
 * @param family of kernels; that of the device if empty
 * @param peers further families in each final, with commas; none if empty
 * @param schedulers the only ones to try, with commas; all if empty
 * @param kernels of the table of a range at the most; the usual number if empty
 * @param check {@code on}, or nothing
 */
public record JobForm(
        @Nullable String name,
        @Nullable String shapes,
        @Nullable String types,
        @Nullable String scales,
        @Nullable String epilogue,
        @Nullable String device,
        @Nullable String family,
        @Nullable String peers,
        @Nullable String strategy,
        @Nullable String trials,
        @Nullable String seconds,
        @Nullable String schedulers,
        @Nullable String kernels,
        @Nullable String check) {

    static JobForm empty() {
        return new JobForm("", "", "bf16", "tensor", "", "auto", "", "", "model", "", "", "", "", "");
    }

    /**
     * The request to the service.
     *
     * @throws ApiProblem 422 with each field that cannot be read
     */
    JobRequest request() {
        List<Fault> faults = new ArrayList<>();
        OperandTypes operands = read("Types", faults, () -> types(text(types)));
        Scales kind = read("Scales", faults, () -> scales(text(scales)));
        Epilogue steps = read("Epilogue", faults, () -> Epilogue.parse(text(epilogue)));
        List<ProblemDocument> problems = new ArrayList<>();
        List<String> lines = text(shapes)
                .lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .toList();
        if (lines.isEmpty()) {
            faults.add(new Fault("Shapes", "give at least one, such as 2048x1024x768"));
        }
        for (String line : lines) {
            ProblemDocument problem = read("Shapes", faults, () -> problem(line, operands, kind, steps));
            if (problem != null) {
                problems.add(problem);
            }
        }
        Integer most = read("Trials", faults, () -> whole(text(trials)));
        Integer limit = read("Seconds", faults, () -> whole(text(seconds)));
        Integer size = read("Kernels", faults, () -> whole(text(kernels)));
        if (!faults.isEmpty()) {
            throw ApiProblem.invalid(faults);
        }
        return JobRequest.of(problems)
                .name(text(name))
                .family(named(family))
                .schedulers(words(text(schedulers)))
                .strategy(named(strategy))
                .budget(new JobRequest.BudgetRequest(most, limit, null))
                .device(named(device))
                .check("on".equals(check))
                .peers(words(text(peers)))
                .kernels(size)
                .build();
    }

    /** A field in the words of the form, for a JSON pointer of the request. */
    static String field(String pointer) {
        String[] parts = pointer.split("/");
        if (parts.length < 2) {
            return pointer;
        }
        return switch (parts[1]) {
            case "problems" -> parts.length > 2 ? "Shape " + (Integer.parseInt(parts[2]) + 1) : "Shapes";
            case "schedulers" -> "Tile schedulers";
            case "budget" -> parts.length > 2 ? capitalized(parts[2]) : "Budget";
            default -> capitalized(parts[1]);
        };
    }

    private static String capitalized(String word) {
        return word.isEmpty() ? word : Character.toUpperCase(word.charAt(0)) + word.substring(1);
    }

    private static ProblemDocument problem(
            String line, @Nullable OperandTypes operands, @Nullable Scales scales, @Nullable Epilogue epilogue) {
        if (ShapeRange.isMeant(line)) {
            ShapeRange range = ShapeRange.parse(line);
            return new ProblemDocument(
                    range.least(),
                    range.most(),
                    range.n(),
                    range.k(),
                    null,
                    null,
                    null,
                    operands,
                    null,
                    null,
                    epilogue,
                    scales);
        }
        List<ProblemDocument.Extents> groups = Stream.of(line.split("\\+", -1))
                .map(String::strip)
                .map(Suggestion::readShape)
                .map(shape -> new ProblemDocument.Extents(shape.m(), shape.n(), shape.k()))
                .toList();
        return new ProblemDocument(null, null, null, null, null, groups, null, operands, null, null, epilogue, scales);
    }

    private static Scales scales(String text) {
        return text.isEmpty() ? Scales.TENSOR : Scales.parse(text);
    }

    private static OperandTypes types(String text) {
        List<DataType> named = words(text).stream().map(DataType::parse).toList();
        return switch (named.size()) {
            case 0 -> OperandTypes.of(DataType.BF16);
            case 1 -> OperandTypes.of(named.getFirst());
            case 3 -> new OperandTypes(named.get(0), named.get(1), named.get(2));
            default -> throw new IllegalArgumentException("give one type, or those of A, B and D, got '" + text + "'");
        };
    }

    private static @Nullable Integer whole(String text) {
        if (text.isEmpty()) {
            return null;
        }
        try {
            return Integer.valueOf(text);
        } catch (NumberFormatException none) {
            throw new IllegalArgumentException("must be a whole number, got '" + text + "'", none);
        }
    }

    private static List<String> words(String text) {
        return Arrays.stream(text.split("[,\\s]+"))
                .filter(word -> !word.isEmpty())
                .toList();
    }

    /** The value of a field; {@code null} if it is empty, and the service chooses. */
    private static @Nullable String named(@Nullable String field) {
        return text(field).isEmpty() ? null : text(field);
    }

    private static String text(@Nullable String field) {
        return field == null ? "" : field.strip();
    }

    @FunctionalInterface
    private interface Reader<T> {
        @Nullable
        T read();
    }

    private static <T> @Nullable T read(String field, List<Fault> faults, Reader<T> reader) {
        try {
            return reader.read();
        } catch (IllegalArgumentException wrong) {
            faults.add(new Fault(field, String.valueOf(wrong.getMessage())));
            return null;
        }
    }
}
