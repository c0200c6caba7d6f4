package dev.tilewright.model.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CountTest {

    @Test
    void oneAloneIsSingular() {
        assertThat(Count.of(0, "kernel")).isEqualTo("0 kernels");
        assertThat(Count.of(1, "kernel")).isEqualTo("1 kernel");
        assertThat(Count.of(2, "kernel")).isEqualTo("2 kernels");
        assertThat(Count.of(1, "study", "studies")).isEqualTo("1 study");
        assertThat(Count.of(3, "study", "studies")).isEqualTo("3 studies");
    }
}
