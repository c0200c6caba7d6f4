package dev.tilewright.api.textcheck;

import dev.tilewright.api.platform.access.Caller;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.net.URI;
import java.util.UUID;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** Checks of texts over HTTP. */
@RestController
@Tag(name = "text checks")
record TextCheckController(TextChecks checks) {

    @Operation(
            summary = "Have the emulator prove a PTX text by the description of its launch",
            description =
                    "A worker with an emulated GPU of 4 SMs does it, within 2 minutes. What is wrong with the text or"
                            + " the description is said in the result.",
            responses = @ApiResponse(responseCode = "202", description = "Accepted, with its location"))
    @PostMapping("/api/v1/text-checks")
    ResponseEntity<TextCheckDocument> checkText(
            @RequestBody TextCheckRequest request, @Parameter(hidden = true) Caller caller) {
        TextCheckDocument check = checks.submit(request, caller);
        return ResponseEntity.accepted()
                .location(URI.create("/api/v1/text-checks/" + check.id()))
                .header(HttpHeaders.RETRY_AFTER, "1")
                .body(check);
    }

    @Operation(summary = "A check of a text with what was found, once it is over")
    @GetMapping("/api/v1/text-checks/{id}")
    TextCheckDocument textCheck(@Parameter(description = "Id of the check") @PathVariable UUID id) {
        return checks.find(id);
    }

    @Operation(
            summary = "Cancel a check of a text; one that is over stays as it is",
            description = "A submitter cancels what was submitted with a token of its name, an operator any.")
    @PostMapping("/api/v1/text-checks/{id}/cancel")
    TextCheckDocument cancelTextCheck(
            @Parameter(description = "Id of the check") @PathVariable UUID id,
            @Parameter(hidden = true) Caller caller) {
        return checks.cancel(id, caller);
    }
}
