package dev.tilewright.worker.cli;

import dev.tilewright.space.Parameter;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.space.families.Families;
import dev.tilewright.space.family.FamilySpace;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Help.Column;
import picocli.CommandLine.Help.Column.Overflow;
import picocli.CommandLine.Help.TextTable;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** The end of the help of verbs that take the parameters of our families: their names and values. */
final class SettingsHelp {

    private static final int NAMES = 19;

    private SettingsHelp() {}

    /** Adds it to the verbs below that take them. It is made when somebody asks for help. */
    static void addTo(CommandLine line) {
        line.getSubcommands().values().forEach(SettingsHelp::addTo);
        boolean takesThem = line.getCommandSpec().options().stream()
                .map(OptionSpec::completionCandidates)
                .anyMatch(KnownNames.OfParameters.class::isInstance);
        if (takesThem) {
            var footer = line.getHelpSectionMap().get(UsageMessageSpec.SECTION_KEY_FOOTER);
            line.getHelpSectionMap()
                    .put(
                            UsageMessageSpec.SECTION_KEY_FOOTER,
                            help -> (footer == null ? "" : footer.render(help))
                                    + text(help.commandSpec().usageMessage().width()));
        }
    }

    private static String text(int width) {
        return Families.standard().all().stream()
                .map(family -> of(family, width))
                .collect(Collectors.joining());
    }

    private static String of(FamilySpace family, int width) {
        if (family.isInstalled()) {
            return String.format(
                    "%n--set of %s: numbers of its library, which explain --family %s lists%n",
                    family.family(), family.family());
        }
        TextTable table = TextTable.forColumns(
                CommandLine.Help.defaultColorScheme(Ansi.OFF),
                new Column(NAMES, 2, Overflow.SPAN),
                new Column(width - NAMES, 1, Overflow.WRAP));
        for (Parameter parameter : family.space(KnownNames.USUAL, DeviceLimits.of(KnownNames.USUAL_SMS))
                .parameters()) {
            if (parameter.values().size() > 1) {
                table.addRowValues(
                        parameter.name(),
                        parameter.values().stream()
                                .map(value -> parameter.usual().contains(value) ? value.toString() : "[" + value + "]")
                                .collect(Collectors.joining(" ")));
            }
        }
        return String.format(
                "%n--set of %s (values in brackets are tried with --space full, or where they are named):%n%s",
                family.family(), table);
    }
}
