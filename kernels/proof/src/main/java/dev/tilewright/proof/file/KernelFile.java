package dev.tilewright.proof.file;

import dev.tilewright.emulator.hazard.Site;
import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.launch.document.DocumentException;
import dev.tilewright.launch.reader.LaunchReader;
import dev.tilewright.model.space.Sha256;
import dev.tilewright.model.text.FileFault;
import dev.tilewright.proof.emulation.ProofPlan;
import dev.tilewright.ptx.Entry;
import dev.tilewright.ptx.parse.ParsedModule;
import dev.tilewright.ptx.parse.Position;
import dev.tilewright.ptx.parse.PtxParser;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A PTX file and the description of its launch, read and matched. */
public final class KernelFile {
    private final FileSubject subject;
    private final ParsedModule parsed;
    private final List<String> lines;

    private KernelFile(FileSubject subject, ParsedModule parsed, List<String> lines) {
        this.subject = subject;
        this.parsed = parsed;
        this.lines = lines;
    }

    /**
     * Reads both files.
     *
     * @param entry the kernel; empty for what the description says, or the only one
     * @throws dev.tilewright.ptx.parse.PtxParseException with all that is wrong with the PTX
     * @throws DocumentException if a file cannot be read, or the description is wrong
     * @throws MisfitException if there is no such entry
     */
    public static KernelFile read(Path ptx, Path description, Optional<String> entry, ProofPlan plan) {
        LaunchSkeleton.requireFilled(description, text(description));
        return of(ptx.toString(), text(ptx), description.toString(), LaunchReader.read(description), entry, plan);
    }

    /**
     * Matches a text and a launch that are known already.
     *
     * @param ptx what the text is called
     * @param description what the description is called
     * @param entry the kernel; empty for what the description says, or the only one
     * @throws dev.tilewright.ptx.parse.PtxParseException with all that is wrong with the PTX
     * @throws MisfitException if there is no such entry
     */
    public static KernelFile of(
            String ptx,
            String text,
            String description,
            LaunchDescription launch,
            Optional<String> entry,
            ProofPlan plan) {
        ParsedModule parsed = parsed(text, entry.or(launch::entry));
        Entry chosen = parsed.module().entries().getFirst();
        FileSubject subject = new FileSubject(ptx, description, Sha256.hex(text), chosen, launch, plan);
        return new KernelFile(subject, parsed, text.lines().toList());
    }

    /**
     * A launch description to fill in, for a kernel of a file.
     *
     * @throws dev.tilewright.ptx.parse.PtxParseException as above
     * @throws DocumentException if the file cannot be read
     * @throws MisfitException if there is no such entry
     */
    public static List<String> skeleton(Path ptx, Optional<String> entry) {
        return LaunchSkeleton.of(parsed(text(ptx), entry).module());
    }

    private static String text(Path ptx) {
        try {
            return Files.readString(ptx);
        } catch (MalformedInputException notText) {
            throw new DocumentException(ptx + ": is no UTF-8 text");
        } catch (IOException unreadable) {
            throw new DocumentException(ptx + ": cannot be read: " + FileFault.reason(unreadable));
        }
    }

    /** One kernel and what it needs. */
    private static ParsedModule parsed(String text, Optional<String> entry) {
        List<String> names = PtxParser.entryNames(text);
        if (names.isEmpty()) {
            PtxParser.parse(text); // what is no PTX at all is refused as that
        }
        return PtxParser.parseLocated(text, EntryNames.choose(names, entry));
    }

    public FileSubject subject() {
        return subject;
    }

    /**
     * Runs it.
     *
     * @throws MisfitException if the launch does not fit the kernel
     */
    public FileCheckResult check(CheckOptions options) {
        return new FileCheck(parsed, subject, options).run();
    }

    /** The position of a statement of the kernel in the file. */
    Position position(Site site) {
        return parsed.position(site.kernel(), site.statement());
    }

    /** The lines around a statement, marked. */
    List<String> excerpt(Site site) {
        return Excerpt.of(lines, position(site));
    }
}
