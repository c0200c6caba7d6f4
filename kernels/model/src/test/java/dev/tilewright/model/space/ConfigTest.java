package dev.tilewright.model.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ConfigTest {

    private final Config config =
            Config.of(Map.of("tileN", ParameterValue.of(176), "scheduler", ParameterValue.of("static")));

    @Test
    void canonicalTextIsInTheOrderOfNames() {
        assertThat(config.canonical()).isEqualTo("scheduler=static tileN=176");
        assertThat(config.hash()).hasSize(64).isEqualTo(Sha256.hex("scheduler=static tileN=176"));
    }

    @Test
    void aValueIsReadAsWhatItIs() {
        assertThat(config.whole("tileN")).isEqualTo(176);
        assertThat(config.name("scheduler")).isEqualTo("static");
        assertThatThrownBy(() -> config.whole("scheduler"))
                .hasMessage("scheduler must be a whole number, got 'static'");
        assertThatThrownBy(() -> config.name("tileN")).hasMessage("tileN must be a name, got 176");
        assertThatThrownBy(() -> config.whole("tileM"))
                .hasMessage("config has no parameter 'tileM': scheduler=static tileN=176");
    }

    @Test
    void canonicalTextIsReadBack() {
        assertThat(Config.parse(config.canonical())).isEqualTo(config);
        assertThat(Config.parse("")).isEqualTo(Config.of(Map.of()));
    }

    @Test
    void pairsKeepTheirOrderAndEachNameIsGivenOnce() {
        assertThatThrownBy(() -> Config.pairs("tileM=128 tileN=64 tileM=256"))
                .hasMessage("parameter 'tileM' is given twice: 128 and 256");
        assertThatThrownBy(() -> Config.parse("tileM=128 tileM=128"))
                .as("also where both are the same")
                .hasMessage("parameter 'tileM' is given twice: 128 and 128");
        assertThat(Config.parse("tileM=128 tileN=64").with("tileN=176 tileK=64"))
                .isEqualTo(Config.parse("tileM=128 tileN=176 tileK=64"));
        assertThat(Config.pairs(" tileN=176  scheduler=static ").sequencedEntrySet())
                .containsExactly(
                        Map.entry("tileN", ParameterValue.of(176)),
                        Map.entry("scheduler", ParameterValue.of("static")));
        assertThatThrownBy(() -> Config.pairs("tileN=64 scheduler"))
                .hasMessage("a parameter must be given as name=value, got 'scheduler'");
        assertThatThrownBy(() -> Config.pairs("=64")).hasMessage("a parameter must be given as name=value, got '=64'");
    }

    @Test
    void aChangedConfigIsEqualToOneMadeSo() {
        Config changed = config.with("tileN", ParameterValue.of(64));
        Config made = Config.parse("tileN=64 scheduler=static");
        assertThat(changed).isEqualTo(made).hasSameHashCodeAs(made).isNotEqualTo(config);
        assertThat(config.whole("tileN")).isEqualTo(176);
        assertThat(config.with("tileM", ParameterValue.of(128)).canonical())
                .isEqualTo("scheduler=static tileM=128 tileN=176");
        assertThat(config.only(List.of("tileN"))).isEqualTo(Config.parse("tileN=176"));
        assertThat(config.values())
                .containsExactly(
                        Map.entry("scheduler", ParameterValue.of("static")),
                        Map.entry("tileN", ParameterValue.of(176)));
    }

    /** Sums and exchanges of small numbers: as many hashes are expected as configs, but for a thousandth. */
    @Test
    void configsThatDifferInSmallNumbersDifferInTheirHash() {
        Set<Integer> hashes = new HashSet<>();
        int configs = 0;
        for (int m = 64; m <= 256; m += 8) {
            for (int n = 64; n <= 256; n += 8) {
                for (int stages = 2; stages <= 8; stages++) {
                    for (int pieces = 1; pieces <= 8; pieces++) {
                        configs++;
                        hashes.add(Config.of(Map.of(
                                        "tileM", ParameterValue.of(m),
                                        "tileN", ParameterValue.of(n),
                                        "loadStages", ParameterValue.of(stages),
                                        "splitK", ParameterValue.of(pieces)))
                                .hashCode());
                    }
                }
            }
        }
        assertThat(hashes).hasSizeGreaterThan(configs - configs / 1000);
    }

    @Test
    void textIsParsedAsAPersonMeansIt() {
        assertThat(ParameterValue.parse("128")).isEqualTo(ParameterValue.of(128));
        assertThat(ParameterValue.parse("groupedM")).isEqualTo(ParameterValue.of("groupedM"));
        assertThatThrownBy(() -> ParameterValue.fromJson(1.5)).hasMessageContaining("got 1.5");
    }
}
