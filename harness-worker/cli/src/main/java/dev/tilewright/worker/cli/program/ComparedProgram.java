package dev.tilewright.worker.cli.program;

import java.nio.file.Path;
import java.util.List;

/**
 * A program that is compared.
 *
 * @param name as messages call it, such as {@code without the pack}
 * @param command its words
 * @param folder in which it runs
 * @param step {@code MODULE:FUNCTION} that is a step; empty for the outermost call of a module or the replay of a graph
 */
public record ComparedProgram(String name, List<String> command, Path folder, String step, Pack pack) {

    public ComparedProgram {
        command = List.copyOf(command);
    }

    /** The pack that computes its GEMMs. */
    public sealed interface Pack {}

    /** Must be enabled: {@code folder} is one that {@code tilewright apply} wrote. */
    public record Given(Path folder) implements Pack {}

    /** Must not be there. */
    public record Without() implements Pack {}

    /** As the program has it itself, or not at all. */
    public record Own() implements Pack {}
}
