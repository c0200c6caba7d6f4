package dev.tilewright.space.families;

import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import dev.tilewright.space.family.FamilySpace;
import dev.tilewright.space.text.ShortForm;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A config as people write it: words of its family and {@code name=value} pairs, perhaps behind the name of the family.
 * Each place that takes a config reads it with this.
 *
 * @param family empty for the one that the user named elsewhere, or that of the GPU
 * @param words such as {@code static 128x256x64 c2x1 s4 groupedM8 coop2}
 */
public record ConfigText(Optional<FamilySpace> family, String words) {

    /** How help texts and errors call it. */
    public static final String LABEL = "'[FAMILY] PART...'";

    /** Takes the name of a family of Tilewright off the front. */
    public static ConfigText of(Families families, String text) {
        String stripped = text.strip();
        return families.all().stream()
                .filter(family -> stripped.startsWith(family.family() + " "))
                .findFirst()
                .map(family -> new ConfigText(
                        Optional.of(family),
                        stripped.substring(family.family().length()).strip()))
                .orElseGet(() -> new ConfigText(Optional.empty(), stripped));
    }

    /**
     * The name of the family, as far as the user said one.
     *
     * @param named by the user elsewhere; {@code null} if nowhere
     * @throws IllegalArgumentException if the two differ
     */
    public @Nullable String family(@Nullable String named) {
        if (family.isEmpty() || family.get().family().equals(named)) {
            return named;
        }
        String own = family.get().family();
        if (named != null) {
            throw new IllegalArgumentException(
                    "the config is one of " + own + ", but the family " + named + " is named");
        }
        return own;
    }

    /** The command line that tries one config of a problem again. */
    public static String tune(Families families, @Nullable String family, Problem problem, Config config) {
        return "tilewright tune" + ProblemText.of(problem) + " " + options(families, family, config);
    }

    /** The options of a command line that take this config again: of a bundle, its name is an option of its own. */
    public static String options(Families families, @Nullable String family, Config config) {
        String words = ShortForm.complete(families.vocabulary(family), config);
        boolean ours = families.names().contains(String.valueOf(family));
        String before = family == null || ours ? "" : "--family " + family + " ";
        return before + "--config '" + (ours ? family + " " : "") + words.replace("'", "'\\''") + "'";
    }
}
