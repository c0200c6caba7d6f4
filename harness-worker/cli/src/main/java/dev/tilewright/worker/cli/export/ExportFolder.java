package dev.tilewright.worker.cli.export;

import dev.tilewright.launch.program.DispatchTable;
import dev.tilewright.launch.program.KernelProgram;
import dev.tilewright.launch.program.ProgramFiles;
import dev.tilewright.launch.program.RangeFiles;
import dev.tilewright.launch.program.RangeProgram;
import dev.tilewright.launch.program.WeightsTable;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.RangedProblem;
import dev.tilewright.model.range.Regret;
import dev.tilewright.model.range.Span;
import dev.tilewright.proof.export.KernelExport;
import dev.tilewright.proof.export.LibraryExport;
import dev.tilewright.proof.export.RangeExport;
import dev.tilewright.worker.link.command.CommandFailedException;
import dev.tilewright.worker.link.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Folders of exported kernels.
 *
 * @param formats of what is written beside each kernel
 */
public record ExportFolder(TextAssembler assembler, ExportFormats formats) {

    /** A kernel that is to be written. */
    public sealed interface Kernel {

        Problem problem();

        /** Its origin, a line each. */
        List<String> notes();

        /** The trials that it was chosen from, where they are known and wanted. */
        Optional<StudyRecord> record();
    }

    /**
     * A kernel with a text.
     *
     * @param cubin that is known already
     */
    public record Text(KernelExport export, List<String> notes, Optional<byte[]> cubin, Optional<StudyRecord> record)
            implements Kernel {
        @Override
        public Problem problem() {
            return export.problem();
        }
    }

    /** An algorithm of a library, which has no text of it. */
    public record OfLibrary(LibraryExport export, List<String> notes, Optional<StudyRecord> record) implements Kernel {
        @Override
        public Problem problem() {
            return export.problem();
        }
    }

    /**
     * The kernels of a range of M.
     *
     * @param table in the order of M
     * @param regret as it was found; empty where nobody looked
     * @param simulated whether the table is the choice of a model
     */
    public record OfRange(
            RangeExport export, List<Span> table, Optional<Regret> regret, boolean simulated, String origin) {}

    /**
     * A kernel as it was written, with notices for its user.
     *
     * @param program of a kernel with a text; empty of an algorithm of a library
     */
    public record Written(String title, Optional<KernelProgram> program, List<String> notices) {}

    /** The name of a kernel where nobody gave one. */
    public static String name(Problem problem) {
        return ExportName.of(problem);
    }

    /** The same of a range of M. */
    public static String name(RangedProblem problem) {
        return ExportName.of(problem);
    }

    /**
     * Writes one kernel into a folder, which is made if there is none; files of these names are replaced.
     *
     * @throws CommandFailedException if the text is wrong, no program can make its launch, or a library's kernel is
     *     wanted as what only a text can be written as
     */
    public Written write(Path directory, String name, Kernel kernel) throws IOException {
        List<String> notices = new ArrayList<>();
        if (kernel.record().isEmpty() && !formats.records().isEmpty()) {
            notices.add("no " + formats.records() + ": no study tuned this kernel");
        }
        Written written = switch (kernel) {
            case Text text -> write(directory, name, text, notices);
            case OfLibrary algorithm -> write(directory, name, algorithm, notices);
        };
        write(directory, records(name, kernel.record()));
        return written;
    }

    private Written write(Path directory, String name, OfLibrary kernel, List<String> notices) throws IOException {
        if (!formats.takesLibraries()) {
            throw CommandFailedException.usage(
                    "--format: there is no text of " + kernel.export().title()
                            + ": a program in c is written of it, and with c the trials that it was chosen from, got '"
                            + formats
                            + "'");
        }
        write(directory, kernel.export().program(name, kernel.notes()).files());
        return new Written(kernel.export().title(), Optional.empty(), notices);
    }

    private Written write(Path directory, String name, Text kernel, List<String> notices) throws IOException {
        KernelExport export = kernel.export();
        boolean programs = !formats.languages().isEmpty();
        Optional<byte[]> cubin = kernel.cubin().or(() -> cubin(export.title(), export.ptx(), export.target(), notices));
        try {
            // Programs load the cubin. Without them there is nothing that would, and nobody can prove one.
            KernelProgram program = export.program(name, programs ? cubin : Optional.empty());
            write(directory, ProgramFiles.of(program, kernel.notes(), formats.languages()));
            return new Written(program.title(), Optional.of(program), notices);
        } catch (IllegalArgumentException impossible) {
            throw CommandFailedException.usage("cannot export " + export.title() + ": " + impossible.getMessage());
        }
    }

    /** Without a program there is nothing that a missing cubin would be said of. */
    private Optional<byte[]> cubin(String title, String ptx, String target, List<String> notices) {
        return new Assembly(assembler)
                .cubin(title, ptx, target, formats.languages().isEmpty() ? new ArrayList<>() : notices);
    }

    /**
     * Writes the kernels of a range of M into a folder, with their programs.
     *
     * @param notices for the user, to which this adds
     */
    public RangeProgram write(Path directory, String name, OfRange range, List<String> notices) throws IOException {
        if (!formats.records().isEmpty()) {
            notices.add("no " + formats.records() + ": a table of kernels is of many studies");
        }
        if (formats.languages().isEmpty()) {
            throw CommandFailedException.usage(
                    "--format: a range of M is written as programs in c and torch, got '" + formats + "'");
        }
        RangeProgram program;
        try {
            program = range.export()
                    .program(
                            name, kernel -> cubin(kernel.title(), kernel.built().text(), kernel.target(), notices));
            write(directory, RangeFiles.of(program, formats.languages()));
        } catch (IllegalArgumentException impossible) {
            throw CommandFailedException.usage(
                    "cannot export " + range.export().title() + ": " + impossible.getMessage());
        }
        write(
                directory,
                Map.of(name + ".json", Json.pretty().writeValueAsBytes(RangeManifest.of(name, range, program))));
        return program;
    }

    /** Writes the table of the ranges that lie in folders of their names below this one. */
    public Optional<String> weights(Path directory, String name, List<RangeProgram> programs) throws IOException {
        if (!formats.languages().contains(ProgramFiles.Language.TORCH)) {
            return Optional.of("that of ranges of M is a module of PyTorch");
        }
        try {
            write(directory, WeightsTable.of(name, programs));
            return Optional.empty();
        } catch (IllegalArgumentException twice) {
            return Optional.of(String.valueOf(twice.getMessage()));
        }
    }

    /**
     * Writes the table of kernels that lie in folders of their names below this one. Returns why there is none, where
     * they cannot be in one.
     */
    public Optional<String> table(Path directory, String name, List<DispatchTable.Row> rows) throws IOException {
        try {
            write(directory, DispatchTable.of(name, rows, formats.languages()));
            return Optional.empty();
        } catch (IllegalArgumentException different) {
            return Optional.of(String.valueOf(different.getMessage()));
        }
    }

    private Map<String, byte[]> records(String name, Optional<StudyRecord> record) {
        Map<String, byte[]> files = new LinkedHashMap<>();
        record.ifPresent(known ->
                formats.records().forEach(format -> files.put(name + format.ending(), format.bytes(known))));
        return files;
    }

    private static void write(Path directory, Map<String, byte[]> files) throws IOException {
        Files.createDirectories(directory);
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
            Json.writeAtomically(directory.resolve(file.getKey()), file.getValue());
        }
    }
}
