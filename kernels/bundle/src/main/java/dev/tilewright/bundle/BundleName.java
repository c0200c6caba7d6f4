package dev.tilewright.bundle;

import dev.tilewright.model.trial.Architecture;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The name of a bundle as a kernel family: {@code bundle:NAME} for its newest version, {@code bundle:NAME@VERSION} for
 * one of them.
 *
 * @param version the first 16 digits of its hash; empty for the newest
 */
public record BundleName(String name, Optional<String> version) {

    /** Digits of a version. */
    public static final int VERSION_DIGITS = 16;

    /** The maker of bundled kernels for any GPU. */
    private static final String MAKER = "bundle";

    private static final Pattern FAMILY = Pattern.compile(MAKER + ":([^@]*)(?:@(.*))?");

    /** The name of a bundle with a hash. */
    public static BundleName of(String name, String hash) {
        return new BundleName(name, Optional.of(version(hash)));
    }

    /** The version that a hash stands for. */
    public static String version(String hash) {
        return hash.substring(0, VERSION_DIGITS);
    }

    /** Reads the name of a family; empty if it is not that of a bundle. */
    public static Optional<BundleName> parse(String family) {
        Matcher matcher = FAMILY.matcher(family);
        return matcher.matches()
                ? Optional.of(new BundleName(matcher.group(1), Optional.ofNullable(matcher.group(2))))
                : Optional.empty();
    }

    /** The names under which a worker says that it makes kernels of bundles: of any GPU, and of each that is known. */
    public static List<String> makers() {
        return Stream.concat(
                        Stream.of(MAKER), Arrays.stream(Architecture.values()).map(gpu -> maker(Optional.of(gpu))))
                .toList();
    }

    static String maker(Optional<Architecture> architecture) {
        return architecture.map(gpu -> MAKER + "-" + gpu).orElse(MAKER);
    }

    public static boolean isMaker(String name) {
        return makers().contains(name);
    }

    /** The only GPUs that run what a maker makes; empty if all do, or nobody knows. */
    public static Optional<Architecture> architecture(String maker) {
        return Arrays.stream(Architecture.values())
                .filter(gpu -> maker(Optional.of(gpu)).equals(maker))
                .findFirst();
    }

    @Override
    public String toString() {
        return MAKER + ":" + name + version.map(digits -> "@" + digits).orElse("");
    }
}
