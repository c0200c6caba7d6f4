package dev.tilewright.api.web;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FiguresTest {

    @Test
    void anEffectHasASignUnlessItIsNothing() {
        assertThat(Figures.effect(2.1, 1.8, 2.4)).isEqualTo("+2.10 % [+1.80, +2.40]");
        assertThat(Figures.effect(-0.001, -0.5, 0.504)).isEqualTo("0.00 % [−0.50, +0.50]");
        assertThat(Figures.signed(-12.344)).isEqualTo("−12.34 %");
        assertThat(Figures.signed(0.004)).isEqualTo("0.00 %");
    }
}
