package dev.tilewright.worker.cli;

import dev.tilewright.model.space.Config;
import dev.tilewright.space.SearchSpace;
import dev.tilewright.space.families.ConfigText;
import dev.tilewright.space.families.Families;
import dev.tilewright.space.family.AskedSpace;
import dev.tilewright.worker.link.command.CommandFailedException;
import dev.tilewright.worker.link.command.Syntax;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads {@code --config} for the verbs that know the space of its problem. */
final class ConfigOption {

    private static final String OPTION = "--config";

    private ConfigOption() {}

    /** The family that the text names, or else the given one. */
    static @Nullable String family(String text, @Nullable String named) {
        ConfigText given = ConfigText.of(Families.standard(), text);
        return given.family().isEmpty() ? named : Syntax.read(OPTION, text, _ -> String.valueOf(given.family(named)));
    }

    /**
     * The same of a config that leaves nothing to choose.
     *
     * @param others options that choose values too, and whether they are given
     */
    static @Nullable String alone(String text, @Nullable String named, Map<String, Boolean> others) {
        others.forEach((option, given) -> {
            if (given) {
                throw CommandFailedException.usage(
                        OPTION + ": names every value, so " + option + " cannot be given beside it");
            }
        });
        return family(text, named);
    }

    /** The config, with the defaults of the family for missing parts; some may have none. */
    static Config read(AskedSpace space, String text) {
        return Syntax.read(
                OPTION,
                text,
                given -> space.read(ConfigText.of(Families.standard(), given).words()));
    }

    /** The space that has this config alone. */
    static SearchSpace only(AskedSpace space, String text) {
        Config config = read(space, text);
        return Syntax.read(OPTION, text, _ -> space.only(config));
    }
}
