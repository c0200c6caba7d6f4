package dev.tilewright.worker.link.assembler;

import java.util.Arrays;

/** The libraries that a child can assemble with. */
public enum AssemblerLibrary {
    DRIVER_JIT("driver-jit"),
    NVPTXCOMPILER("nvptxcompiler");

    private final String label;

    AssemblerLibrary(String label) {
        this.label = label;
    }

    /**
     * Reads the label.
     *
     * @throws IllegalArgumentException naming the text and the libraries there are
     */
    public static AssemblerLibrary named(String text) {
        return Arrays.stream(values())
                .filter(library -> library.label.equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "an assembler's library must be one of " + Arrays.toString(values()) + ", got '" + text + "'"));
    }

    @Override
    public String toString() {
        return label;
    }
}
