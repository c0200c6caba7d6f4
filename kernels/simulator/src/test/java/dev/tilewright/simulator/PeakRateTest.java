package dev.tilewright.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.trial.Testbed;
import dev.tilewright.model.trial.TestbedKind;
import org.junit.jupiter.api.Test;

class PeakRateTest {

    private static double peak(String device, int sms, DataType type) {
        return PeakRate.tflops(
                new Testbed(TestbedKind.CUDA, device, "580", "ptxas", sms, "factory"), OperandTypes.of(type));
    }

    @Test
    void itIsAboveTheDatasheetByTheClockAlone() {
        assertThat(peak("NVIDIA H200", 132, DataType.BF16)).isCloseTo(132 * 4096 * 1.98e9 / 1e12, within(1e-6));
        for (String device : new String[] {"NVIDIA H200", "NVIDIA H100 80GB HBM3", "NVIDIA B200", "NVIDIA GB200"}) {
            double datasheet = Roofline.of(new Testbed(TestbedKind.CUDA, device, "580", "ptxas", 200, "factory"))
                    .orElseThrow()
                    .tensorTflops();
            assertThat(peak(device, 200, DataType.F16) / datasheet).as(device).isBetween(1.0, 1.15);
        }
    }

    @Test
    void oneByteInputsDoubleIt() {
        assertThat(peak("NVIDIA H200", 132, DataType.E4M3)).isEqualTo(2 * peak("NVIDIA H200", 132, DataType.BF16));
    }

    @Test
    void fewerSmsDoLessAndMoreThanThereAreDoNotCount() {
        assertThat(peak("NVIDIA H20", 78, DataType.BF16))
                .isCloseTo(peak("NVIDIA H200", 132, DataType.BF16) * 78 / 132, within(1e-6));
        assertThat(peak("NVIDIA H200", 100_000, DataType.BF16)).isEqualTo(peak("NVIDIA H200", 132, DataType.BF16));
    }

    @Test
    void aGpuThatNobodyKnowsMayDoMoreThanAllThatAreKnown() {
        assertThat(peak("NVIDIA R100", 1, DataType.BF16)).isGreaterThan(5 * peak("NVIDIA GB200", 152, DataType.BF16));
    }
}
