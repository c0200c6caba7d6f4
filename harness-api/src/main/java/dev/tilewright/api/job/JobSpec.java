package dev.tilewright.api.job;

import dev.tilewright.api.study.Budget;
import dev.tilewright.api.study.SpaceRestriction;
import dev.tilewright.model.problem.Problem;
import java.util.List;

/**
 * A job with every default filled in and every value checked.
 *
 * @param check whether each kernel text must be proved before it may run
 */
public record JobSpec(
        String name,
        List<Problem> problems,
        String family,
        SpaceRestriction restriction,
        String strategy,
        Budget budget,
        long seed,
        String device,
        boolean check) {}
