package dev.tilewright.worker.device;

import dev.tilewright.simulator.SimulatedGpus;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a user may say after {@code --device}. */
public sealed interface DeviceSelector {

    /** Whatever is best here. */
    record Auto() implements DeviceSelector {
        @Override
        public String toString() {
            return "auto";
        }
    }

    /** Every GPU. */
    record AllCuda() implements DeviceSelector {
        @Override
        public String toString() {
            return "cuda:all";
        }
    }

    /** One GPU. */
    record Cuda(int ordinal) implements DeviceSelector {
        @Override
        public String toString() {
            return "cuda:" + ordinal;
        }
    }

    /** A model of a GPU. */
    record Simulated(String gpu) implements DeviceSelector {
        public Simulated {
            SimulatedGpus.named(gpu);
        }

        @Override
        public String toString() {
            return "simulated:" + gpu;
        }
    }

    /**
     * Reads what was typed.
     *
     * @throws IllegalArgumentException naming the text and what is known
     */
    static DeviceSelector parse(String text) {
        Matcher matcher =
                Pattern.compile("cuda:(\\d{1,3})|simulated:([a-z0-9]+)").matcher(text);
        if (matcher.matches()) {
            return matcher.group(1) != null
                    ? new Cuda(Integer.parseInt(matcher.group(1)))
                    : new Simulated(matcher.group(2));
        }
        return switch (text) {
            case "auto" -> new Auto();
            case "cuda:all", "cuda" -> new AllCuda();
            default ->
                throw new IllegalArgumentException(
                        "unknown device '" + text + "'; known: auto, cuda:N, cuda:all, simulated:h200");
        };
    }
}
