package dev.tilewright.ptx;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.ptx.analysis.ResourceUsage;
import dev.tilewright.ptx.type.ScalarType;
import org.junit.jupiter.api.Test;

/** What the counter says of known kernels. */
class ResourceUsageTest {
    @Test
    void countsAPipeline() {
        ResourceUsage usage = ResourceUsage.of(Kernels.pipeline(5, 38912).entry("pipeline"));
        assertThat(usage.dynamicSharedBytes()).isEqualTo(5 * 38912 + 2 * 5 * 8);
        assertThat(usage.mbarriers()).isEqualTo(10);
        assertThat(usage.accumulatorsPerThread()).isEqualTo(88);
        assertThat(usage.namedBarriers()).containsExactly(0);
        assertThat(usage.registers()).containsEntry(ScalarType.F32, 88).containsEntry(ScalarType.B64, 3);
        assertThat(usage.staticSharedBytes()).isZero();
    }

    @Test
    void countsTheCorpus() {
        ResourceUsage usage = ResourceUsage.of(Corpus.oldest().entry("corpus"));
        assertThat(usage.namedBarriers()).containsExactly(0, 1, 2, 3);
        assertThat(usage.staticSharedBytes()).isEqualTo(64);
        assertThat(usage.accumulatorsPerThread()).isEqualTo(8);
    }
}
