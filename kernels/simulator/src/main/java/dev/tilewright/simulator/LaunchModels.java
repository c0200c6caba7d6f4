package dev.tilewright.simulator;

import dev.tilewright.model.trial.Testbed;
import dev.tilewright.space.family.LaunchModel;
import java.util.Locale;
import java.util.Optional;

/** Which model predicts launches on a testbed: that of its GPU, and none where nobody fitted one. */
public final class LaunchModels {

    private LaunchModels() {}

    /** The model of the GPU of a testbed, measured, emulated or simulated; empty if there is none. */
    public static Optional<LaunchModel> of(Testbed testbed) {
        return ofDevice(testbed.device());
    }

    /** The same by the name of a device, such as {@code NVIDIA H200} or {@code h200}. */
    public static Optional<LaunchModel> ofDevice(String device) {
        String name = device.toLowerCase(Locale.ROOT);
        return SimulatedGpus.all().stream()
                .filter(gpu -> name.equals(gpu.name()) || name.endsWith(" " + gpu.name()))
                .findFirst()
                .map(CostModel::of);
    }
}
