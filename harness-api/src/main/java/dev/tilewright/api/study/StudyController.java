package dev.tilewright.api.study;

import dev.tilewright.api.platform.http.Page;
import dev.tilewright.model.exchange.StudyDocument;
import dev.tilewright.model.exchange.TrialDocument;
import dev.tilewright.space.ranking.WorthDocument;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Studies and their trials. */
@RestController
@Tag(name = "studies")
record StudyController(StudyService studies) {

    @Operation(summary = "A study: its testbed, its space, how far it is, what is best")
    @GetMapping("/api/v1/studies/{id}")
    StudyDocument study(@Parameter(description = "Id of the study") @PathVariable UUID id) {
        return studies.study(id);
    }

    @Operation(
            summary = "The tile scheduler of the best trial, compared with the others",
            description = "By trials with the same config but for the scheduler, and by the best trial of every other"
                    + " scheduler; in figures and in the words that terminal and pages have.")
    @GetMapping("/api/v1/studies/{id}/schedulers")
    WorthDocument schedulers(@Parameter(description = "Id of the study") @PathVariable UUID id) {
        return studies.schedulers(id);
    }

    @Operation(summary = "The trials of a study in the order in which they were asked")
    @GetMapping("/api/v1/studies/{id}/trials")
    Page<TrialDocument> trials(
            @Parameter(description = "Id of the study") @PathVariable UUID id,
            @Parameter(description = Page.LIMIT) @RequestParam(defaultValue = "100") int limit,
            @Parameter(description = Page.CURSOR) @RequestParam(required = false) @Nullable String cursor) {
        int position = (int) Math.min(Page.position(cursor, -1) + 1, Integer.MAX_VALUE);
        List<TrialDocument> trials = studies.trials(id, position, Page.limit(limit));
        boolean more = trials.size() == limit;
        return new Page<>(trials, more ? Integer.toString(trials.getLast().ordinal()) : null);
    }
}
