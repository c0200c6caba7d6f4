package dev.tilewright.worker.link.home;

import java.nio.file.Path;
import java.util.Map;

/**
 * Where everything lies that outlives a process: {@code TILEWRIGHT_HOME}, or {@code ~/.tilewright} when that is unset.
 */
public record Home(Path root) {

    /** The home that the environment names. */
    public static Home of(Map<String, String> environment) {
        String named = environment.get("TILEWRIGHT_HOME");
        return new Home(
                named == null || named.isBlank()
                        ? Path.of(System.getProperty("user.home"), ".tilewright")
                        : Path.of(named).toAbsolutePath());
    }

    /** Says url and process of the running service. */
    public Path serviceFile() {
        return root.resolve("service.json");
    }

    /** One file for each process that uses the service. */
    public Path clients() {
        return root.resolve("clients");
    }

    public Path serviceLog() {
        return root.resolve("logs").resolve("serve.log");
    }

    /** The log of the service's worker. */
    public Path workerLog() {
        return root.resolve("logs").resolve("worker.log");
    }

    /** As old as the last heartbeat of a worker that the API answered. */
    public Path heartbeat() {
        return root.resolve("heartbeat");
    }

    public Path cubins() {
        return root.resolve("cubins");
    }
}
