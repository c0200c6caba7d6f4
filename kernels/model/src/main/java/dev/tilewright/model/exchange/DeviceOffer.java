package dev.tilewright.model.exchange;

import dev.tilewright.model.trial.Testbed;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A device that a worker brings.
 *
 * @param label how the worker's host names it: {@code cuda:0}, {@code simulated:h200}
 * @param testbed what its numbers belong to
 * @param deals how it deals clusters out to its GPCs, by the number of their CTAs; {@code null} if that was not
 *     measured
 */
public record DeviceOffer(
        String label, Testbed testbed, @Nullable List<Deal> deals) {

    /** A device that nobody looked at. */
    public DeviceOffer(String label, Testbed testbed) {
        this(label, testbed, null);
    }

    /**
     * How clusters of one size are dealt out: in each round every GPC gets one, in later rounds only the larger GPCs.
     *
     * @param clusterSize CTAs of a cluster
     * @param first clusters before the rounds, by id, which go elsewhere
     * @param gpcs how many GPCs get a cluster in a round
     * @param rounds how many of these there are
     * @param laterGpcs how many GPCs get a cluster in a later round
     * @param laterRounds how many of these there are
     */
    public record Deal(int clusterSize, int first, int gpcs, int rounds, int laterGpcs, int laterRounds) {

        public Deal {
            if (clusterSize < 1 || gpcs < 1 || first < 0 || rounds < 0 || laterGpcs < 0 || laterRounds < 0) {
                throw new IllegalArgumentException(
                        "a deal has clusters of at least one CTA, at least one GPC and no negative number, got clusters of "
                                + clusterSize + ", " + first + ", " + gpcs + " x " + rounds + ", " + laterGpcs + " x "
                                + laterRounds);
            }
        }
    }
}
