package dev.tilewright.space.family;

import static dev.tilewright.space.family.GemmRules.when;

import dev.tilewright.model.space.Config;
import dev.tilewright.space.Constraint;
import dev.tilewright.space.Parameter;
import java.util.Optional;

/**
 * By which number a cluster takes its tiles. A GPU deals the clusters of a launch out to its GPCs one by one. So
 * clusters with neighbouring ids, whose tiles share operands, lie in different GPCs. But only SMs of one GPC share an
 * answer of L2 for the same bytes, and bytes that are read on both sides of L2 cross between the sides.
 */
public enum ClusterOrder {
    /** By its id: as launched. */
    LAUNCH("launch"),
    /** By its number in GPC order, as the GPU deals clusters out ({@link ClusterDeal}). */
    GPC("gpc");

    /** Name of the parameter. */
    static final String PARAMETER = "clusterOrder";

    private final String value;

    ClusterOrder(String value) {
        this.value = value;
    }

    static Parameter parameter() {
        return Parameter.text(PARAMETER, LAUNCH.toString(), GPC.toString());
    }

    /** Configs need not say it where clusters are numbered as launched. */
    static ClusterOrder orLaunch(Config config) {
        return config.has(PARAMETER) ? NamedValue.of(values(), PARAMETER, config) : LAUNCH;
    }

    /** CTAs alone are dealt out GPC by GPC as they are. */
    static Constraint unused() {
        return GemmRules.rule("clusterOrderUnused", ClusterOrder::unused, "clusterM", "clusterN", PARAMETER);
    }

    private static Optional<String> unused(Config config) {
        boolean alone = config.whole("clusterM") * config.whole("clusterN") == 1;
        return when(
                alone && orLaunch(config) != LAUNCH,
                () -> "CTAs without a cluster go to one GPC after the other, so " + PARAMETER + " must be " + LAUNCH
                        + ", got " + orLaunch(config));
    }

    @Override
    public String toString() {
        return value;
    }
}
