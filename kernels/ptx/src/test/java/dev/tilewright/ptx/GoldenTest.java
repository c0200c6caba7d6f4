package dev.tilewright.ptx;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.ptx.text.PtxWriter;
import dev.tilewright.ptx.validate.Validator;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The exact text of small kernels; each passes the validator and assembles without a spill. */
class GoldenTest {
    static Stream<Arguments> kernels() {
        return Stream.of(
                Arguments.of("VectorAdd", Kernels.vectorAdd()),
                Arguments.of("Pipeline", Kernels.pipeline(5, 38912)),
                Arguments.of("Cluster", Kernels.cluster()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("kernels")
    void textIsKept(String name, PtxModule module) {
        Golden.check(name, PtxWriter.write(module));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("kernels")
    void nothingIsWrong(String name, PtxModule module) {
        assertThat(Validator.validate(module)).as(name).isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("kernels")
    void assemblesAtTheOldestIsaWithoutSpills(String name, PtxModule module) throws Exception {
        String text = PtxWriter.write(module);
        assertThat(text).as(name).startsWith(".version 8.0\n");
        assertThat(Ptxas.assemble(text, "sm_90a"))
                .contains("0 bytes spill stores, 0 bytes spill loads")
                .doesNotContain("C75");
    }
}
