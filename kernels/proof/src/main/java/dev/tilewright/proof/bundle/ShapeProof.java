package dev.tilewright.proof.bundle;

import dev.tilewright.model.problem.Problem;
import dev.tilewright.proof.file.FileVerdict;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/**
 * The result of a proof of a config on one problem.
 *
 * @param lines for people: what is wrong, and where
 * @param document the same for programs, as {@code check --json} has it of a kernel file
 */
public record ShapeProof(Problem problem, FileVerdict verdict, List<String> lines, ObjectNode document) {
    public ShapeProof {
        lines = List.copyOf(lines);
    }
}
