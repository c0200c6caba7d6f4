package dev.tilewright.api.textcheck;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A text to be checked.
 *
 * @param ptx the text, at most 400,000 characters
 * @param launch its description as {@code docs/launch-description.md} has it, as YAML, at most 40,000 characters; it
 *     may name no file
 * @param entry the kernel of the text; {@code null} for what the description says, or the only one
 * @param seed of the first run
 * @param seeds how many runs, 1 to 32
 * @param accept rules that the text may break, as {@code tilewright check --accept} names them; what breaks them is
 *     told with the verdict
 */
public record TextCheckRequest(
        String ptx,
        String launch,
        @Nullable String entry,
        @JsonProperty(defaultValue = "1") @Nullable Long seed,
        @JsonProperty(defaultValue = "5") @Nullable Integer seeds,
        @Nullable List<String> accept) {}
