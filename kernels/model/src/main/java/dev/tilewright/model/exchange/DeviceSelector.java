package dev.tilewright.model.exchange;

import dev.tilewright.model.trial.Architecture;
import dev.tilewright.model.trial.TestbedKind;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A device as users write it: the devices that a job may run on, and that a worker offers. Written as {@link #parse}
 * reads it.
 */
public sealed interface DeviceSelector {

    /** The GPUs that a model predicts, as they are written, in the order in which they are listed to users. */
    String SIMULATED = "simulated:h200, simulated:h100, simulated:b200, simulated:gb200";

    /** All that can be written. */
    String FORMS = "auto, cuda:N, cuda:all, " + SIMULATED + ", emulated, emulated:N";

    /** The names of the GPUs that a model predicts, in the same order. */
    List<String> SIMULATED_GPUS = Stream.of(SIMULATED.split(", "))
            .map(selector -> selector.substring("simulated:".length()))
            .toList();

    /** The selectors that a user may pick from a list, in order; the first GPU stands for each of several. */
    List<String> NAMES = Stream.of(
                    Stream.of("auto", "cuda:0", "cuda:all"),
                    SIMULATED_GPUS.stream().map(gpu -> "simulated:" + gpu),
                    Stream.of("emulated"))
            .flatMap(names -> names)
            .toList();

    /** The best device that is offered: a real GPU, or a simulated one while nobody offers a real one. */
    record Auto() implements DeviceSelector {
        @Override
        public String toString() {
            return "auto";
        }
    }

    /** Every real GPU; of a job, any of them. */
    record AllCuda() implements DeviceSelector {
        @Override
        public String toString() {
            return "cuda:all";
        }
    }

    /** A device of its own, which a runner can be started for. */
    sealed interface OneDevice extends DeviceSelector {}

    /** One that needs no GPU: the CPU stands in for it. */
    sealed interface OnCpu extends OneDevice {}

    /** One real GPU. */
    record Cuda(int ordinal) implements OneDevice {
        @Override
        public String toString() {
            return "cuda:" + ordinal;
        }
    }

    /** A model of a GPU. */
    record Simulated(String gpu) implements OnCpu {
        public Simulated {
            if (!SIMULATED_GPUS.contains(gpu)) {
                throw new IllegalArgumentException(
                        "a simulated GPU is one of " + SIMULATED_GPUS + ", got '" + gpu + "'");
            }
        }

        @Override
        public String toString() {
            return "simulated:" + gpu;
        }
    }

    /**
     * A GPU emulated on the CPU, which is chosen only by name: it proves and gives no times.
     *
     * @param sms how many SMs it has
     */
    record Emulated(int sms) implements OnCpu {

        /** As many as make a small problem give every CTA several tiles. */
        public static final int DEFAULT_SMS = 4;

        private static final int MAX_SMS = 132;

        public Emulated {
            if (sms < 1 || sms > MAX_SMS) {
                throw new IllegalArgumentException("an emulated GPU has from 1 to " + MAX_SMS + " SMs, got " + sms);
            }
        }

        @Override
        public String toString() {
            return sms == DEFAULT_SMS ? "emulated" : "emulated:" + sms;
        }
    }

    /**
     * Reads what was written; {@code cuda} alone is {@code cuda:all}.
     *
     * @throws IllegalArgumentException naming the text and what can be written
     */
    static DeviceSelector parse(String text) {
        Matcher one = Pattern.compile(
                        "cuda:(\\d{1,3})|simulated:(" + String.join("|", SIMULATED_GPUS) + ")|emulated:(\\d{1,4})")
                .matcher(text);
        if (one.matches()) {
            if (one.group(1) != null) {
                return new Cuda(Integer.parseInt(one.group(1)));
            }
            return one.group(2) != null ? new Simulated(one.group(2)) : new Emulated(Integer.parseInt(one.group(3)));
        }
        return switch (text) {
            case "auto" -> new Auto();
            case "cuda:all", "cuda" -> new AllCuda();
            case "emulated" -> new Emulated(Emulated.DEFAULT_SMS);
            default -> throw new IllegalArgumentException("unknown device '" + text + "'; known: " + FORMS);
        };
    }

    /**
     * Reads one device.
     *
     * @throws IllegalArgumentException as {@link #parse} does, and if what was written may be several devices
     */
    static OneDevice parseOne(String text) {
        return switch (parse(text)) {
            case OneDevice one -> one;
            case Auto _, AllCuda _ -> throw new IllegalArgumentException("a runner has one device, got " + text);
        };
    }

    /** The architecture of a named model; empty for a device whose testbed must be asked. */
    default Optional<Architecture> architecture() {
        return this instanceof Simulated(String gpu) ? Architecture.ofDevice(gpu) : Optional.empty();
    }

    /**
     * All selectors, as they are written, that accept a device. {@code auto} is a real GPU, and a simulated one while
     * nobody offers a real one.
     *
     * @param label of the device: a selector of it alone
     * @param realGpuOffered whether some live worker offers a real GPU
     */
    static Set<String> accepting(TestbedKind kind, String label, boolean realGpuOffered) {
        return switch (kind) {
            case CUDA -> Set.of("auto", "cuda:all", label);
            case SIMULATED -> realGpuOffered ? Set.of(label) : Set.of("auto", label);
            case EMULATED -> Set.of(label);
        };
    }

    /**
     * Whether one of the devices that live workers offer may take the work.
     *
     * @param offered labels of these devices
     */
    default boolean isAmong(Collection<String> offered) {
        return switch (this) {
            case Auto _ -> offered.stream().anyMatch(label -> isCuda(label) || label.startsWith("simulated:"));
            case AllCuda _ -> offered.stream().anyMatch(DeviceSelector::isCuda);
            case OneDevice one -> offered.contains(one.toString());
        };
    }

    private static boolean isCuda(String label) {
        return label.startsWith("cuda:");
    }

    /** Whether a device may take the work. */
    default boolean accepts(TestbedKind kind, String label, boolean realGpuOffered) {
        return accepting(kind, label, realGpuOffered).contains(toString());
    }
}
