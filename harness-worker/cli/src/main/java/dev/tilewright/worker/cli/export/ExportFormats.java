package dev.tilewright.worker.cli.export;

import dev.tilewright.launch.program.ProgramFiles.Language;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The files beside a kernel: programs, and the trials that it was chosen from.
 *
 * @param named as a user named them; none if nobody did
 */
public record ExportFormats(Set<Language> languages, Set<RecordFormat> records, List<String> named) {

    /** The formats of a command that names none. */
    public static ExportFormats usual() {
        return new ExportFormats(EnumSet.allOf(Language.class), Set.of(), List.of());
    }

    /** The format that is always written: text and launch description, a bundle. */
    private static final String BUNDLE = "bundle";

    /**
     * Reads names.
     *
     * @throws IllegalArgumentException if a name is unknown; the message lists the known ones
     */
    public static ExportFormats of(List<String> names) {
        Set<Language> languages = EnumSet.noneOf(Language.class);
        Set<RecordFormat> records = EnumSet.noneOf(RecordFormat.class);
        for (String name : names) {
            Optional<Language> language = find(Language.values(), name);
            Optional<RecordFormat> record = find(RecordFormat.values(), name);
            language.ifPresent(languages::add);
            record.ifPresent(records::add);
            if (language.isEmpty() && record.isEmpty() && !name.equals(BUNDLE)) {
                throw new IllegalArgumentException("must be one of "
                        + Stream.of(Stream.of(Language.values()), Stream.of(BUNDLE), Stream.of(RecordFormat.values()))
                                .flatMap(each -> each)
                                .map(Object::toString)
                                .collect(Collectors.joining(", "))
                        + ", got '" + name + "'");
            }
        }
        return new ExportFormats(languages, records, names);
    }

    /** Whether a kernel without a text can be written so: as a program in C, alone or with its trials. */
    boolean takesLibraries() {
        return named.isEmpty() || languages.equals(Set.of(Language.C)) && !named.contains(BUNDLE);
    }

    @Override
    public String toString() {
        return String.join(",", named);
    }

    private static <T extends Enum<T>> Optional<T> find(T[] values, String name) {
        Function<T, String> text = Enum::toString;
        return Stream.of(values).filter(value -> text.apply(value).equals(name)).findFirst();
    }
}
