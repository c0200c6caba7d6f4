package dev.tilewright.space.sm90;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.model.space.Config;
import dev.tilewright.space.parameter.LoadStart;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LoadStartTest {

    @ParameterizedTest
    @CsvSource({
        "tileM=128 tileN=256, 512",
        "tileM=128 tileN=240, 256",
        "tileM=128 tileN=256 tileK=128 loadStages=2, 1024",
        "tileM=128 tileN=256 tileK=128 typeA=e4m3 typeB=e4m3, 512",
        "consumers=1 tileM=64 tileN=72, 64",
    })
    void ticksAreAsLongAsABlockAllows(String changes, int ns) {
        assertThat(Sm90Config.of(Configs.with(changes)).load().tickNs()).isEqualTo(ns);
    }

    /** Else the tensor cores would wait for it. The timer has no shorter steps than 32 ns. */
    @Test
    void noTickIsLongerThanABlockAtTwoGigahertz() {
        for (int tileM : List.of(64, 128, 192, 256)) {
            for (int tileN = 64; tileN <= 256; tileN += 8) {
                Config config = Configs.with("consumers=1 registers=0 tileM=" + tileM + " tileN=" + tileN);
                double blockNs = 2.0 * tileM * tileN * config.whole("tileK") / 4096 / 2;
                int tickNs = Sm90Config.of(config).load().tickNs();
                assertThat((double) tickNs).as(config.canonical()).isBetween(blockNs / 2 + 0.01, blockNs);
                assertThat(Integer.bitCount(tickNs)).as(config.canonical()).isEqualTo(1);
            }
        }
    }

    @Test
    void nothingIsSaidWhereLoadsDoNotWait() {
        Config config = Configs.with("");
        Config silent = config.only(config.values().keySet().stream()
                .filter(name -> !name.equals(LoadPlan.START.name()))
                .toList());
        assertThat(LoadPlan.START.of(silent)).isEqualTo(LoadStart.FREE);
        assertThat(Sm90Config.of(silent)).isEqualTo(Sm90Config.of(config));
    }
}
