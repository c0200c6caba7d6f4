package dev.tilewright.worker.cli.export;

import dev.tilewright.launch.program.DispatchTable;
import dev.tilewright.launch.program.KernelProgram;
import dev.tilewright.launch.program.ProgramFiles;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.proof.export.KernelExport;
import dev.tilewright.worker.link.command.CommandFailedException;
import dev.tilewright.worker.link.command.ExitCode;
import dev.tilewright.worker.link.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Folders of exported kernels.
 *
 * @param languages of the programs
 */
public record ExportFolder(TextAssembler assembler, Set<ProgramFiles.Language> languages) {

    /**
     * A kernel that is to be written.
     *
     * @param notes where it comes from, a line each
     * @param cubin that is known already
     */
    public record Kernel(KernelExport export, List<String> notes, Optional<byte[]> cubin) {}

    /** What was written, and what its user should know. */
    public record Written(KernelProgram program, List<String> notices) {}

    /** The name of a kernel where nobody gave one. */
    public static String name(Problem problem) {
        return ExportName.of(problem);
    }

    /**
     * Writes one kernel into a folder, which is made if there is none; files of these names are replaced.
     *
     * @throws CommandFailedException if the text is wrong, or no program can make its launch
     */
    public Written write(Path directory, String name, Kernel kernel) throws IOException {
        KernelExport export = kernel.export();
        Optional<byte[]> cubin = kernel.cubin();
        List<String> notices = List.of();
        if (cubin.isEmpty()) {
            switch (assembler.assemble(export.ptx(), export.target())) {
                case TextAssembler.Outcome.Assembled(byte[] assembled) -> cubin = Optional.of(assembled);
                case TextAssembler.Outcome.Unavailable(String reason) ->
                    notices = List.of("no cubin, the driver assembles the text when it is loaded: " + reason);
                case TextAssembler.Outcome.Refused(String reason) ->
                    throw new CommandFailedException(
                            ExitCode.NEGATIVE, "the assembler refuses the text of " + export.title() + ": " + reason);
            }
        }
        try {
            KernelProgram program = export.program(name, cubin);
            write(directory, ProgramFiles.of(program, kernel.notes(), languages));
            return new Written(program, notices);
        } catch (IllegalArgumentException impossible) {
            throw new CommandFailedException(
                    ExitCode.USAGE, "cannot export " + export.title() + ": " + impossible.getMessage());
        }
    }

    /**
     * Writes the table of kernels that lie in folders of their names below this one. Returns why there is none, where
     * they cannot be in one.
     */
    public Optional<String> table(Path directory, String name, List<DispatchTable.Row> rows) throws IOException {
        try {
            write(directory, DispatchTable.of(name, rows, languages));
            return Optional.empty();
        } catch (IllegalArgumentException different) {
            return Optional.of(String.valueOf(different.getMessage()));
        }
    }

    private static void write(Path directory, Map<String, byte[]> files) throws IOException {
        Files.createDirectories(directory);
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
            Json.writeAtomically(directory.resolve(file.getKey()), file.getValue());
        }
    }
}
