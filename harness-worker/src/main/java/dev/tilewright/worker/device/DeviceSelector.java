package dev.tilewright.worker.device;

import dev.tilewright.simulator.SimulatedGpus;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

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
     * A GPU emulated on the CPU, which proves and gives no times.
     *
     * @param sms how many SMs it has
     */
    record Emulated(int sms) implements DeviceSelector {

        /** As many as make a small problem give every CTA several tiles. */
        public static final int DEFAULT_SMS = 4;

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

    /**
     * Reads what was typed.
     *
     * @throws IllegalArgumentException naming the text and what is known
     */
    static DeviceSelector parse(String text) {
        Matcher matcher = Pattern.compile("cuda:(\\d{1,3})|simulated:([a-z0-9]+)|emulated:(\\d{1,4})")
                .matcher(text);
        if (matcher.matches()) {
            if (matcher.group(1) != null) {
                return new Cuda(Integer.parseInt(matcher.group(1)));
            }
            return matcher.group(2) != null
                    ? new Simulated(matcher.group(2))
                    : new Emulated(Integer.parseInt(matcher.group(3)));
        }
        return switch (text) {
            case "auto" -> new Auto();
            case "cuda:all", "cuda" -> new AllCuda();
            case "emulated" -> new Emulated(Emulated.DEFAULT_SMS);
            default ->
                throw new IllegalArgumentException("unknown device '" + text + "'; known: auto, cuda:N, cuda:all, "
                        + SimulatedGpus.all().stream()
                                .map(gpu -> "simulated:" + gpu.name())
                                .collect(Collectors.joining(", "))
                        + ", emulated, emulated:N");
        };
    }
}
