package dev.tilewright.api.fleet;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Workers, for those who look at them. */
@RestController
@Tag(name = "workers")
record FleetController(FleetRepository fleet) {

    @Operation(
            summary = "Workers with their devices, those that were heard last first",
            description =
                    "One that was not heard within the life of a lease is silent: it holds nothing any more. After"
                            + " 30 days it is forgotten.")
    @GetMapping("/api/v1/workers")
    List<WorkerDocument> workers(
            @Parameter(description = "Only those that are live") @RequestParam(defaultValue = "false") boolean live) {
        return fleet.workers(live, Integer.MAX_VALUE);
    }
}
