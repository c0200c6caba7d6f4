package dev.tilewright.api.worker;

import dev.tilewright.model.trial.Architecture;
import dev.tilewright.model.trial.TestbedKind;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
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

    /**
     * An emulated GPU, which is chosen only by name: it proves and gives no times.
     *
     * @param sms how many SMs it has
     */
    record Emulated(int sms) implements DeviceSelector {

        private static final int DEFAULT_SMS = 4;
        private static final int MOST_SMS = 132;

        public Emulated {
            if (sms < 1 || sms > MOST_SMS) {
                throw new IllegalArgumentException("an emulated GPU has from 1 to " + MOST_SMS + " SMs, got " + sms);
            }
        }

        @Override
        public String toString() {
            return sms == DEFAULT_SMS ? "emulated" : "emulated:" + sms;
        }
    }

    /** The device with this label. */
    record Labelled(String label) implements DeviceSelector {
        @Override
        public String toString() {
            return label;
        }
    }

    /** How the label of a model begins. */
    String SIMULATED = "simulated:";

    /** Labels of devices. */
    Pattern LABEL = Pattern.compile("cuda:\\d{1,3}|simulated:(h200|b200|gb200)");

    /** An emulated GPU, with the number of its SMs. */
    Pattern EMULATED = Pattern.compile("emulated(?::(\\d{1,4}))?");

    /**
     * Reads {@code auto}, {@code cuda}, {@code cuda:all}, {@code cuda:N}, {@code simulated:h200} (or {@code b200},
     * {@code gb200}), {@code emulated} or {@code emulated:N} with N SMs.
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
        Matcher emulated = EMULATED.matcher(text);
        if (emulated.matches()) {
            return new Emulated(emulated.group(1) == null ? Emulated.DEFAULT_SMS : Integer.parseInt(emulated.group(1)));
        }
        throw new IllegalArgumentException(
                "a device is auto, cuda, cuda:all, cuda:N, simulated:h200, simulated:b200, simulated:gb200, emulated or"
                        + " emulated:N, got '" + text + "'");
    }

    /** That of a model that is named; empty for every device whose testbed has to be asked. */
    default Optional<Architecture> architecture() {
        return this instanceof Labelled(String label) && label.startsWith(SIMULATED)
                ? Architecture.ofDevice(label.substring(SIMULATED.length()))
                : Optional.empty();
    }

    /**
     * All selectors, as they are written, that accept a device. {@code auto} is a real GPU, and a simulated one while
     * nobody offers a real one.
     *
     * @param realGpuOffered whether some live worker offers a real GPU
     */
    static Set<String> accepting(TestbedKind kind, String label, boolean realGpuOffered) {
        return switch (kind) {
            case CUDA -> Set.of("auto", "cuda", "cuda:all", label);
            case SIMULATED -> realGpuOffered ? Set.of(label) : Set.of("auto", label);
            case EMULATED -> Set.of(label);
        };
    }

    /** Whether a device may take the work. */
    default boolean accepts(TestbedKind kind, String label, boolean realGpuOffered) {
        return accepting(kind, label, realGpuOffered).contains(toString());
    }
}
