package dev.tilewright.api.testing;

import dev.tilewright.api.platform.ServiceHome;
import dev.tilewright.api.platform.database.EmbeddedDatabase;
import dev.tilewright.model.space.Sha256;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import org.flywaydb.core.Flyway;
import org.springframework.util.FileSystemUtils;

/**
 * What every new home makes for itself is made once for the homes of tests: unpacking the programs of Postgres, making
 * its files and running all migrations take some seconds of a processor. {@code EmbeddedDatabaseTest},
 * {@code MigrationTest} and most tests of installations do it as users do.
 */
public final class PreparedHome {

    /** The tests of two modules have it. */
    private static final Path API =
            Path.of("..", "harness-api").toAbsolutePath().normalize();

    private static final Path FOLDER = API.resolve("target/prepared");
    private static final Path MIGRATIONS = API.resolve("src/main/resources/db/migration");

    private PreparedHome() {}

    /** Gives a home the programs that are there, or makes it the one that unpacks them for the others. */
    public static void lendPrograms(Path home) throws IOException {
        Path shared = Files.createDirectories(FOLDER.resolve("programs"));
        Path programs = new ServiceHome(home).postgresPrograms();
        if (!Files.exists(programs)) {
            Files.createSymbolicLink(programs, shared);
        }
    }

    /** Makes a new home one with an empty database of the newest schema. A home with data keeps them. */
    public static synchronized void make(Path home) throws IOException {
        lendPrograms(home);
        ServiceHome to = new ServiceHome(home);
        if (Files.exists(to.postgres())) {
            return;
        }
        ServiceHome from = new ServiceHome(FOLDER.resolve(schema()));
        // Two JVMs of tests may ask at once.
        try (FileChannel channel =
                        FileChannel.open(FOLDER.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock _ = channel.lock()) {
            if (!Files.exists(from.root())) {
                migrate(from.root());
            }
        }
        run("cp", "-a", from.postgres().toString(), to.postgres().toString());
        run(
                "cp",
                "-a",
                from.postgresPassword().toString(),
                to.postgresPassword().toString());
    }

    private static void migrate(Path target) throws IOException {
        Path part = FOLDER.resolve("part");
        FileSystemUtils.deleteRecursively(part);
        ServiceHome home = new ServiceHome(part);
        home.create();
        lendPrograms(part);
        try (EmbeddedDatabase database = EmbeddedDatabase.start(home)) {
            database.awaitUp();
            Flyway.configure()
                    .dataSource(database.jdbcUrl(), database.user(), database.password())
                    .load()
                    .migrate();
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", stopping);
        }
        Files.move(part, target);
    }

    /** Another one for other migrations. */
    private static String schema() throws IOException {
        StringBuilder all = new StringBuilder();
        try (Stream<Path> files = Files.walk(MIGRATIONS)) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                all.append(file).append('\n').append(Files.readString(file));
            }
        }
        return Sha256.hex(all.toString());
    }

    private static void run(String... command) throws IOException {
        try {
            int exit = new ProcessBuilder(command).inheritIO().start().waitFor();
            if (exit != 0) {
                throw new IOException(List.of(command) + " ended with " + exit);
            }
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", stopping);
        }
    }
}
