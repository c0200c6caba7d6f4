package dev.tilewright.worker.cli;

import dev.tilewright.bundle.BundleName;
import dev.tilewright.model.space.Config;
import dev.tilewright.space.families.Families;
import dev.tilewright.worker.link.client.ApiRefusedException;
import dev.tilewright.worker.link.command.CommandFailedException;
import dev.tilewright.worker.link.command.Syntax;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A kernel as a user names it in one argument. */
sealed interface ComparedKernel {

    /** The kernel of a trial. */
    record OfTrial(String id) implements ComparedKernel {}

    /**
     * The kernel of a config.
     *
     * @param family {@code null} if the argument names none
     * @param config {@code null} if the argument names none: that of a bundle with one config
     */
    record OfConfig(@Nullable String family, @Nullable Config config) implements ComparedKernel {}

    /**
     * The kernel of a bundle that the service does not have yet.
     *
     * @param config likewise
     */
    record Uploaded(BundleUpload upload, @Nullable Config config) implements ComparedKernel {}

    /** @param algorithm {@code null} for the one that the peer would choose by itself */
    record OfPeer(String peer, @Nullable String algorithm) implements ComparedKernel {}

    Pattern TRIAL = Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");

    /** The owner of the kernel and the values of its config; both may be left out. */
    Pattern VALUES = Pattern.compile("(?<of>.*?)(?<values>(?:(?:^|\\s+)[^\\s=/]+=[^\\s/]+)*)\\s*");

    /**
     * Reads an argument.
     *
     * @param option the name of the argument, for errors
     * @throws CommandFailedException if it is no kernel
     */
    static ComparedKernel read(String option, String text) {
        if (TRIAL.matcher(text).matches()) {
            return new OfTrial(text);
        }
        Matcher parts = VALUES.matcher(text);
        if (!parts.matches()) {
            throw new IllegalStateException("no part is required, got '" + text + "'");
        }
        String of = parts.group("of").strip();
        String values = parts.group("values").strip();
        Config config = values.isEmpty() ? null : Syntax.read(option, values, Config::parse);
        if (BundleName.parse(of).isPresent()
                || config != null && Families.standard().find(of).isPresent()) {
            return new OfConfig(of, config);
        }
        if (BundleUpload.isPath(of)) {
            return new Uploaded(BundleUpload.read(Path.of(of)), config);
        }
        if (config != null && of.isEmpty()) {
            return new OfConfig(null, config);
        }
        if (config != null || of.isEmpty()) {
            throw CommandFailedException.usage(
                    option + ": a kernel is a trial's id, NAME=V NAME=V ..., a family, bundle:NAME or a folder or zip"
                            + " with such values behind it, or a peer, got '" + text + "'");
        }
        int colon = of.indexOf(':');
        return colon < 0 ? new OfPeer(of, null) : new OfPeer(of.substring(0, colon), of.substring(colon + 1));
    }

    /** The bundle that goes to the service first. */
    default Optional<BundleUpload> toUpload() {
        return this instanceof Uploaded(BundleUpload upload, Config _) ? Optional.of(upload) : Optional.empty();
    }

    /**
     * As a comparison asks for it; a bundle is sent.
     *
     * @param family of configs whose argument names none; {@code null} for the usual one
     */
    default Map<String, Object> request(@Nullable String family, Connection connection)
            throws ApiRefusedException, InterruptedException {
        Map<String, Object> request = new LinkedHashMap<>();
        switch (this) {
            case OfTrial(String id) -> request.put("trial", id);
            case OfConfig(String own, Config config) -> put(request, own == null ? family : own, config);
            case Uploaded(BundleUpload upload, Config config) ->
                put(request, upload.send(connection).family(), config);
            case OfPeer(String peer, String algorithm) -> {
                request.put("peer", peer);
                if (algorithm != null) {
                    request.put("algorithm", algorithm);
                }
            }
        }
        return request;
    }

    private static void put(Map<String, Object> request, @Nullable String family, @Nullable Config config) {
        if (family != null) {
            request.put("family", family);
        }
        if (config != null) {
            request.put("config", config.values());
        }
    }
}
