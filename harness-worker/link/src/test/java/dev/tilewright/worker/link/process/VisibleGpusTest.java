package dev.tilewright.worker.link.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class VisibleGpusTest {

    @Test
    void numbersAreTheDriversWhereAllAreVisible() {
        assertThat(VisibleGpus.of(Map.of()).name(1)).contains("1");
    }

    @Test
    void numbersCountAmongThoseThatThisProcessMaySee() {
        VisibleGpus two = VisibleGpus.of(Map.of(VisibleGpus.VARIABLE, "3, GPU-5"));
        assertThat(two.name(0)).contains("3");
        assertThat(two.name(1)).contains("GPU-5");
        assertThat(two.name(2)).isEmpty();
        assertThat(two.missing(2)).isEqualTo("cuda:2 is not among CUDA_VISIBLE_DEVICES=3, GPU-5");
        assertThat(VisibleGpus.of(Map.of(VisibleGpus.VARIABLE, "")).name(0)).isEmpty();
    }
}
