package dev.tilewright.proof.bundle;

import dev.tilewright.model.problem.Problem;
import dev.tilewright.proof.file.FileVerdict;
import java.util.List;

/**
 * What came of a config on one problem.
 *
 * @param lines for people: what is wrong, and where
 */
public record ShapeProof(Problem problem, FileVerdict verdict, List<String> lines) {
    public ShapeProof {
        lines = List.copyOf(lines);
    }
}
