package dev.tilewright.gemm.space;

import dev.tilewright.model.space.Config;

/** Whether the CTAs of a cluster share what they both need. */
enum Multicast {
    NONE("none"),
    BOTH("both");

    private final String value;

    Multicast(String value) {
        this.value = value;
    }

    static Multicast of(Config config) {
        return NamedValue.of(values(), "multicast", config);
    }

    @Override
    public String toString() {
        return value;
    }
}
