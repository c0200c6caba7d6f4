package dev.tilewright.model.exchange;

import dev.tilewright.model.space.Config;

/**
 * A kernel that a worker builds.
 *
 * @param delayed whether its text has a wait in front, which the runner sets
 */
public record BuiltKernel(String family, Config config, boolean delayed) {

    /** The kernel as it is. */
    public BuiltKernel(String family, Config config) {
        this(family, config, false);
    }

    @Override
    public String toString() {
        return family + " " + config + (delayed ? ", with a wait" : "");
    }
}
