package dev.tilewright.worker.cli.gate.file;

import dev.tilewright.model.exchange.ConfigRequest;
import java.time.Duration;
import java.util.Optional;

/**
 * A kernel of the file.
 *
 * @param family of a config, or of the best one; empty for that of the GPU
 * @param config without values where there is none to give; a text is in the words of its family
 * @param source file that a report points at, from the folder of {@code tilewright.yaml}
 * @param line of its name
 */
public record KernelEntry(
        String name, Origin origin, Optional<String> family, ConfigRequest config, Optional<String> source, int line) {

    /** The same with another config. */
    public KernelEntry with(ConfigRequest other) {
        return new KernelEntry(name, origin, family, other, source, line);
    }

    /** Where it comes from. */
    public sealed interface Origin {}

    /** A config of one of our families. */
    public record OfFamily() implements Origin {}

    /**
     * A bundle that is there.
     *
     * @param reference folder or zip, or {@code NAME@VERSION} of one that the service keeps
     */
    public record OfBundle(String reference) implements Origin {}

    /**
     * A bundle that a command makes.
     *
     * @param command for {@code sh}, in the folder of {@code tilewright.yaml}
     * @param bundle folder or zip that is there when it has ended
     */
    public record Built(String command, String bundle, Duration limit) implements Origin {}

    /** The best config that the service knows. */
    public record Best() implements Origin {}

    /** A kernel of the vendor. */
    public record OfPeer(String peer, Optional<String> algorithm) implements Origin {}
}
