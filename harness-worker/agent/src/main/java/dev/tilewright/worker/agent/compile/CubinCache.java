package dev.tilewright.worker.agent.compile;

import dev.tilewright.worker.link.Cubin;
import dev.tilewright.worker.link.json.Json;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Cubins on disk, two files an entry: {@code <key>.cubin} and {@code <key>.json} with what the assembler said. An entry
 * whose cubin does not have the stored hash is as good as none.
 */
public final class CubinCache {

    private static final Logger LOG = System.getLogger(CubinCache.class.getName());

    private final Path directory;
    private final JsonMapper json = Json.pretty();

    public CubinCache(Path directory) {
        this.directory = directory;
    }

    /** SHA-256 over all that decides the cubin. */
    public String key(String ptx, String target, AssemblerId assembler) {
        String parts = String.join("\0", assembler.name(), assembler.version(), assembler.flags(), target, ptx);
        return PtxasLog.sha256(parts.getBytes(StandardCharsets.UTF_8));
    }

    private record Metadata(
            String assembler,
            String target,
            String cubinHash,
            int registers,
            int spillBytes,
            int staticSharedBytes,
            List<String> alarms,
            String log) {}

    /** The entry, if it is there and whole. */
    public Optional<Assembly> find(String key) {
        try {
            Metadata metadata = json.readValue(Files.readAllBytes(file(key, ".json")), Metadata.class);
            byte[] cubin = Files.readAllBytes(file(key, ".cubin"));
            if (metadata == null || !PtxasLog.sha256(cubin).equals(metadata.cubinHash())) {
                LOG.log(Level.WARNING, "cubin " + key + " in the cache is damaged: it is made anew");
                return Optional.empty();
            }
            return Optional.of(new Assembly(
                    new Cubin(cubin),
                    metadata.cubinHash(),
                    metadata.registers(),
                    metadata.spillBytes(),
                    metadata.staticSharedBytes(),
                    metadata.alarms(),
                    metadata.log()));
        } catch (NoSuchFileException absent) {
            return Optional.empty();
        } catch (JacksonException damaged) {
            LOG.log(Level.WARNING, "cubin " + key + " in the cache has damaged metadata: it is made anew");
            return Optional.empty();
        } catch (IOException unreadable) {
            LOG.log(Level.WARNING, "cubin " + key + " in the cache cannot be read: " + unreadable);
            return Optional.empty();
        }
    }

    /** Stores an entry; a disk that is full costs the entry, not the trial. */
    public void put(String key, String target, AssemblerId assembler, Assembly assembly) {
        Metadata metadata = new Metadata(
                assembler.toString(),
                target,
                assembly.cubinHash(),
                assembly.registers(),
                assembly.spillBytes(),
                assembly.staticSharedBytes(),
                assembly.alarms(),
                assembly.log());
        try {
            Files.createDirectories(file(key, ".json").getParent());
            Json.writeAtomically(file(key, ".cubin"), assembly.cubin().bytes());
            Json.writeAtomically(file(key, ".json"), json.writeValueAsBytes(metadata));
        } catch (IOException notStored) {
            LOG.log(Level.WARNING, "cubin " + key + " could not be stored: " + notStored);
        }
    }

    private Path file(String key, String suffix) {
        return directory.resolve(key.substring(0, 2)).resolve(key + suffix);
    }
}
