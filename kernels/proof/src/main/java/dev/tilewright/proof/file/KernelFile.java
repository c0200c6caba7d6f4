package dev.tilewright.proof.file;

import dev.tilewright.emulator.hazard.Site;
import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.launch.document.DocumentException;
import dev.tilewright.launch.reader.LaunchReader;
import dev.tilewright.model.space.Sha256;
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
        String text;
        try {
            text = Files.readString(ptx);
        } catch (MalformedInputException notText) {
            throw new DocumentException(ptx + ": is no UTF-8 text");
        } catch (IOException unreadable) {
            throw new DocumentException(ptx + ": cannot be read (" + unreadable + ")");
        }
        return of(ptx.toString(), text, description.toString(), LaunchReader.read(description), entry, plan);
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
        Optional<String> named = entry.or(launch::entry);
        ParsedModule parsed =
                named.map(name -> PtxParser.parseLocated(text, name)).orElseGet(() -> PtxParser.parseLocated(text));
        Entry chosen = EntryRules.choose(parsed.module(), named);
        FileSubject subject = new FileSubject(ptx, description, Sha256.hex(text), chosen, launch, plan);
        return new KernelFile(subject, parsed, text.lines().toList());
    }

    public FileSubject subject() {
        return subject;
    }

    /**
     * Runs it.
     *
     * @throws MisfitException if the launch does not fit the kernel
     */
    public Checked check(CheckOptions options) {
        return new FileCheck(parsed, subject, options).run();
    }

    /** Where a statement of the kernel stands in the file. */
    Position position(Site site) {
        return parsed.position(site.kernel(), site.statement());
    }

    /** The lines around a statement, marked. */
    List<String> excerpt(Site site) {
        return Excerpt.of(lines, position(site));
    }
}
