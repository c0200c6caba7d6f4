package dev.tilewright.proof.file;

import dev.tilewright.emulator.hazard.ShownName;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Finds the kernel of a file that a name means. */
final class EntryNames {
    private static final String TEMPLATE = "<...>";

    private EntryNames() {}

    /**
     * The whole name of the kernel that is meant.
     *
     * @param names of the kernels of the file
     * @param asked its name; or as we show it, its last part alone, or any part of the whole name, if only one kernel
     *     has that. Empty: the only kernel
     * @throws MisfitException if there is none, or more than one
     */
    static String choose(List<String> names, Optional<String> asked) {
        if (names.isEmpty()) {
            throw new MisfitException("the file has no kernel (.entry)");
        }
        if (asked.isEmpty()) {
            if (names.size() > 1) {
                throw new MisfitException(
                        "the file has " + names.size() + " kernels; name one as entry: " + shown(names));
            }
            return names.getFirst();
        }
        String wanted = asked.get();
        List<Predicate<String>> forms = List.of(
                wanted::equals,
                name -> ShownName.of(name).equals(wanted),
                name -> simple(name).equals(wanted),
                name -> name.contains(wanted));
        for (Predicate<String> form : forms) {
            List<String> fitting = names.stream().filter(form).toList();
            if (fitting.size() == 1) {
                return fitting.getFirst();
            }
            if (fitting.size() > 1) {
                throw new MisfitException("entry: '" + wanted + "' names " + fitting.size()
                        + " kernels, which a part of their whole name can tell apart: " + shown(fitting));
            }
        }
        throw new MisfitException("entry: must be one of " + shown(names) + ", got '" + wanted + "'");
    }

    /** The last part of a path, without template arguments. */
    private static String simple(String name) {
        String shown = ShownName.of(name);
        String last = shown.substring(shown.lastIndexOf("::") < 0 ? 0 : shown.lastIndexOf("::") + 2);
        return last.endsWith(TEMPLATE) ? last.substring(0, last.length() - TEMPLATE.length()) : last;
    }

    private static String shown(List<String> names) {
        return names.stream().map(ShownName::of).collect(Collectors.joining(", "));
    }
}
