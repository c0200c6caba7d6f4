package dev.tilewright.api.platform;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** Where things lie under {@code TILEWRIGHT_HOME}. */
public record ServiceHome(Path root) {

    public Path lockFile() {
        return root.resolve("service.lock");
    }

    /** Says url and process of the running service. */
    public Path serviceFile() {
        return root.resolve("service.json");
    }

    public Path workerToken() {
        return root.resolve("worker.token");
    }

    /** Token of the operator that a service with {@code --login} has drawn. */
    public Path userToken() {
        return root.resolve("user.token");
    }

    /** Data of the embedded Postgres. */
    public Path postgres() {
        return root.resolve("postgres");
    }

    /** A copy of the data of the embedded Postgres from before a change. */
    public Path postgresCopy(String when) {
        return root.resolve("postgres-" + when);
    }

    /** Password of the embedded Postgres. */
    public Path postgresPassword() {
        return root.resolve("postgres.password");
    }

    /** Unpacked programs of the embedded Postgres. */
    public Path postgresPrograms() {
        return root.resolve("postgres-programs");
    }

    /** Cubins that workers on this machine assembled, by hash. */
    public Path cubins() {
        return root.resolve("cubins");
    }

    public Path logs() {
        return root.resolve("logs");
    }

    /** Makes the folders that are missing; a new home can be entered by its owner alone. */
    public void create() throws IOException {
        Files.createDirectories(
                root, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Files.createDirectories(logs());
    }
}
