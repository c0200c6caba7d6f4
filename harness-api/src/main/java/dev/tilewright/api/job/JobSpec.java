package dev.tilewright.api.job;

import dev.tilewright.api.study.JobOptions;
import dev.tilewright.model.problem.Problem;
import java.util.List;

/**
 * A job that may be stored: one study for each problem, all with the same options.
 *
 * @param maker of its family
 */
public record JobSpec(String name, List<Problem> problems, String maker, JobOptions options) {}
