package dev.tilewright.gemm.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tilewright.gemm.family.GemmFamilies;
import dev.tilewright.gemm.oracle.SumError.Signs;
import dev.tilewright.model.space.Config;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Errors that mainloops state of their sums. */
class SumErrorTest {

    private static final SumError PROMOTED = new SumError.Cut(128);

    @Test
    void sumsOfF32ErrAsTheSquareRootOfTheirDepth() {
        assertThat(SumError.Rounded.PLAIN.of(256, Signs.RANDOM)).isEqualTo(16 * 0x1p-24);
        assertThat(SumError.Rounded.PLAIN.of(256, Signs.ONE)).isEqualTo(16 * 0x1p-24 + 64 * 0x1p-25);
        assertThat(new SumError.Rounded(2).c(77, Signs.RANDOM)).isCloseTo(2, within(1e-12));
    }

    /** In one run the error of one sign grows with K; in runs of 128 it does not, and that of random signs falls. */
    @Test
    void aPromotingMainloopHasABoundOfItsOwn() {
        assertThat(SumError.Cut.WHOLE.of(7168, Signs.ONE)).isBetween(1800 * 0x1p-13, 1801 * 0x1p-13);
        assertThat(PROMOTED.of(7168, Signs.ONE)).isBetween(40 * 0x1p-13, 40.1 * 0x1p-13);
        assertThat(SumError.Cut.WHOLE.of(7168, Signs.RANDOM)).isBetween(8 * 0x1p-13, 8.01 * 0x1p-13);
        assertThat(PROMOTED.of(7168, Signs.RANDOM)).isBetween(1.06 * 0x1p-13, 1.08 * 0x1p-13);
        for (Signs signs : Signs.values()) {
            assertThat(PROMOTED.of(96, signs)).isEqualTo(SumError.Cut.WHOLE.of(96, signs));
        }
    }

    @Test
    void aRunHasProducts() {
        assertThatThrownBy(() -> new SumError.Cut(0)).hasMessageContaining("at least one product, got 0");
    }

    @ParameterizedTest
    @CsvSource({"typeA=e4m3 typeB=e5m2 tileK=128, true", "'', false"})
    void aKernelHasTheBoundOfItsMainloop(String types, boolean cut) {
        Config config = Config.parse("clusterM=1 clusterN=1 consumers=1 epilogueN=32 gridSize=0 loadStages=3 "
                        + "mode=cooperative multicast=none rasterGroup=4 rasterOrder=alongM registers=0 scheduler=static "
                        + "swizzle=64 tileK=32 tileM=64 tileN=64 waitDepth=1")
                .with(cut ? types + " swizzle=128" : "waitDepth=1");
        SumError own =
                GemmFamilies.standard().named("sm90-gemm").build(config, false).sumError();
        assertThat(own).isEqualTo(cut ? SumError.Cut.WHOLE : SumError.Rounded.PLAIN);
    }
}
