package dev.tilewright.space.vendor;

import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * An algorithm of cublasLt with all that can be set of it, by the numbers of {@code cublasLt.h}: the attributes
 * {@code CUBLASLT_ALGO_CONFIG_ID} to {@code CUBLASLT_ALGO_CONFIG_CLUSTER_SHAPE_ID} in their order.
 *
 * @param attributes nine numbers of 0 or more
 */
public record VendorAlgorithm(List<Integer> attributes) {

    /** The names of the attributes, in the order of the library's numbers for them. */
    public static final List<String> NAMES = List.of(
            "algorithmId",
            "tileId",
            "splitKNum",
            "reductionScheme",
            "ctaSwizzling",
            "customOption",
            "stagesId",
            "innerShapeId",
            "clusterShapeId");

    /** The attributes from this one on, inner shape and cluster shape, are numbers of 16 bits, the others of 32. */
    public static final int FIRST_OF_16_BITS = 7;

    private static final int ID = 0;
    private static final int SPLITS = 2;
    private static final int REDUCTION = 3;
    private static final int CUSTOM = 5;
    private static final int CLUSTER = 8;

    public VendorAlgorithm {
        attributes = List.copyOf(attributes);
        if (attributes.size() != NAMES.size() || attributes.stream().anyMatch(value -> value < 0)) {
            throw new IllegalArgumentException(
                    "an algorithm has " + NAMES.size() + " attributes of 0 or more, " + NAMES + ", got " + attributes);
        }
    }

    /** The algorithm of the library. */
    public int id() {
        return attributes.get(ID);
    }

    /** How often the sums are split along K; 1 if they are not. */
    public int splits() {
        return attributes.get(SPLITS);
    }

    /** The same for another number of splits. */
    VendorAlgorithm withSplits(int splits, int reduction) {
        return with(SPLITS, splits).with(REDUCTION, reduction);
    }

    /** The same with another value of an attribute. */
    VendorAlgorithm with(int attribute, int value) {
        Integer[] other = attributes.toArray(Integer[]::new);
        other[attribute] = value;
        return new VendorAlgorithm(List.of(other));
    }

    VendorAlgorithm withCustom(int custom) {
        return with(CUSTOM, custom);
    }

    VendorAlgorithm withCluster(int cluster) {
        return with(CLUSTER, cluster);
    }

    /** Its config: a value for each attribute. */
    public Config config() {
        Map<String, ParameterValue> values = new HashMap<>();
        for (int i = 0; i < NAMES.size(); i++) {
            values.put(NAMES.get(i), ParameterValue.of(attributes.get(i)));
        }
        return Config.of(values);
    }

    /**
     * The algorithm of a config.
     *
     * @throws IllegalArgumentException naming the attribute that is missing, or no whole number of 0 or more
     */
    public static VendorAlgorithm of(Config config) {
        return new VendorAlgorithm(NAMES.stream().map(config::whole).toList());
    }
}
