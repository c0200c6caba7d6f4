package dev.tilewright.api.web.gate;

import dev.tilewright.api.web.Figures;
import dev.tilewright.gate.document.CaseResult;
import java.time.Instant;
import java.util.UUID;

/**
 * A failure that somebody has accepted.
 *
 * @param holds whether its end is to come
 */
public record WaiverView(
        UUID id, String caseName, String module, String author, String reason, String expires, boolean holds) {

    static WaiverView of(CaseResult.Waiver waiver, Instant now) {
        return new WaiverView(
                waiver.id(),
                waiver.caseName(),
                waiver.cubinHash(),
                waiver.author(),
                waiver.reason(),
                Figures.moment(waiver.expiresAt()),
                waiver.expiresAt().isAfter(now));
    }
}
