package dev.tilewright.space.device;

import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import java.util.Locale;

/** Predicts launches on a GPU without running them. The simulator is one. */
public interface LaunchModel {

    /**
     * A predicted launch.
     *
     * @param ns of one launch in a row of them
     * @param clockMhz at which they run, on average
     * @param l2Bytes that one reads from L2
     * @param dramBytes that one moves
     * @param limit what the launch spends most of its time on
     * @param smShare of the SMs, the part that works, on average over the launch; from 0 to 1
     */
    record Cost(double ns, double clockMhz, double l2Bytes, double dramBytes, Limit limit, double smShare) {}

    /** The resource that bounds a launch. */
    enum Limit {
        /** The tensor cores at the clock that they run at. */
        TENSOR,
        /** Bytes that L2 delivers to the SMs. */
        L2,
        /** Bytes that memory delivers to L2. */
        DRAM,
        /** Start, end and what nobody overlaps. */
        LATENCY,
        /** The tensor cores, at a clock that the power limit lowers. */
        POWER;

        /** The name as users read it. */
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * In a long row of launches, at the clock that the power allows.
     *
     * @throws IllegalArgumentException naming a value that the model cannot take, and the rule
     */
    Cost settled(Problem problem, Config config);

    /** As a screen sees it: soon after a pause, while the clock still falls. */
    Cost screened(Problem problem, Config config);
}
