package dev.tilewright.space.vendor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.model.problem.Epilogue;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scenario;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which epilogues cublasLt has, and by which numbers of its header. */
class VendorEpilogueTest {

    private static Problem problem(String types, String epilogue) {
        return new Problem(
                List.of(new ProblemShape(64, 72, 80)),
                1,
                OperandTypes.parse(types),
                OperandMajors.DEFAULT,
                Scenario.QUIET,
                Epilogue.parse(epilogue));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''                      | 1  | 1   | 0",
                "bias                    | 4  | 1   | 0",
                "relu                    | 2  | 1   | 0",
                "bias,relu               | 6  | 1   | 0",
                "bias,gelu               | 36 | 1   | 0",
                "alpha=2,gelu-tanh       | 32 | 2   | 0",
                "alpha=0.5,bias,beta=-1  | 4  | 0.5 | -1",
            })
    void someAreItsOwn(String epilogue, int code, float alpha, float beta) {
        assertThat(VendorEpilogue.of(problem("bf16,bf16,bf16", epilogue)))
                .isEqualTo(new VendorEpilogue(alpha, beta, code));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "bf16,bf16,bf16 | bias-m",
                "bf16,bf16,bf16 | bias,gelu-erf",
                "bf16,bf16,bf16 | silu",
                "bf16,bf16,bf16 | relu,bias",
                "bf16,bf16,bf16 | bias,alpha=2",
                "bf16,bf16,bf16 | bias,clamp=0..1",
                "e4m3,e4m3,f32  | bias",
            })
    void othersItHasNot(String types, String epilogue) {
        Problem problem = problem(types, epilogue);
        assertThat(VendorEpilogue.refusal(problem))
                .hasValueSatisfying(
                        reason -> assertThat(reason).startsWith("epilogue = " + problem.epilogue() + ": cublasLt "));
        assertThatThrownBy(() -> VendorEpilogue.of(problem)).isInstanceOf(IllegalArgumentException.class);
    }
}
