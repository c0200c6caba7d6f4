package dev.tilewright.worker.cli;

import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.launch.document.DocumentException;
import dev.tilewright.proof.emulation.ProofPlan;
import dev.tilewright.proof.file.CheckOptions;
import dev.tilewright.proof.file.FileCheckResult;
import dev.tilewright.proof.file.FileDocument;
import dev.tilewright.proof.file.FileReport;
import dev.tilewright.proof.file.FileVerdict;
import dev.tilewright.proof.file.KernelFile;
import dev.tilewright.proof.file.MisfitException;
import dev.tilewright.ptx.parse.ParseError;
import dev.tilewright.ptx.parse.PtxParseException;
import dev.tilewright.worker.link.command.CommandFailedException;
import dev.tilewright.worker.link.command.ExitCode;
import dev.tilewright.worker.link.json.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** {@code check} of a kernel file. */
final class KernelFileCheck {
    private final Printer out;
    private final CheckLines lines;
    private final List<Dump> dumps;

    /**
     * @param lines that say how it goes on
     * @param dumps what to write of what the last run left
     */
    KernelFileCheck(Printer out, CheckLines lines, List<Dump> dumps) {
        this.out = out;
        this.lines = lines;
        this.dumps = dumps;
    }

    /** Prints a launch description to fill in. */
    static ExitCode skeleton(Path ptx, Optional<String> entry, Printer out) {
        try {
            KernelFile.skeleton(ptx, entry).forEach(out::copy);
            return ExitCode.OK;
        } catch (PtxParseException unreadable) {
            throw invalid(ptx, unreadable);
        } catch (DocumentException wrong) {
            throw wrong(wrong);
        } catch (MisfitException misfit) {
            throw CommandFailedException.usage(ptx + ": " + misfit.getMessage(), misfit);
        }
    }

    /**
     * Checks a file and prints the verdict.
     *
     * @param launch the description of its launch
     * @param json where to write the verdict as a document, if anywhere
     */
    ExitCode run(
            Path ptx, Path launch, Optional<String> entry, ProofPlan plan, CheckOptions options, @Nullable Path json)
            throws IOException {
        try {
            KernelFile file = KernelFile.read(ptx, launch, entry, plan);
            FileReport report = new FileReport(file);
            LaunchDescription description = file.subject().launch();
            dumps.forEach(dump -> dump.in(description));
            FileCheckResult checked = checked(file, options);
            FileVerdict verdict = checked.verdict();
            report.header().forEach(out::println);
            report.verdict(checked).forEach(out::println);
            for (Dump dump : dumps) {
                out.println(dump.write(description, checked));
            }
            if (json != null) {
                Json.writeAtomically(json, Json.pretty().writeValueAsBytes(new FileDocument(file).of(checked)));
            }
            return switch (verdict) {
                case FileVerdict.Proved _ -> ExitCode.OK;
                case FileVerdict.Hazardous _, FileVerdict.Wrong _ -> ExitCode.NEGATIVE;
                case FileVerdict.Shallow _, FileVerdict.Unsupported _ -> ExitCode.INCONCLUSIVE;
            };
        } catch (PtxParseException unreadable) {
            return unreadable(ptx, launch, unreadable, json);
        } catch (DocumentException wrong) {
            throw wrong(wrong);
        } catch (MisfitException misfit) {
            throw CommandFailedException.usage(launch + ": " + misfit.getMessage(), misfit);
        }
    }

    private FileCheckResult checked(KernelFile file, CheckOptions options) {
        try {
            return file.check(options);
        } finally {
            lines.clear();
        }
    }

    /** A text that may be PTX which we do not know gets a verdict. A text that is no PTX is a mistake of the user. */
    private ExitCode unreadable(Path ptx, Path launch, PtxParseException unreadable, @Nullable Path json)
            throws IOException {
        List<ParseError> problems = unreadable.problems();
        if (!problems.stream().allMatch(ParseError::unsupported)) {
            throw invalid(ptx, unreadable);
        }
        List<String> lines = lines(ptx, unreadable);
        FileReport.unsupported(lines).forEach(out::println);
        if (json != null) {
            Json.writeAtomically(json, Json.pretty().writeValueAsBytes(FileDocument.unsupported(ptx, launch, lines)));
        }
        return ExitCode.INCONCLUSIVE;
    }

    private static CommandFailedException wrong(DocumentException wrong) {
        List<String> faults = wrong.faults();
        return new CommandFailedException(ExitCode.USAGE, faults.getFirst(), faults.subList(1, faults.size()), wrong);
    }

    private static CommandFailedException invalid(Path ptx, PtxParseException unreadable) {
        return new CommandFailedException(
                ExitCode.USAGE,
                ptx + ": is no valid PTX, problems: " + unreadable.problems().size(),
                lines(ptx, unreadable),
                unreadable);
    }

    private static List<String> lines(Path ptx, PtxParseException unreadable) {
        return unreadable.problems().stream()
                .map(problem -> ptx + ":" + problem)
                .toList();
    }
}
