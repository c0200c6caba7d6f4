package dev.tilewright.gate.document;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;

/**
 * Accepts that a kernel fails.
 *
 * @param caseName name of the case
 * @param cubinHash of the candidate of the failed case: another kernel is not covered
 * @param reason why it is accepted, for people
 * @param expiresAt at most 365 days from now
 */
public record WaiverRequest(
        @JsonProperty("case") String caseName, String cubinHash, String reason, Instant expiresAt) {}
