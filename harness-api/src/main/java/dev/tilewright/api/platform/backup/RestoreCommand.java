package dev.tilewright.api.platform.backup;

import dev.tilewright.api.platform.database.backup.DatabaseLoad;
import dev.tilewright.api.platform.database.backup.RefusedBackupException;
import dev.tilewright.api.platform.process.ServeEnvironment;
import dev.tilewright.model.text.FileFault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import org.springframework.util.FileSystemUtils;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The verb {@code restore}. */
@Command(
        name = "tilewright restore",
        description =
                "Makes a home of a backup, or fills the empty database of DATABASE_URL. Start a service on it then: it"
                        + " brings the schema up to date. A home with a database, a database with tables, and a backup of"
                        + " a newer schema are refused.",
        sortOptions = false)
final class RestoreCommand extends BackupVerb {

    @Parameters(paramLabel = "FILE", description = "File that 'tilewright backup' wrote.")
    private Path source = Path.of("");

    RestoreCommand(ServeEnvironment asked) {
        super(asked);
    }

    @Override
    String done() throws IOException, RefusedBackupException, InterruptedException {
        if (!Files.isRegularFile(source)) {
            throw wrongUsage("there is no file " + source);
        }
        try (ZipFile zip = new ZipFile(source.toFile())) {
            DatabaseLoad load = DatabaseLoad.of(zip);
            fill(load);
            return "restored: " + summary(load.manifest()) + ", taken at "
                    + load.manifest().takenAt() + " by the program of commit "
                    + load.manifest().commit();
        } catch (ZipException damaged) {
            throw new RefusedBackupException(
                    source + " is no backup, or it is damaged: " + FileFault.reason(damaged), damaged);
        }
    }

    private void fill(DatabaseLoad load) throws IOException, RefusedBackupException, InterruptedException {
        boolean own = asked().databaseUrl() == null;
        boolean filled = false;
        StoredDatabase database = StoredDatabase.create(asked());
        try {
            load.into(database.login());
            filled = true;
        } finally {
            database.close();
            if (own && !filled) {
                // It was made for this backup, and half of it is worth nothing.
                FileSystemUtils.deleteRecursively(asked().home().postgres());
            }
        }
    }
}
