package dev.tilewright.api.asked;

import dev.tilewright.model.space.ParameterValue;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A kernel: a config, a trial's, or a peer's.
 *
 * @param algorithm which kernel of the peer; {@code null} for the one that it would choose by itself
 */
public record KernelRequest(
        @Nullable Map<String, ParameterValue> config,
        @Nullable UUID trial,
        @Nullable String peer,
        @Nullable String algorithm) {}
