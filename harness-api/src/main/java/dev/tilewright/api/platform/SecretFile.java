package dev.tilewright.api.platform;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;

/** Secrets in files that only their owner can read (mode 0600). */
public final class SecretFile {

    private static final int BYTES = 32;

    private SecretFile() {}

    /** A new secret. */
    public static String draw() {
        byte[] secret = new byte[BYTES];
        new SecureRandom().nextBytes(secret);
        return HexFormat.of().formatHex(secret);
    }

    /** The secret in the file; one is drawn and written first if there is no file. */
    public static String readOrCreate(Path file) throws IOException {
        if (!Files.exists(file)) {
            write(file, draw());
        }
        String secret = Files.readString(file).strip();
        if (secret.isEmpty()) {
            throw new IOException(file + " is empty; remove it to have a new one made");
        }
        return secret;
    }

    /** Writes the secret so that a reader finds the old file or the new one, never half of it. */
    public static void write(Path file, String secret) throws IOException {
        Path fresh = Files.createTempFile(
                file.toAbsolutePath().getParent(),
                file.getFileName().toString(),
                ".new",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(fresh, secret + "\n");
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
