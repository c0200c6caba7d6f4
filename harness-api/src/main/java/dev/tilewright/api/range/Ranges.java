package dev.tilewright.api.range;

import dev.tilewright.api.study.JobOptions;
import dev.tilewright.api.study.StudyRepository;
import dev.tilewright.model.exchange.KnownRanges;
import dev.tilewright.model.exchange.RangeDocument;
import dev.tilewright.model.exchange.StudyDocument;
import dev.tilewright.model.problem.RangedProblem;
import dev.tilewright.model.range.RangePhase;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** Begins ranges of M, and shows them. */
@Service
public class Ranges {

    /**
     * Trials of a search at one M, where the user says no number: the table needs good kernels, not the best of each.
     */
    private static final int TRIALS = 24;

    private final RangeRepository ranges;
    private final StudyRepository studies;

    Ranges(RangeRepository ranges, StudyRepository studies) {
        this.ranges = ranges;
        this.studies = studies;
    }

    /** Adds ranges to a new job, each with the studies of its first phase; returns how many studies these are. */
    @Transactional(propagation = Propagation.MANDATORY)
    public int begin(UUID jobId, String maker, List<RangedProblem> problems, JobOptions options) {
        if (problems.isEmpty()) {
            return 0;
        }
        ranges.insert(jobId, problems);
        JobOptions searching =
                options.screening(Objects.requireNonNullElse(options.budget().trials(), TRIALS));
        List<StudyRepository.New> added = new ArrayList<>();
        for (int range = 0; range < problems.size(); range++) {
            RangedProblem problem = problems.get(range);
            StudyDocument.OfRange part = new StudyDocument.OfRange(range, RangePhase.SEARCH);
            Arrays.stream(RangePlan.searched(problem))
                    .mapToObj(m -> new StudyRepository.New(problem.at(m), part, searching))
                    .forEach(added::add);
        }
        studies.insert(jobId, maker, added);
        return added.size();
    }

    /** Ends what is open of a job that is cancelled: no study is added afterwards. */
    @Transactional(propagation = Propagation.MANDATORY)
    public void cancel(UUID jobId) {
        ranges.cancel(jobId);
    }

    /** The ranges of jobs, those of each in their order. */
    public Map<UUID, List<RangeDocument>> documents(List<UUID> jobIds) {
        return ranges.ofJobs(jobIds).stream()
                .collect(Collectors.groupingBy(
                        RangeRow::jobId, Collectors.mapping(RangeRow::document, Collectors.toList())));
    }

    /**
     * The newest checked table of each family on each model of a real GPU, whatever its driver was.
     *
     * @param testbed part of the name of a device; {@code null} for any, as is the family
     */
    KnownRanges known(RangedProblem problem, @Nullable String testbed, @Nullable String family) {
        return new KnownRanges(ranges.known(problem, testbed, family));
    }
}
