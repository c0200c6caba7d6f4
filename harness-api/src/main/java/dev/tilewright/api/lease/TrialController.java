package dev.tilewright.api.lease;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.tilewright.api.study.StudyService;
import dev.tilewright.api.trial.TrialRow;
import dev.tilewright.api.work.LeaseRepository;
import dev.tilewright.api.work.LeaseRow;
import dev.tilewright.model.exchange.TrialDocument;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** One trial with every attempt at it. */
@RestController
@Tag(name = "studies")
record TrialController(StudyService studies, LeaseRepository leases) {

    /** A trial and its leases, oldest first. */
    record TrialWithAttempts(@JsonUnwrapped TrialDocument trial, UUID studyId, List<AttemptDocument> leases) {}

    /**
     * A lease of the trial.
     *
     * @param ending {@code null} while it lives, else reported, refused, expired, undelivered or cancelled
     */
    record AttemptDocument(
            UUID id,
            UUID workerId,
            String device,
            long fence,
            int attempt,
            Instant grantedAt,
            @Nullable Instant endedAt,
            LeaseRow.@Nullable Ending ending) {}

    @Operation(summary = "A trial: its evidence, and who tried it when")
    @GetMapping("/api/v1/trials/{id}")
    TrialWithAttempts trial(@Parameter(description = "Id of the trial") @PathVariable UUID id) {
        TrialRow row = studies.trial(id);
        return new TrialWithAttempts(
                row.trial(),
                row.studyId(),
                leases.ofTrial(id).stream()
                        .map(lease -> new AttemptDocument(
                                lease.id(),
                                lease.workerId(),
                                lease.device(),
                                lease.fence(),
                                lease.attempt(),
                                lease.grantedAt(),
                                lease.endedAt(),
                                lease.ending()))
                        .toList());
    }
}
