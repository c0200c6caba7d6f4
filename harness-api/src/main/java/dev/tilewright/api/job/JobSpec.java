package dev.tilewright.api.job;

import dev.tilewright.api.study.JobOptions;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.RangedProblem;
import java.util.List;

/**
 * A job that may be stored: one study for each problem, all with the same options, and for each range of M what its
 * phases take.
 *
 * @param maker of its family
 */
public record JobSpec(
        String name, List<Problem> problems, List<RangedProblem> ranges, String maker, JobOptions options) {}
