package dev.tilewright.model.exchange;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.tilewright.model.space.Config;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The work that a lease asks for. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Work.Screen.class, name = "screen"),
    @JsonSubTypes.Type(value = Work.Final.class, name = "final"),
    @JsonSubTypes.Type(value = Work.Run.class, name = "run")
})
public sealed interface Work {

    /**
     * Build, verify, time and trace one config.
     *
     * @param attempt 1 for the first try
     * @param anchor config that is timed in the same blocks, the same for all trials of the study; {@code null} if the
     *     family declares none
     * @param foundElsewhere whether the config was found for other rows of a range of M: it keeps the rules of the
     *     space of this problem, but may have values that are not listed there
     */
    record Screen(
            UUID trialId,
            int attempt,
            Config config,
            @Nullable Config anchor,
            boolean foundElsewhere) implements Work {

        /** Without an anchor. */
        public Screen(UUID trialId, int attempt, Config config) {
            this(trialId, attempt, config, null, false);
        }
    }

    /**
     * Race the contenders until few are left, then time these beside the peers: in one process, in turn.
     *
     * @param contenders trials that completed their screen, team by team; the fastest is the first of the first
     * @param finalists how many of them reach the final at most
     * @param peers families whose kernels run beside them in the final: those that the worker can build, bundles in
     *     their version, and those whose kernels its device finds by itself ({@code cublaslt})
     * @param anchor runs in races at the same clock, and beside a finalist that is alone
     * @param peerSeconds of GPU in which more kernels of such peers may be looked for; 0 for none
     */
    record Final(
            List<Contender> contenders,
            int finalists,
            List<String> peers,
            @Nullable Config anchor,
            double peerSeconds) implements Work {

        /** With the peers' own choice of kernels. */
        public Final(List<Contender> contenders, int finalists, List<String> peers, @Nullable Config anchor) {
            this(contenders, finalists, peers, anchor, 0);
        }
    }

    /** Do what is no part of a study. */
    record Run(GpuTask task) implements Work {}

    /**
     * A config that is in the race for the final.
     *
     * @param team of configs that share what decides most, their tile: the first of each races for its team, and others
     *     of those that lead race after it
     */
    record Contender(UUID trialId, Config config, int team) {}
}
