package dev.tilewright.worker.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * The options of verbs that another program runs, the service. A test of that program writes the file and holds it to
 * the options that it has.
 *
 * @param lines each a verb, the names of an option if it is one, and the label and the values of what it takes
 */
record ServiceVerbs(List<String> lines) {

    static final String FILE = "service-verbs.txt";

    static ServiceVerbs read() {
        try (InputStream file = Objects.requireNonNull(ServiceVerbs.class.getResourceAsStream(FILE), FILE)) {
            return new ServiceVerbs(new String(file.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList());
        } catch (IOException damaged) {
            throw new UncheckedIOException(damaged);
        }
    }

    /** A verb with its options; with none if it is not one of the service. */
    CommandSpec spec(String verb) {
        CommandSpec spec = CommandSpec.create();
        for (String line : lines) {
            List<String> words = List.of(line.split(" "));
            if (words.getFirst().equals(verb)) {
                add(spec, words.subList(1, words.size()));
            }
        }
        return spec;
    }

    private static void add(CommandSpec spec, List<String> words) {
        String first = words.getFirst();
        if (!first.startsWith("-")) {
            spec.addPositional(PositionalParamSpec.builder()
                    .paramLabel(first)
                    .arity("1")
                    .type(type(first))
                    .build());
            return;
        }
        OptionSpec.Builder option = OptionSpec.builder(
                first.split(",")[0], Stream.of(first.split(",")).skip(1).toArray(String[]::new));
        if (words.size() == 1) {
            spec.addOption(option.arity("0").type(boolean.class).build());
            return;
        }
        List<String> values = words.subList(2, words.size());
        option.arity("1").paramLabel(words.get(1)).type(type(words.get(1)));
        spec.addOption((values.isEmpty() ? option : option.completionCandidates(values)).build());
    }

    private static Class<?> type(String label) {
        return label.equals("FILE") ? Path.class : String.class;
    }
}
