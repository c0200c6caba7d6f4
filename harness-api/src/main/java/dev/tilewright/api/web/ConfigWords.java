package dev.tilewright.api.web;

import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import dev.tilewright.space.families.ConfigText;
import dev.tilewright.space.families.Families;
import dev.tilewright.space.family.FamilySpace;
import dev.tilewright.space.text.Mark;
import dev.tilewright.space.text.ShortForm;
import dev.tilewright.space.text.Vocabulary;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Configs of one family in its words. Of a family without words the parameters are written out.
 *
 * @param name of the family
 * @param family that may be gone by now, if somebody brought it
 * @param form of the configs of a page
 */
public record ConfigWords(
        Families families, String name, Optional<FamilySpace> family, Vocabulary vocabulary, ShortForm form) {

    /** The words for a page with these configs. */
    public static ConfigWords of(Families families, String family, Collection<Config> configs) {
        return new ConfigWords(
                families, family, found(families, family), families.vocabulary(family), ShortForm.of(configs));
    }

    private static Optional<FamilySpace> found(Families families, String family) {
        try {
            return families.find(family);
        } catch (IllegalArgumentException gone) {
            return Optional.empty();
        }
    }

    /** Such as {@code static 128x256x64 s4}. */
    public String brief(Config config) {
        return form.text(vocabulary, config);
    }

    /** The options of a command line that take a config again. */
    public String options(Config config) {
        return ConfigText.options(families, name, config);
    }

    /** The command line that tries a config of a problem again. */
    public String tune(Problem problem, Config config) {
        return ConfigText.tune(families, name, problem, config);
    }

    /** Legend of the marks of these configs, each kind once. */
    public Map<String, String> legend(Collection<Config> configs) {
        return ShortForm.legend(configs.stream().flatMap(config -> form.marks(vocabulary, config).stream()));
    }

    /** Every part of a config, with the words there are for it. */
    public List<Mark> explained(Config config) {
        return vocabulary.explained(config).stream()
                .flatMap(part -> part.marks(config))
                .toList();
    }
}
