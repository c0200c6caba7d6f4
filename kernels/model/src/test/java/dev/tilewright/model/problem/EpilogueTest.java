package dev.tilewright.model.problem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** How an epilogue is written and read. */
class EpilogueTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "bias,gelu | bias,gelu-tanh",
                "bias-m, relu | bias-m,relu",
                "alpha=2,beta=-0.5,bias,silu | alpha=2,beta=-0.5,bias,silu",
                "gelu-erf,clamp=-1..1.5 | gelu-erf,clamp=-1..1.5",
                "alpha=1e-3 | alpha=0.001"
            })
    void theTextIsReadAndWritten(String text, String canonical) {
        Epilogue epilogue = Epilogue.parse(text);
        assertThat(epilogue).hasToString(canonical);
        assertThat(Epilogue.parse(canonical)).isEqualTo(epilogue);
    }

    @Test
    void anEmptyTextIsNone() {
        assertThat(Epilogue.parse("  ")).isEqualTo(Epilogue.NONE);
        assertThat(Epilogue.NONE.isNone()).isTrue();
        assertThat(Epilogue.NONE).hasToString("");
        assertThat(Epilogue.NONE.said()).isEqualTo("none");
        assertThat(Epilogue.parse("bias,gelu").said()).isEqualTo("bias,gelu-tanh");
    }

    /** 0 times C is not computed: C need not be there. */
    @Test
    void aBetaOfZeroAddsNothing() {
        ProblemShape shape = new ProblemShape(64, 24, 8);
        assertThat(Epilogue.parse("beta=0,relu")).isEqualTo(Epilogue.parse("relu"));
        assertThat(Epilogue.parse("beta=-0.0,relu").addsC()).isFalse();
        assertThat(Epilogue.parse("beta=0,relu").elements(shape)).isZero();
        assertThat(Epilogue.parse("relu,beta=1e-3").addsC()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "bias,swish | unknown step 'swish' of an epilogue; known: alpha=F, beta=F, bias, bias-m, relu, gelu"
                        + " (gelu-tanh), gelu-erf, silu and clamp=LOW..HIGH",
                "relu=2 | relu takes no value, got 'relu=2'",
                "alpha=two | 'two' is not a number, in the step 'alpha=two'",
                "clamp=1 | clamp is written clamp=LOW..HIGH, got 'clamp=1'",
                "clamp=2..1 | clamp must be LOW..HIGH with the lower one first, got 2..1",
                "alpha=NaN | alpha must be a finite number, got NaN",
                "bias,bias-m | an epilogue has each step at most once, and at most one bias and one activation,"
                        + " got 'bias,bias-m'",
                "relu,silu | an epilogue has each step at most once, and at most one bias and one activation, got"
                        + " 'relu,silu'"
            })
    void whatIsNoEpilogueIsRefusedWithTheStepAndTheRule(String text, String reason) {
        assertThatThrownBy(() -> Epilogue.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(reason);
    }

    @ParameterizedTest
    @EnumSource
    void messagesNameEveryActivation(Activation function) {
        assertThat(EpilogueOp.KNOWN.split("[^a-z-]+")).contains(function.toString());
    }

    @Test
    void whatIsReadBesideAAndBCounts() {
        ProblemShape shape = new ProblemShape(64, 24, 8);
        assertThat(Epilogue.parse("bias").elements(shape)).isEqualTo(24);
        assertThat(Epilogue.parse("bias-m,relu").elements(shape)).isEqualTo(64);
        assertThat(Epilogue.parse("beta=1,bias").elements(shape)).isEqualTo(64 * 24 + 24);
        Problem plain = Problem.of(shape, DataType.BF16);
        assertThat(plain.with(Epilogue.parse("bias")).bytes()).isEqualTo(plain.bytes() + 48);
    }
}
