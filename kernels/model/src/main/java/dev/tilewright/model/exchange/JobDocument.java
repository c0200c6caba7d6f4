package dev.tilewright.model.exchange;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.tilewright.model.problem.Scenario;
import dev.tilewright.model.trial.Testbed;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A job as users see it.
 *
 * @param submittedBy name of the token that it was submitted with
 * @param offered devices that live workers offer now, such as {@code cuda:0}, each once: a job for another device waits
 *     for a worker; empty of a job that is over
 * @param ranges problems for any number of rows, in the order of the request; their studies come behind those of the
 *     others, phase by phase
 */
public record JobDocument(
        @JsonUnwrapped JobLine job,
        @Nullable String submittedBy,
        List<String> offered,
        List<RangeDocument> ranges,
        List<StudyLine> studies) {

    public JobDocument {
        // Documents of before there were any have none.
        ranges = ranges == null ? List.of() : List.copyOf(ranges);
    }

    /** Whether its studies are of one problem, which differs in the SMs that others hold alone. */
    public boolean differsInBusySms() {
        return ranges.isEmpty()
                && studies.stream()
                                .map(study -> study.problem().problem().beside(Scenario.QUIET))
                                .distinct()
                                .count()
                        == 1
                && studies.stream()
                                .map(study ->
                                        study.problem().problem().scenario().busySms())
                                .distinct()
                                .count()
                        == studies.size()
                && studies.size() > 1;
    }

    /**
     * What was asked for, and how far it is.
     *
     * @param peers further families whose kernels run in each final, bundles in their version
     */
    public record JobLine(
            UUID id,
            String name,
            StudyState state,
            String strategy,
            Budget budget,
            long seed,
            String device,
            boolean check,
            List<String> peers,
            Instant createdAt,
            @Nullable Instant finishedAt) {}

    /**
     * One study of the job.
     *
     * @param ofRange the range of M that it serves; {@code null} if none
     * @param testbed {@code null} until a device took it
     * @param fastestScreenTflops the highest rate of the screens so far, of the quick look at every config; it is not
     *     to be compared with a rate of the final
     * @param bestTflops of what is called the best: by the final, of a simulated study by its screens; {@code null}
     *     before anything may be called so
     * @param error why it could not be carried out
     */
    public record StudyLine(
            UUID id,
            ProblemDocument problem,
            StudyDocument.@Nullable OfRange ofRange,
            StudyState state,
            @Nullable Testbed testbed,
            TrialLine trials,
            @Nullable Double fastestScreenTflops,
            @Nullable Double bestTflops,
            @Nullable String error) {}

    /** How many trials were asked, have ended, and completed. */
    public record TrialLine(int total, int finished, int completed) {}
}
