package dev.tilewright.model.trial;

/**
 * The GPU, the driver and the assembler behind a number. Numbers of different testbeds are not compared.
 *
 * @param kind real, emulated or simulated
 * @param device model of the GPU, such as {@code NVIDIA H200} or {@code h200}
 * @param driver version of the driver; for a simulated GPU the version of its constants
 * @param assembler name and version, such as {@code ptxas 13.0.88}
 * @param smCount number of SMs
 * @param clockPolicy how clocks are governed, such as {@code factory} (nothing locked)
 */
public record Testbed(
        TestbedKind kind, String device, String driver, String assembler, int smCount, String clockPolicy) {

    public Testbed {
        if (smCount < 1) {
            throw new IllegalArgumentException("smCount must be at least 1, got " + smCount);
        }
    }
}
