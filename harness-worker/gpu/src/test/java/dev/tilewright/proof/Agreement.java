package dev.tilewright.proof;

import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Config;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/** What a real GPU computed, to hold the emulator against: {@code proof/h200-agreement.json.gz}. */
record Agreement(int schemaVersion, String device, String driver, int smCount, String commit, List<Case> cases) {

    /**
     * One launch.
     *
     * @param inputs SHA-256 of the bytes of A and then B: the generator of data must not drift
     * @param output SHA-256 of the bytes of D
     * @param values D itself, gzipped, in base 64; only for some cases of {@link GemmData.Kind#NORMAL}
     */
    record Case(
            Config config,
            int m,
            int n,
            int k,
            GemmData.Kind data,
            long seed,
            int gridX,
            String inputs,
            String output,
            @Nullable String values) {

        ProblemShape shape() {
            return new ProblemShape(m, n, k);
        }

        byte[] unpackedValues() {
            if (values == null) {
                throw new IllegalStateException("no values are kept of " + this);
            }
            try (GZIPInputStream in = new GZIPInputStream(
                    new ByteArrayInputStream(Base64.getDecoder().decode(values)))) {
                return in.readAllBytes();
            } catch (IOException impossible) {
                throw new UncheckedIOException(impossible);
            }
        }

        @Override
        public String toString() {
            return data + " " + m + "x" + n + "x" + k + " " + config.canonical();
        }
    }

    static String packed(byte[] bytes) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(bytes);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return Base64.getEncoder().encodeToString(out.toByteArray());
    }

    static String sha256(byte[]... parts) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (byte[] part : parts) {
                digest.update(part);
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
