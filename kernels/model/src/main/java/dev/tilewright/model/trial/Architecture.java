package dev.tilewright.model.trial;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Generation of GPUs that runs the same kernels; written in lower case ({@code sm90}) everywhere outside Java. */
public enum Architecture {
    SM90("H100", "H200", "H800", "H20", "GH200"),
    SM100("B100", "B200", "GB200");

    private final List<String> models;

    Architecture(String... models) {
        this.models = List.of(models);
    }

    /**
     * That of a testbed, by the model in the name of its device: {@code NVIDIA H200} and {@code h200} are both sm90.
     * Empty for a GPU that is not known here, and for an emulated one, which runs the kernels of all.
     */
    public static Optional<Architecture> of(Testbed testbed) {
        return testbed.kind() == TestbedKind.EMULATED ? Optional.empty() : ofDevice(testbed.device());
    }

    /** The architecture of the GPU whose model is a word of the name; empty if no word is known. */
    public static Optional<Architecture> ofDevice(String name) {
        List<String> words = List.of(name.toUpperCase(Locale.ROOT).split("[^A-Z0-9]+"));
        return Arrays.stream(values())
                .filter(architecture -> architecture.models.stream().anyMatch(words::contains))
                .findFirst();
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
