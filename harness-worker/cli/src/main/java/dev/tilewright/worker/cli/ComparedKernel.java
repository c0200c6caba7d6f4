package dev.tilewright.worker.cli;

import dev.tilewright.bundle.BundleName;
import dev.tilewright.space.families.ConfigText;
import dev.tilewright.space.families.Families;
import dev.tilewright.space.family.FamilySpace;
import dev.tilewright.worker.link.client.ApiRefusedException;
import dev.tilewright.worker.link.command.CommandFailedException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
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
     * @param words parts of the config; {@code null} if the argument names none: that of a bundle with one config
     */
    record OfConfig(@Nullable String family, @Nullable String words) implements ComparedKernel {}

    /**
     * The kernel of a bundle that the service does not have yet.
     *
     * @param words likewise
     */
    record Uploaded(BundleUpload upload, @Nullable String words) implements ComparedKernel {}

    /** @param algorithm {@code null} for the one that the peer would choose by itself */
    record OfPeer(String peer, @Nullable String algorithm) implements ComparedKernel {}

    Pattern TRIAL = Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");

    /** The owner of the kernel and the pairs of its config; both may be left out. */
    Pattern PAIRS = Pattern.compile("(?<of>.*?)(?<pairs>(?:(?:^|\\s+)[^\\s=/]+=[^\\s/]+)*)\\s*");

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
        Matcher parts = PAIRS.matcher(text);
        if (!parts.matches()) {
            throw new IllegalStateException("no part is required, got '" + text + "'");
        }
        String of = parts.group("of").strip();
        String pairs = parts.group("pairs").strip();
        if (BundleName.parse(of).isPresent()) {
            return new OfConfig(of, pairs.isEmpty() ? null : pairs);
        }
        if (BundleUpload.isPath(of)) {
            return new Uploaded(BundleUpload.read(Path.of(of)), pairs.isEmpty() ? null : pairs);
        }
        if (!pairs.isEmpty() || of.isEmpty() || of.contains(" ")) {
            return ofOurs(option, text);
        }
        int colon = of.indexOf(':');
        return colon < 0 ? new OfPeer(of, null) : new OfPeer(of.substring(0, colon), of.substring(colon + 1));
    }

    /** A config of one of our families. Which one, the service may know alone; but one of them must read it. */
    private static ComparedKernel ofOurs(String option, String text) {
        ConfigText config = ConfigText.of(Families.standard(), text);
        List<FamilySpace> possible =
                config.family().map(List::of).orElse(Families.standard().all());
        if (possible.stream().noneMatch(family -> reads(family, config.words()))) {
            throw CommandFailedException.usage(
                    option + ": a kernel is a trial's id, a config, one behind the name of a family, bundle:NAME or a"
                            + " folder or zip with NAME=V ... behind it, or a peer, got '" + text + "'");
        }
        return new OfConfig(config.family(null), config.words());
    }

    private static boolean reads(FamilySpace family, String words) {
        try {
            family.vocabulary().read(words);
            return true;
        } catch (IllegalArgumentException none) {
            return false;
        }
    }

    /** The bundle that goes to the service first. */
    default Optional<BundleUpload> toUpload() {
        return this instanceof Uploaded(BundleUpload upload, String _) ? Optional.of(upload) : Optional.empty();
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
            case OfConfig(String own, String words) -> put(request, own == null ? family : own, words);
            case Uploaded(BundleUpload upload, String words) ->
                put(request, upload.send(connection).family(), words);
            case OfPeer(String peer, String algorithm) -> {
                request.put("peer", peer);
                if (algorithm != null) {
                    request.put("algorithm", algorithm);
                }
            }
        }
        return request;
    }

    private static void put(Map<String, Object> request, @Nullable String family, @Nullable String words) {
        if (family != null) {
            request.put("family", family);
        }
        if (words != null) {
            request.put("config", words);
        }
    }
}
