package dev.tilewright.space.family;

import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import java.util.Map;

/**
 * The vendor's own kernels, as a peer of every family: a config is one of the algorithms of its heuristic. What else
 * the library has is {@code VendorSpace}'s.
 */
public final class VendorFamily {

    public static final String NAME = "cublaslt";

    private static final String ALGORITHM = "algorithm";

    private VendorFamily() {}

    /**
     * The config of one algorithm.
     *
     * @param algorithm its index in the heuristic's order, or a name for another way into the library
     */
    public static Config config(ParameterValue algorithm) {
        return Config.of(Map.of(ALGORITHM, algorithm));
    }

    /** Whether a config of the vendor's is what the vendor's library takes by default: the first of its heuristic. */
    public static boolean isDefault(Config config) {
        return config.has(ALGORITHM) && config.value(ALGORITHM).equals(ParameterValue.of(0));
    }
}
