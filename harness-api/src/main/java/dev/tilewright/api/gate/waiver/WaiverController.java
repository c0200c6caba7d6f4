package dev.tilewright.api.gate.waiver;

import dev.tilewright.api.platform.access.Caller;
import dev.tilewright.api.platform.http.ApiProblem;
import dev.tilewright.api.platform.http.Fault;
import dev.tilewright.gate.document.CaseResult.Waiver;
import dev.tilewright.gate.document.CaseResult.WaiverList;
import dev.tilewright.gate.document.WaiverRequest;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
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
final class WaiverController {

    private static final Duration LONGEST = Duration.ofDays(365);
    private static final int LONGEST_REASON = 1000;
    private static final Pattern SHA_256 = Pattern.compile("[0-9a-f]{64}");

    private final WaiverRepository waivers;
    private final Clock clock;

    WaiverController(WaiverRepository waivers, Clock clock) {
        this.waivers = waivers;
        this.clock = clock;
    }

    @Operation(
            summary = "Accept that the kernel of a case is slow, until a day",
            description = "For one case and the hash of one module: another kernel is not covered. Later runs show the"
                    + " verdict with the waiver, and do not fail by it. That a kernel is wrong cannot be waived.",
            responses = @ApiResponse(responseCode = "201", description = "Kept"))
    @PostMapping("/api/v1/gates/{name}/waivers")
    ResponseEntity<Waiver> waive(
            @PathVariable String name, @RequestBody WaiverRequest request, @Parameter(hidden = true) Caller caller) {
        Instant now = clock.instant();
        requireGood(name, request, now);
        Waiver waiver = new Waiver(
                UUID.randomUUID(),
                name,
                request.caseName(),
                request.cubinHash(),
                caller.name(),
                request.reason(),
                request.expiresAt());
        waivers.insert(waiver, now);
        return ResponseEntity.created(URI.create("/api/v1/gates/" + name + "/waivers/" + waiver.id()))
                .body(waiver);
    }

    private void requireGood(String gate, WaiverRequest request, Instant now) {
        List<Fault> faults = new ArrayList<>();
        if (request.reason().isBlank() || request.reason().length() > LONGEST_REASON) {
            faults.add(new Fault(
                    "/reason",
                    "must have 1 to " + LONGEST_REASON + " characters, not all blank, got "
                            + request.reason().length()));
        }
        Instant last = now.plus(LONGEST);
        if (!request.expiresAt().isAfter(now) || request.expiresAt().isAfter(last)) {
            faults.add(new Fault(
                    "/expiresAt",
                    "must be after now, " + now + ", and at most " + LONGEST.toDays() + " days later, " + last
                            + ", got " + request.expiresAt()));
        }
        if (!SHA_256.matcher(request.cubinHash()).matches()) {
            faults.add(new Fault(
                    "/cubinHash", "must be 64 hexadecimal digits in lower case, got '" + request.cubinHash() + "'"));
        } else if (!waivers.isMeasured(gate, request.caseName(), request.cubinHash())) {
            faults.add(new Fault(
                    "/cubinHash",
                    "no run of gate '" + gate + "' has measured a case '" + request.caseName()
                            + "' whose candidate has the module " + request.cubinHash()));
        }
        if (!faults.isEmpty()) {
            throw ApiProblem.invalid(faults);
        }
    }

    @Operation(summary = "The waivers of a gate, the newest first; those that have ended, too")
    @GetMapping("/api/v1/gates/{name}/waivers")
    WaiverList waivers(@PathVariable String name) {
        return new WaiverList(waivers.of(name));
    }

    @Operation(
            summary = "Take a waiver back",
            description = "A submitter takes back what was waived with a token of its name, an operator any.")
    @DeleteMapping("/api/v1/gates/{name}/waivers/{id}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void takeBackWaiver(@PathVariable String name, @PathVariable UUID id, @Parameter(hidden = true) Caller caller) {
        Waiver waiver = waivers.find(name, id).orElseThrow(() -> ApiProblem.notFound("waiver", id));
        caller.requireMayCancel("waiver", id, waiver.author());
        waivers.delete(id);
    }
}
