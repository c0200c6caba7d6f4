package dev.tilewright.api.range;

import dev.tilewright.api.best.AskedProblem;
import dev.tilewright.model.exchange.KnownRanges;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The tables of kernels for ranges of M over HTTP. */
@RestController
@Tag(name = "ranges")
record RangeController(Ranges ranges) {

    @Operation(summary = "The newest table of kernels for a range of M, of each family on each model of a real GPU")
    @GetMapping("/api/v1/ranges")
    KnownRanges known(
            @Parameter(description = "LEAST-MOSTxNxK, such as 1-4096x1024x768")
                    @RequestParam(required = false)
                    @Nullable
                    String shape,
            @Parameter(description = "Element type of A and B; bf16 if left out")
                    @RequestParam(required = false)
                    @Nullable
                    String dtype,
            @Parameter(description = "Types of A, B and D in place of dtype, such as e4m3,e4m3,bf16")
                    @RequestParam(required = false)
                    @Nullable
                    String types,
            @Parameter(description = "Dimensions of A, B and D whose neighbours are neighbours in memory: k, k or n, n")
                    @RequestParam(required = false)
                    @Nullable
                    String major,
            @Parameter(description = "GEMMs of a launch: a range has one") @RequestParam(required = false) @Nullable
                    Integer batch,
            @Parameter(description = "Elements of inputs of 8 bits that share a scale: tensor, row or block")
                    @RequestParam(required = false)
                    @Nullable
                    String scales,
            @Parameter(description = "Epilogue: steps applied to the sums before they are stored, such as bias,gelu")
                    @RequestParam(required = false)
                    @Nullable
                    String epilogue,
            @Parameter(description = "Whether launches overlap (programmatic dependent launch)")
                    @RequestParam(defaultValue = "false")
                    boolean overlap,
            @Parameter(description = "Part of the name of a device, in letters of any case; all if left out")
                    @RequestParam(required = false)
                    @Nullable
                    String testbed,
            @Parameter(description = "A family; all if left out") @RequestParam(required = false) @Nullable
                    String family) {
        return ranges.known(
                new AskedProblem(shape, dtype, types, major, batch, scales, epilogue, overlap).ranged(),
                testbed,
                family);
    }
}
