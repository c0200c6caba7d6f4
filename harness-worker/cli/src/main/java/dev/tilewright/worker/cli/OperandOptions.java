package dev.tilewright.worker.cli;

import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Epilogue;
import dev.tilewright.model.problem.EpilogueOp;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.Scales;
import dev.tilewright.worker.link.command.CommandFailedException;
import dev.tilewright.worker.link.command.Syntax;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options for the types, layouts and scales of A, B and D, and for the steps between the sums and D. */
final class OperandOptions {

    private static final DataType DEFAULT = DataType.BF16;

    @Option(
            names = "--dtype",
            paramLabel = "TYPE",
            completionCandidates = KnownNames.OfTypes.class,
            description = "Element type of A and B: ${COMPLETION-CANDIDATES}, as far as the family takes it; and of D"
                    + " unless it has 8 bits: then D is bf16 (default: bf16).")
    private @Nullable String dtype;

    @Option(
            names = "--types",
            paramLabel = "A,B,D",
            description = "Element types of A, B and D in place of --dtype, such as e4m3,e5m2,bf16; each of them one of"
                    + " those of --dtype: bf16, f16, f32, e4m3, e5m2.")
    private @Nullable String types;

    @Option(
            names = "--major",
            paramLabel = "A,B[,D]",
            description = "The dimension of A (k or m), B (k or n) and D (n) whose neighbours are neighbours in memory"
                    + " (default: k,k,n).")
    private @Nullable String major;

    @Option(
            names = "--scales",
            paramLabel = "KIND",
            description = "Elements of inputs of 8 bits that share a scale: all of a tensor; a row of A and a row of B,"
                    + " which is a column of D; a block of 1x128 of A and of 128x128 of B. One of tensor, row, block"
                    + " (default: tensor).")
    private @Nullable String scales;

    @Option(
            names = "--epilogue",
            paramLabel = "STEP[,STEP..]",
            description = "Steps between the sums and D, in this order: " + EpilogueOp.KNOWN
                    + "; each once, and one activation (default: none). beta=F adds F times C; bias runs along N, bias-m"
                    + " along M.")
    private @Nullable String epilogue;

    /** The problem that supplies types and layouts where none are given; {@code null} for the defaults. */
    private @Nullable Problem like;

    /** Where the options do not say them, types and layouts are those of a problem. */
    void unlessGiven(Problem other) {
        like = other;
    }

    /** The options that were given. */
    Stream<String> given() {
        List<String> given = new ArrayList<>();
        Optional.ofNullable(dtype).ifPresent(_ -> given.add("--dtype"));
        Optional.ofNullable(types).ifPresent(_ -> given.add("--types"));
        Optional.ofNullable(major).ifPresent(_ -> given.add("--major"));
        Optional.ofNullable(scales).ifPresent(_ -> given.add("--scales"));
        Optional.ofNullable(epilogue).ifPresent(_ -> given.add("--epilogue"));
        return given.stream();
    }

    /** The one type that was named or is meant; empty if three were. */
    private Optional<DataType> dtype() {
        if (types == null) {
            return Optional.of(dtype == null ? DEFAULT : Syntax.read("--dtype", dtype, DataType::parse));
        }
        if (dtype != null) {
            throw CommandFailedException.usage(
                    "--types: give either --dtype or --types, got " + dtype + " and " + types);
        }
        return Optional.empty();
    }

    /** The types. */
    OperandTypes types() {
        if (like != null && dtype == null && types == null) {
            return like.types();
        }
        Optional<DataType> one = dtype();
        return one.isPresent()
                ? OperandTypes.of(one.get())
                : Syntax.read("--types", String.valueOf(types), OperandTypes::parse);
    }

    /** One name as {@code --dtype} takes it, or three as {@code --types} does. */
    static OperandTypes parseTypes(String text) {
        return text.contains(",") ? OperandTypes.parse(text) : OperandTypes.of(DataType.parse(text.strip()));
    }

    /** The epilogue. */
    Epilogue epilogue() {
        if (epilogue == null) {
            return like == null ? Epilogue.NONE : like.epilogue();
        }
        return Syntax.read("--epilogue", epilogue, Epilogue::parse);
    }

    /**
     * The scales.
     *
     * @param types of the problem that is meant
     */
    Scales scales(OperandTypes types) {
        if (scales == null) {
            return like == null ? Scales.TENSOR : like.scales();
        }
        Scales kind = Syntax.read("--scales", scales, Scales::parse);
        kind.refusal(types).ifPresent(reason -> {
            throw CommandFailedException.usage("--scales: " + reason);
        });
        return kind;
    }

    /** The layouts. */
    OperandMajors majors() {
        if (like != null && major == null) {
            return like.major();
        }
        return major == null ? OperandMajors.DEFAULT : Syntax.read("--major", major, OperandMajors::parse);
    }
}
