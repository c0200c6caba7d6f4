package dev.tilewright.worker.link.json;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.UUID;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Mapper and files. */
public final class Json {

    private Json() {}

    /**
     * A mapper that ignores what it does not know, so that a newer API can say more than we understand. A number that a
     * document of an older one lacks is 0.
     */
    public static JsonMapper mapper() {
        return JsonMapper.builder()
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                .build();
    }

    /** A mapper for files that people read. */
    public static JsonMapper pretty() {
        return mapper().rebuild().enable(SerializationFeature.INDENT_OUTPUT).build();
    }

    /** Writes a file so that whoever reads it sees all or nothing of it. */
    public static void writeAtomically(Path file, byte[] bytes) throws IOException {
        // Not a temporary file of the library's: those only their owner may read.
        Path temporary = file.toAbsolutePath().resolveSibling(file.getFileName() + "." + UUID.randomUUID() + ".part");
        try {
            Files.write(temporary, bytes);
            Files.move(
                    temporary,
                    file.toAbsolutePath(),
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(temporary);
        }
    }
}
