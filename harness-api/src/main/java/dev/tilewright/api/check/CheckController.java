package dev.tilewright.api.check;

import dev.tilewright.model.exchange.KernelCheck;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Checks of kernel texts over HTTP. */
@RestController
@Tag(name = "checks")
record CheckController(CheckService checks) {

    @Operation(summary = "Checks of a kernel text by the emulator, newest first; 404 if there is none")
    @GetMapping("/api/v1/checks/{ptxHash}")
    KernelCheck.Known known(
            @Parameter(description = "SHA-256 of the text") @PathVariable String ptxHash,
            @Parameter(description = "Only what this build of the emulator said")
                    @RequestParam(required = false)
                    @Nullable
                    String emulator) {
        return checks.known(ptxHash, emulator);
    }
}
