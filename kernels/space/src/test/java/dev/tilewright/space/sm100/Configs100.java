package dev.tilewright.space.sm100;

import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import java.util.Map;

/** Configs of {@code sm100-gemm} by what is special about them. */
final class Configs100 {

    private static final String BASE = "scheduler=static ctaGroup=1 tileM=128 tileN=128 tileK=64 loadStages=4"
            + " accumulatorStages=2 clcStages=1 clcPrefetch=1 clcThrottle=none clusterM=1 clusterN=1 multicast=none"
            + " epilogueN=32 inputType=bf16 outputType=bf16 rasterOrder=groupedM rasterGroup=8 gridSize=0";

    private Configs100() {}

    /**
     * A valid config with these {@code name=value} pairs instead, separated by blanks; a pair gets its 256 rows and at
     * least its cluster of 2 by itself.
     */
    static Config with(String... changes) {
        Map<String, ParameterValue> values = Config.pairs(BASE);
        for (String change : changes) {
            values.putAll(Config.pairs(change));
        }
        if (values.get("ctaGroup").equals(ParameterValue.of(2))) {
            values.put("tileM", ParameterValue.of(256));
            values.computeIfPresent(
                    "clusterM", (name, rows) -> rows.equals(ParameterValue.of(1)) ? ParameterValue.of(2) : rows);
        }
        return Config.of(values);
    }
}
