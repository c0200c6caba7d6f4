package dev.tilewright.api.gate.trend;

import dev.tilewright.gate.document.GateTrend;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Trends over HTTP. */
@RestController
@Tag(name = "gates")
record TrendController(Trends trends) {

    @Operation(
            summary = "The effects of a branch over time, and where they changed for good",
            description = "By case and kind of GPU, of the newest 10,000 effects. It audits: a change is seen some runs"
                    + " later.")
    @GetMapping("/api/v1/gates/{name}/trend")
    GateTrend gateTrend(
            @Parameter(description = "Name of the gate") @PathVariable String name,
            @Parameter(description = "Branch of the runs") @RequestParam(defaultValue = "main") String branch,
            @Parameter(description = "Name of a case; all if left out")
                    @RequestParam(name = "case", required = false)
                    @Nullable
                    String caseName) {
        return trends.of(name, branch, caseName);
    }
}
