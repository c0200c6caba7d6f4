package dev.tilewright.simulator;

import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The name of a device in words, such as those of {@code NVIDIA H100 80GB HBM3}. A card for a PCIe slot has fewer SMs
 * or less power than the module of the same model, and its name says so.
 *
 * @param words in capitals
 */
record DeviceName(Set<String> words) {

    DeviceName {
        words = Set.copyOf(words);
    }

    static DeviceName of(String device) {
        return new DeviceName(Set.copyOf(List.of(device.toUpperCase(Locale.ROOT).split("[^A-Z0-9]+"))));
    }

    /** Whether this is the module of a model, such as {@code h200}, and no card. */
    boolean isModule(String model) {
        return words.contains(model.toUpperCase(Locale.ROOT)) && !words.contains("NVL") && !words.contains("PCIE");
    }
}
