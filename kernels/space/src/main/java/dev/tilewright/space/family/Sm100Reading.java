package dev.tilewright.space.family;

import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.space.Config;

/** A config of {@code sm100-gemm} that is read as far as somebody asks: it need not have the other parameters. */
record Sm100Reading(Config config) implements Sm100Values {

    @Override
    public Scheduler scheduler() {
        return Scheduler.of(config);
    }

    @Override
    public int ctaGroup() {
        return config.whole("ctaGroup");
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
    public int accumulatorStages() {
        return config.whole("accumulatorStages");
    }

    @Override
    public int clcStages() {
        return config.whole("clcStages");
    }

    @Override
    public int clcPrefetch() {
        return config.whole("clcPrefetch");
    }

    @Override
    public Throttle clcThrottle() {
        return Throttle.of(config);
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
    public boolean multicast() {
        return Multicast.bothOrNone(config);
    }

    @Override
    public int epilogueN() {
        return config.whole("epilogueN");
    }

    @Override
    public DataType inputType() {
        return DataType.parse(config.name("inputType"));
    }

    @Override
    public DataType outputType() {
        return DataType.parse(config.name("outputType"));
    }
}
