package dev.tilewright.worker.agent.compile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.worker.link.Cubin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CubinCacheTest {

    private static final AssemblerId PTXAS = new AssemblerId("ptxas", "13.0.88", "-v");

    @TempDir
    private Path directory;

    private CubinCache cache;

    @BeforeEach
    void open() {
        cache = new CubinCache(directory.resolve("cubins"));
    }

    private static Assembly assembly(int... bytes) {
        byte[] cubin = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            cubin[i] = (byte) bytes[i];
        }
        return new Assembly(
                new Cubin(cubin), PtxasLog.sha256(cubin), 168, 0, 1024, List.of("an alarm"), "all that was said");
    }

    @Test
    void givesBackWhatWasPut() {
        String key = cache.key("text", "sm_90a", PTXAS);
        cache.put(key, "sm_90a", PTXAS, assembly(1, 2, 3));

        assertThat(cache.find(key)).contains(assembly(1, 2, 3));
    }

    @Test
    void hasNothingAtFirst() {
        assertThat(cache.find(cache.key("text", "sm_90a", PTXAS))).isEmpty();
    }

    @Test
    void tellsEverythingApartThatDecidesTheCubin() {
        assertThat(Stream.of(
                        cache.key("text", "sm_90a", PTXAS),
                        cache.key("texT", "sm_90a", PTXAS),
                        cache.key("text", "sm_90", PTXAS),
                        cache.key("text", "sm_90a", new AssemblerId("ptxas", "13.0.89", "-v")),
                        cache.key("text", "sm_90a", new AssemblerId("nvptxcompiler", "13.0.88", "-v")),
                        cache.key("text", "sm_90a", new AssemblerId("ptxas", "13.0.88", "-v -O1"))))
                .doesNotHaveDuplicates();
    }

    @Test
    void doesNotTrustADamagedCubin() throws IOException {
        String key = cache.key("text", "sm_90a", PTXAS);
        cache.put(key, "sm_90a", PTXAS, assembly(1, 2, 3));
        Files.write(file(".cubin"), new byte[] {1, 2, 4});

        assertThat(cache.find(key)).isEmpty();

        cache.put(key, "sm_90a", PTXAS, assembly(1, 2, 3));
        assertThat(cache.find(key)).contains(assembly(1, 2, 3));
    }

    @Test
    void doesNotTrustDamagedMetadata() throws IOException {
        String key = cache.key("text", "sm_90a", PTXAS);
        cache.put(key, "sm_90a", PTXAS, assembly(1, 2, 3));
        for (String damage : List.of("", "{", "{}", "null", "[]")) {
            Files.writeString(file(".json"), damage);

            assertThat(cache.find(key)).as(damage).isEmpty();
        }
    }

    @Test
    void leavesNoPartsBehind() throws IOException {
        cache.put(cache.key("text", "sm_90a", PTXAS), "sm_90a", PTXAS, assembly(1));

        try (Stream<Path> files = Files.walk(directory)) {
            assertThat(files.filter(Files::isRegularFile)).hasSize(2);
        }
    }

    private Path file(String suffix) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(file -> file.toString().endsWith(suffix))
                    .findFirst()
                    .orElseThrow();
        }
    }
}
