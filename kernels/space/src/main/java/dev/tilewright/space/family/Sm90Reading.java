package dev.tilewright.space.family;

import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.space.family.Sm90Config.Mode;

/**
 * A config of {@code sm90-gemm} that is read as far as somebody asks: it need not have the other parameters. A
 * parameter that configs may leave out has the value that stands for it.
 *
 * @param operands of the problem, which a config need not say
 */
record Sm90Reading(Config config, Sm90Operands operands) implements Sm90Values {

    /** The same with another value for a parameter that is a whole number. */
    Sm90Reading with(String parameter, int value) {
        return new Sm90Reading(config.with(parameter, ParameterValue.of(value)), operands);
    }

    @Override
    public TileLocation location() {
        return TileLocation.of(config);
    }

    @Override
    public Scheduler scheduler() {
        return Scheduler.of(config);
    }

    @Override
    public Throttle throttle() {
        return Throttle.orNone(config);
    }

    @Override
    public Mode mode() {
        return Mode.of(config);
    }

    @Override
    public int consumers() {
        return config.whole("consumers");
    }

    @Override
    public boolean swapAB() {
        return SwapAB.of(config);
    }

    @Override
    public int tileM() {
        return config.whole("tileM");
    }

    @Override
    public int tileN() {
        return config.whole("tileN");
    }

    @Override
    public int tileK() {
        return config.whole("tileK");
    }

    @Override
    public int loadStages() {
        return config.whole("loadStages");
    }

    @Override
    public int clusterM() {
        return config.whole("clusterM");
    }

    @Override
    public int clusterN() {
        return config.whole("clusterN");
    }

    @Override
    public ClusterOrder clusterOrder() {
        return ClusterOrder.orLaunch(config);
    }

    @Override
    public Multicast multicast() {
        return Multicast.of(config);
    }

    @Override
    public int swizzle() {
        return config.whole("swizzle");
    }

    @Override
    public int epilogueN() {
        return config.whole("epilogueN");
    }

    @Override
    public int epilogueStages() {
        return config.whole("epilogueStages", Sm90Legality.LEAST_PANELS);
    }

    @Override
    public int registers() {
        return config.whole("registers");
    }

    @Override
    public int ctasPerSm() {
        return config.whole(DeviceLimits.CTAS_PER_SM, 1);
    }

    @Override
    public int waitDepth() {
        return config.whole("waitDepth");
    }

    @Override
    public int splitK() {
        return config.whole(SplitRules.SPLIT_K, 1);
    }

    L2Hint l2Hint() {
        return L2Hint.of(config);
    }

    LoadStart loadStart() {
        return LoadStart.orFree(config);
    }

    LaunchOverlap launchOverlap() {
        return LaunchOverlap.orNone(config);
    }
}
