package dev.tilewright.space.sm90;

import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import java.util.Map;

/** Configs of {@code sm90-gemm} by what is special about them. */
public final class Configs {

    private static final String BASE = "scheduler=static mode=cooperative consumers=2 tileM=128 tileN=128 tileK=64"
            + " loadStages=4 clusterM=1 clusterN=1 multicast=none swizzle=128 epilogueN=64 epilogueStages=2"
            + " registers=232 ctasPerSm=1 tileLocation=raster l2Hint=none loadStart=free clusterOrder=launch l2Promotion=128 waitDepth=1 splitK=1 swapAB=0"
            + " rasterOrder=groupedM rasterGroup=8 gridSize=0";

    private Configs() {}

    /**
     * A valid config with these {@code name=value} pairs instead, separated by blanks; one consumer gets no registers
     * by itself.
     */
    public static Config with(String... changes) {
        Map<String, ParameterValue> values = Config.pairs(BASE);
        for (String change : changes) {
            values.putAll(Config.pairs(change));
        }
        if (values.get("consumers").equals(ParameterValue.of(1))) {
            values.put("registers", ParameterValue.of(0));
        }
        return Config.of(values);
    }
}
