package dev.tilewright.worker.link.process;

import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The GPUs that this process may see, by which children are given one of them.
 *
 * @param names in the order in which the driver counts them here; {@code null} if it sees all
 */
public record VisibleGpus(@Nullable String names) {

    /** The driver's variable that says so. */
    public static final String VARIABLE = "CUDA_VISIBLE_DEVICES";

    public static VisibleGpus of(Map<String, String> environment) {
        return new VisibleGpus(environment.get(VARIABLE));
    }

    /** The value that shows a child the one GPU with this ordinal; empty if there is no such GPU. */
    public Optional<String> name(int ordinal) {
        if (names == null) {
            return Optional.of(Integer.toString(ordinal));
        }
        return Stream.of(names.split(",", -1))
                .skip(ordinal)
                .findFirst()
                .map(String::strip)
                .filter(name -> !name.isEmpty());
    }

    /** Why there is no such GPU. */
    public String missing(int ordinal) {
        return "cuda:" + ordinal + " is not among " + VARIABLE + "=" + names;
    }
}
