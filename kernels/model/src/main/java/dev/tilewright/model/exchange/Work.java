package dev.tilewright.model.exchange;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.tilewright.model.space.Config;
import java.util.List;
import java.util.UUID;

/** What a lease asks for. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Work.Screen.class, name = "screen"),
    @JsonSubTypes.Type(value = Work.Final.class, name = "final")
})
public sealed interface Work {

    /**
     * Build, verify, time and trace one config.
     *
     * @param attempt 1 for the first try
     */
    record Screen(UUID trialId, int attempt, Config config) implements Work {}

    /**
     * Time the finalists beside the peers, in one process, in turn.
     *
     * @param finalists trials that completed their screen
     * @param peers families whose kernels run beside them, found at run time by the worker ({@code cublaslt})
     */
    record Final(List<Finalist> finalists, List<String> peers) implements Work {}

    /** A config that reached the final. */
    record Finalist(UUID trialId, Config config) {}
}
