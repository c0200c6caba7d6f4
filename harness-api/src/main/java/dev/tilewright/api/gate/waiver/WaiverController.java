package dev.tilewright.api.gate.waiver;

import dev.tilewright.api.platform.access.Caller;
import dev.tilewright.gate.document.CaseResult.Waiver;
import dev.tilewright.gate.document.CaseResult.WaiverList;
import dev.tilewright.gate.document.WaiverRequest;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.net.URI;
import java.util.UUID;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Waivers over HTTP. */
@RestController
@Tag(name = "gates")
record WaiverController(Waivers waivers) {

    @Operation(
            summary = "Accept that the kernel of a case is slow, until a day",
            description = "For one case and the hash of one module: another kernel is not covered. Later runs show the"
                    + " verdict with the waiver, and do not fail by it. That a kernel is wrong cannot be waived.",
            responses = @ApiResponse(responseCode = "201", description = "Kept"))
    @PostMapping("/api/v1/gates/{name}/waivers")
    ResponseEntity<Waiver> waive(
            @Parameter(description = "Name of the gate") @PathVariable String name,
            @RequestBody WaiverRequest request,
            @Parameter(hidden = true) Caller caller) {
        Waiver waiver = waivers.waive(name, request, caller);
        return ResponseEntity.created(URI.create("/api/v1/gates/" + name + "/waivers/" + waiver.id()))
                .body(waiver);
    }

    @Operation(summary = "The waivers of a gate, the newest first; those that have ended, too")
    @GetMapping("/api/v1/gates/{name}/waivers")
    WaiverList waivers(@Parameter(description = "Name of the gate") @PathVariable String name) {
        return new WaiverList(waivers.of(name));
    }

    @Operation(
            summary = "Take a waiver back",
            description = "A submitter takes back what was waived with a token of its name, an operator any.")
    @DeleteMapping("/api/v1/gates/{name}/waivers/{id}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void takeBackWaiver(
            @Parameter(description = "Name of the gate") @PathVariable String name,
            @Parameter(description = "Id of the waiver") @PathVariable UUID id,
            @Parameter(hidden = true) Caller caller) {
        waivers.takeBack(name, id, caller);
    }
}
