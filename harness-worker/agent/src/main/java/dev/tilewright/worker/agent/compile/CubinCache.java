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
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Cubins on disk, two files an entry: {@code <key>.cubin} and {@code <key>.json} with what the assembler said. An entry
 * whose cubin does not have the stored hash is as good as none. A {@link CacheLimit} deletes those whose last use, the
 * time of their metadata, is longest ago.
 */
public final class CubinCache {

    private static final Logger LOG = System.getLogger(CubinCache.class.getName());

    /** Uses within such a time of each other count as one. */
    private static final Duration UNNOTED = Duration.ofMinutes(1);

    private final Path directory;
    private final CacheLimit limit;
    private final JsonMapper json = Json.pretty();

    /** @param mostBytes of all entries together, but for a sixteenth that each process may add before it cleans */
    public CubinCache(Path directory, long mostBytes) {
        this.directory = directory;
        this.limit = new CacheLimit(directory, mostBytes);
    }

    /**
     * The cache of a home, as large as the environment says.
     *
     * @throws dev.tilewright.worker.link.command.CommandFailedException if that is no size
     */
    public static CubinCache of(Path directory, Map<String, String> environment) {
        return new CubinCache(directory, CacheLimit.bytes(environment));
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
            renew(file(key, ".json"));
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
            limit.added(assembly.cubin().bytes().length);
        } catch (IOException notStored) {
            LOG.log(Level.WARNING, "cubin " + key + " could not be stored: " + notStored);
        }
    }

    /** Notes the use; a folder that cannot be written is read all the same. */
    private static void renew(Path metadata) {
        Instant now = Instant.now();
        try {
            if (Files.getLastModifiedTime(metadata).toInstant().isBefore(now.minus(UNNOTED))) {
                Files.setLastModifiedTime(metadata, FileTime.from(now));
            }
        } catch (IOException unwritable) {
            LOG.log(Level.DEBUG, "the use of " + metadata + " cannot be noted: " + unwritable);
        }
    }

    private Path file(String key, String suffix) {
        return directory.resolve(key.substring(0, 2)).resolve(key + suffix);
    }
}
