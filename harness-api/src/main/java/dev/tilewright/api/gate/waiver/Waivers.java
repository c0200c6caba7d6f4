package dev.tilewright.api.gate.waiver;

import dev.tilewright.api.platform.access.Caller;
import dev.tilewright.api.platform.http.ApiProblem;
import dev.tilewright.api.platform.http.Fault;
import dev.tilewright.gate.document.CaseResult.Waiver;
import dev.tilewright.gate.document.WaiverRequest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
import org.springframework.stereotype.Service;

/** Accepts failures, and takes that back. */
@Service
public class Waivers {

    private static final Duration LONGEST = Duration.ofDays(365);
    private static final int LONGEST_REASON = 1000;
    private static final Pattern SHA_256 = Pattern.compile("[0-9a-f]{64}");

    private final WaiverRepository waivers;
    private final Clock clock;

    Waivers(WaiverRepository waivers, Clock clock) {
        this.waivers = waivers;
        this.clock = clock;
    }

    /**
     * Accepts that a kernel fails.
     *
     * @throws ApiProblem 422 with everything that is wrong
     */
    public Waiver waive(String gate, WaiverRequest request, Caller author) {
        Instant now = clock.instant();
        requireGood(gate, request, now);
        Waiver waiver = new Waiver(
                UUID.randomUUID(),
                gate,
                request.caseName(),
                request.cubinHash(),
                author.name(),
                request.reason(),
                request.expiresAt());
        waivers.insert(waiver, now);
        return waiver;
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
        ApiProblem.requireNone(faults);
    }

    /** All of a gate, the newest first; those that have ended, too. */
    public List<Waiver> of(String gate) {
        return waivers.of(gate);
    }

    /**
     * Takes a waiver back.
     *
     * @throws ApiProblem 404 if there is none, 403 if it is another's and the caller may take back its own alone
     */
    public void takeBack(String gate, UUID id, Caller caller) {
        Waiver waiver = waivers.find(gate, id).orElseThrow(() -> ApiProblem.notFound("waiver", id));
        caller.requireMayCancel("waiver", id, waiver.author());
        waivers.delete(id);
    }
}
