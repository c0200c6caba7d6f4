package dev.tilewright.api.asked;

import dev.tilewright.model.exchange.ConfigRequest;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A kernel: a config, a trial's, or a peer's.
 *
 * @param family of the config: one of ours, or a bundle such as {@code bundle:NAME}, alone if it has one config;
 *     {@code null} for that of a trial among the kernels, else that of the device
 * @param config values of the parameters by name, or a text such as {@code static 128x256x64 s4 groupedM8 coop2}; what
 *     is missing has the default of the family
 * @param trial id of a trial, whose config is meant
 * @param peer name of a vendor's library
 * @param algorithm which kernel of the peer; {@code null} for the one that it would choose by itself
 * @param slowedBy a wait in front of the kernel makes a launch take so much longer: 0.01 is one percent, 0.5 the most;
 *     {@code null} for the kernel as it is
 * @param waitSteps the wait that does this, if an earlier comparison has found it, 1 to 100,000,000; {@code null} to
 *     find it first
 */
public record KernelRequest(
        @Nullable String family,
        @Nullable ConfigRequest config,
        @Nullable UUID trial,
        @Nullable String peer,
        @Nullable String algorithm,
        @Nullable Double slowedBy,
        @Nullable Long waitSteps) {

    /** How many ways it names a kernel in; a good one has 1. */
    int ways() {
        int ways = (config != null ? 1 : 0) + (trial != null ? 1 : 0) + (peer != null ? 1 : 0);
        return ways == 0 && family != null ? 1 : ways;
    }
}
