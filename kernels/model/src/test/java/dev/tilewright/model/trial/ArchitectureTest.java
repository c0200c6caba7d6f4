package dev.tilewright.model.trial;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ArchitectureTest {

    @ParameterizedTest
    @CsvSource({
        "h200, sm90",
        "NVIDIA H200, sm90",
        "NVIDIA H100 80GB HBM3, sm90",
        "NVIDIA GH200 480GB, sm90",
        "b200, sm100",
        "gb200, sm100",
        "NVIDIA B200, sm100",
        "NVIDIA GB200, sm100",
    })
    void aModelIsAWordOfTheName(String device, String architecture) {
        assertThat(Architecture.ofDevice(device).map(Architecture::toString)).contains(architecture);
    }

    @ParameterizedTest
    @CsvSource({"NVIDIA A100-SXM4-80GB", "NVIDIA B300", "NVIDIA RTX H2000", "''"})
    void whatIsNotKnownIsNotGuessed(String device) {
        assertThat(Architecture.ofDevice(device)).isEmpty();
    }

    @Test
    void anEmulatedGpuIsOfNone() {
        assertThat(Architecture.of(new Testbed(TestbedKind.EMULATED, "h200", "1", "ptxas", 4, "none")))
                .isEmpty();
        assertThat(Architecture.of(new Testbed(TestbedKind.SIMULATED, "gb200", "1", "ptxas", 152, "model")))
                .contains(Architecture.SM100);
    }
}
