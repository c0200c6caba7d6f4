package dev.tilewright.worker.cli.gate.file;

import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Epilogue;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scales;
import dev.tilewright.model.problem.Scenario;
import java.util.List;
import java.util.Optional;

/**
 * A problem of the file.
 *
 * @param types empty for those of the kernel's bundle, else bf16
 * @param majors empty likewise
 */
public record ProblemEntry(
        String name,
        List<ProblemShape> shapes,
        int batch,
        Optional<OperandTypes> types,
        Optional<OperandMajors> majors,
        Optional<Epilogue> epilogue,
        Optional<Scales> scales,
        Scenario scenario) {

    public ProblemEntry {
        shapes = List.copyOf(shapes);
    }

    /** The whole problem; where the file does not say types and layouts, they are those that a bundle takes. */
    public Problem problem(Optional<Problem> ofBundle) {
        return new Problem(
                shapes,
                batch,
                types.or(() -> ofBundle.map(Problem::types)).orElse(OperandTypes.of(DataType.BF16)),
                majors.or(() -> ofBundle.map(Problem::major)).orElse(OperandMajors.DEFAULT),
                scenario,
                epilogue.or(() -> ofBundle.map(Problem::epilogue)).orElse(Epilogue.NONE),
                scales.or(() -> ofBundle.map(Problem::scales)).orElse(Scales.TENSOR));
    }
}
