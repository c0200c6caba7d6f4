package dev.tilewright.worker.cli.board;

import dev.tilewright.model.space.Config;
import dev.tilewright.space.families.Families;
import dev.tilewright.space.text.Mark;
import dev.tilewright.space.text.ShortForm;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Configs in short, each in the words of its family; the legend says what the marks mean.
 *
 * @param families whose words are known
 * @param form of the configs of the table
 */
public record CompactConfig(Families families, ShortForm form) {

    /** The form for a table with these configs. */
    public static CompactConfig of(List<FamilyConfig> configs) {
        return new CompactConfig(
                Families.standard(),
                ShortForm.of(configs.stream().map(FamilyConfig::config).toList()));
    }

    /** The short form of one config. */
    public String format(FamilyConfig config) {
        return form.text(families.vocabulary(config.family()), config.config());
    }

    /** Legend of the marks of these configs, in the order of their first use, each kind once. */
    public Map<String, String> legend(List<FamilyConfig> configs) {
        return ShortForm.legend(configs.stream().flatMap(this::marks));
    }

    /** Names of the parameters in which two configs differ. */
    static Set<String> differing(Config one, Config other) {
        return ShortForm.differing(one, other);
    }

    private Stream<Mark> marks(FamilyConfig of) {
        return form.marks(families.vocabulary(of.family()), of.config()).stream();
    }
}
