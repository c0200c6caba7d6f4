package dev.tilewright.api.worker;

import dev.tilewright.model.trial.TestbedKind;
import java.util.regex.Pattern;

/** Which devices a job may run on. */
public sealed interface DeviceSelector {

    /** Any device; a simulated one only while nobody offers a real GPU. */
    record Auto() implements DeviceSelector {
        @Override
        public String toString() {
            return "auto";
        }
    }

    /** Any real GPU. */
    record AnyCuda(String text) implements DeviceSelector {
        @Override
        public String toString() {
            return text;
        }
    }

    /** The device with this label. */
    record Labelled(String label) implements DeviceSelector {
        @Override
        public String toString() {
            return label;
        }
    }

    /** Labels of devices; h200 is the only simulated GPU that there is. */
    Pattern LABEL = Pattern.compile("cuda:\\d{1,3}|simulated:h200");

    /**
     * Reads {@code auto}, {@code cuda}, {@code cuda:all}, {@code cuda:N} or {@code simulated:h200}.
     *
     * @throws IllegalArgumentException naming the text and the accepted forms
     */
    static DeviceSelector parse(String text) {
        if (text.equals("auto")) {
            return new Auto();
        }
        if (text.equals("cuda") || text.equals("cuda:all")) {
            return new AnyCuda(text);
        }
        if (LABEL.matcher(text).matches()) {
            return new Labelled(text);
        }
        throw new IllegalArgumentException(
                "a device is auto, cuda, cuda:all, cuda:N or simulated:h200, got '" + text + "'");
    }

    /**
     * Whether a device may take the work.
     *
     * @param realGpuOffered whether some live worker offers a real GPU
     */
    default boolean accepts(TestbedKind kind, String label, boolean realGpuOffered) {
        return switch (this) {
            case Auto auto -> kind == TestbedKind.CUDA || (kind == TestbedKind.SIMULATED && !realGpuOffered);
            case AnyCuda any -> kind == TestbedKind.CUDA;
            case Labelled labelled -> labelled.label().equals(label);
        };
    }
}
