package dev.tilewright.api.web.gate;

import dev.tilewright.api.platform.http.ApiProblem;
import dev.tilewright.gate.document.CaseResult;
import dev.tilewright.gate.document.WaiverRequest;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The form for accepting a failure. Texts, so that a wrong one comes back as it was typed.
 *
 * @param expires the last day on which it holds, in UTC
 */
public record WaiverForm(@Nullable String reason, @Nullable String expires) {

    static WaiverForm empty() {
        return new WaiverForm("", "");
    }

    /**
     * The request to the service.
     *
     * @throws ApiProblem 422 if the day is none
     */
    WaiverRequest request(CaseResult failed) {
        return new WaiverRequest(
                failed.name(),
                Objects.requireNonNullElse(failed.candidate().cubinHash(), ""),
                Objects.requireNonNullElse(reason, "").strip(),
                end(Objects.requireNonNullElse(expires, "").strip()));
    }

    private static Instant end(String day) {
        try {
            return LocalDate.parse(day).plusDays(1).atStartOfDay().toInstant(ZoneOffset.UTC);
        } catch (DateTimeException none) {
            throw ApiProblem.invalid("/expiresAt", "must be a day such as 2026-12-24, got '" + day + "'");
        }
    }

    /** A field in the words of the form, for a JSON pointer of the request. */
    static String field(String pointer) {
        return switch (pointer) {
            case "/reason" -> "Reason";
            case "/expiresAt" -> "Last day";
            case "/cubinHash" -> "Module";
            default -> pointer;
        };
    }
}
