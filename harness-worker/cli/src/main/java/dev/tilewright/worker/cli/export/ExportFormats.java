package dev.tilewright.worker.cli.export;

import dev.tilewright.launch.program.ProgramFiles.Language;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What is written beside a kernel: programs, and the trials that it was chosen from. */
public record ExportFormats(Set<Language> languages, Set<RecordFormat> records) {
    /** What is written in any case, text and launch description, is a bundle. */
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
        return new ExportFormats(languages, records);
    }

    private static <T extends Enum<T>> Optional<T> find(T[] values, String name) {
        Function<T, String> text = Enum::toString;
        return Stream.of(values).filter(value -> text.apply(value).equals(name)).findFirst();
    }
}
