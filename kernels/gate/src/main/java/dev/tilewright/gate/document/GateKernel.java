package dev.tilewright.gate.document;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.tilewright.model.exchange.ConfigRequest;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A kernel of a gate: exactly one of config, trial, peer and best.
 *
 * @param family of the config or the best one: ours, or {@code bundle:NAME@VERSION}; {@code null} for that of the
 *     device, of the best one for any
 * @param config values of the parameters by name, or a text such as {@code static 128x256x64 s4 groupedM8 coop2}; of a
 *     bundle with one config it may be empty
 * @param trial whose config is meant
 * @param peer such as {@code cublaslt}
 * @param algorithm of the peer; {@code null} for the one that it would choose by itself
 * @param best whether the best config that the service knows for the problem is meant
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record GateKernel(
        @Nullable String family,
        @Nullable ConfigRequest config,
        @Nullable UUID trial,
        @Nullable String peer,
        @Nullable String algorithm,
        @Nullable Boolean best) {}
