package dev.tilewright.api.platform.backup;

import dev.tilewright.api.platform.ServiceHome;
import dev.tilewright.api.platform.database.backup.DatabaseLoad;
import dev.tilewright.api.platform.database.backup.RefusedBackupException;
import dev.tilewright.api.platform.process.ServeEnvironment;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import org.springframework.util.FileSystemUtils;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The verb {@code restore}. */
@Command(
        name = "tilewright restore",
        description =
                "Makes a home of a backup, or fills the empty database of DATABASE_URL. Start a service on it then:"
                        + " it brings the schema up to date. A home with a database, a database with tables, and a backup of a"
                        + " newer schema are refused.",
        sortOptions = false)
final class RestoreCommand extends BackupVerb {

    @Parameters(paramLabel = "FILE", description = "What 'tilewright backup' wrote.")
    private Path source = Path.of("");

    RestoreCommand(ServeEnvironment asked) {
        super(asked);
    }

    @Override
    String done() throws IOException, RefusedBackupException, InterruptedException {
        if (!Files.isRegularFile(source)) {
            throw new RefusedBackupException("there is no file " + source);
        }
        try (ZipFile zip = new ZipFile(source.toFile())) {
            DatabaseLoad load = DatabaseLoad.of(zip);
            fill(load);
            int cubins = cubins(zip, asked().home());
            return "restored: " + summary(load.manifest()) + ", " + cubins + " files of cubins, taken at "
                    + load.manifest().takenAt() + " by the program of commit "
                    + load.manifest().commit();
        } catch (ZipException damaged) {
            throw new RefusedBackupException(
                    source + " is no backup, or it is damaged: " + damaged.getMessage(), damaged);
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

    private static int cubins(ZipFile zip, ServiceHome home) throws IOException {
        List<? extends ZipEntry> entries =
                zip.stream().filter(entry -> entry.getName().startsWith(CUBINS)).toList();
        int written = 0;
        for (ZipEntry entry : entries) {
            Path target = home.cubins()
                    .resolve(entry.getName().substring(CUBINS.length()))
                    .normalize();
            // Whoever made the file may have written any path into it.
            if (target.startsWith(home.cubins())
                    && CUBIN.matcher(target.getFileName().toString()).matches()
                    && !Files.exists(target)) {
                Files.createDirectories(target.getParent());
                try (InputStream content = zip.getInputStream(entry)) {
                    Files.copy(content, target);
                }
                written++;
            }
        }
        return written;
    }
}
