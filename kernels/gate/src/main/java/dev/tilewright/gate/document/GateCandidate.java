package dev.tilewright.gate.document;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.UUID;

/**
 * The kernel that a case had in the newest finished run of a commit.
 *
 * @param kernel a config with the version of its family, or a peer
 */
public record GateCandidate(@JsonProperty("case") String caseName, GateKernel kernel, UUID run) {

    /** All of a commit. */
    public record GateCandidates(List<GateCandidate> items) {}
}
