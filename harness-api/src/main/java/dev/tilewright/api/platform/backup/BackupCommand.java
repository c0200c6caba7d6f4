package dev.tilewright.api.platform.backup;

import dev.tilewright.api.platform.database.backup.DatabaseDump;
import dev.tilewright.api.platform.database.backup.Manifest;
import dev.tilewright.api.platform.database.backup.RefusedBackupException;
import dev.tilewright.api.platform.process.ServeEnvironment;
import dev.tilewright.model.text.FileFault;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.util.zip.ZipOutputStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The verb {@code backup}. */
@Command(
        name = "tilewright backup",
        description =
                "Writes all that the service of this home keeps into one file: its database as it is at this moment,"
                        + " with kernels and bundles. The service may run meanwhile. With DATABASE_URL it is that"
                        + " database.",
        sortOptions = false,
        footer = {
            "",
            "Tokens are in it as hashes. The worker token and the password of the database are not in it, nor is the"
                    + " cache",
            "of cubins: workers assemble again what they miss."
        })
final class BackupCommand extends BackupVerb {

    @Option(names = "--to", paramLabel = "FILE", required = true, description = "File to write, which must not exist.")
    private Path target = Path.of("");

    private final Clock clock;

    BackupCommand(ServeEnvironment asked, Clock clock) {
        super(asked);
        this.clock = clock;
    }

    @Override
    String done() throws IOException, RefusedBackupException, InterruptedException {
        if (Files.exists(target)) {
            throw wrongUsage("--to: " + target + " exists; name a file that does not");
        }
        Path folder = target.toAbsolutePath().getParent();
        if (folder == null || !Files.isDirectory(folder)) {
            throw wrongUsage("--to: the folder " + folder + " does not exist");
        }
        // Whoever finds the file has the whole of it.
        Path part = target.resolveSibling(target.getFileName() + ".part");
        try {
            Manifest manifest = write(part);
            Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
            return "backup: " + summary(manifest) + ", " + Files.size(target) + " bytes in " + target;
        } finally {
            Files.deleteIfExists(part);
        }
    }

    private Manifest write(Path part) throws IOException, RefusedBackupException, InterruptedException {
        // Hashes of tokens and what users submitted are nobody else's business.
        Files.deleteIfExists(part);
        try {
            Files.createFile(part, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        } catch (IOException unwritable) {
            throw wrongUsage("--to: " + target + " cannot be written: " + FileFault.reason(unwritable));
        }
        try (StoredDatabase database = StoredDatabase.open(asked());
                OutputStream out = Files.newOutputStream(part, StandardOpenOption.WRITE);
                ZipOutputStream zip = new ZipOutputStream(out)) {
            return DatabaseDump.write(database.login(), zip, clock.instant());
        }
    }
}
