package dev.tilewright.worker.agent.compile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.worker.link.Cubin;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
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
        cache = new CubinCache(directory.resolve("cubins"), 1 << 20);
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
            assertThat(files.filter(Files::isRegularFile)
                            .map(file -> file.getFileName().toString()))
                    .hasSize(3)
                    .contains("lock");
        }
    }

    private Path file(String suffix) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(file -> file.toString().endsWith(suffix))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private static final int ENTRY = 10_000;
    private static final int LIMIT = 20 * ENTRY;

    private Path cubins() {
        return directory.resolve("cubins");
    }

    private static Assembly large(int number) {
        byte[] cubin = new byte[ENTRY];
        cubin[0] = (byte) number;
        return new Assembly(new Cubin(cubin), PtxasLog.sha256(cubin), 168, 0, 1024, List.of(), "");
    }

    private String put(CubinCache limited, int number) {
        String key = limited.key("text " + number, "sm_90a", PTXAS);
        limited.put(key, "sm_90a", PTXAS, large(number));
        return key;
    }

    private void age(String key, int hours) throws IOException {
        for (String suffix : List.of(".cubin", ".json")) {
            Files.setLastModifiedTime(
                    cubins().resolve(key.substring(0, 2)).resolve(key + suffix),
                    FileTime.from(Instant.now().minus(Duration.ofHours(hours))));
        }
    }

    private long bytes() throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(Files::isRegularFile)
                    .mapToLong(file -> file.toFile().length())
                    .sum();
        }
    }

    @Test
    void whatWasUsedLongestAgoGoesFirst() throws IOException {
        CubinCache limited = new CubinCache(cubins(), LIMIT);
        String old = put(limited, 0);
        String used = put(limited, 1);
        String young = put(limited, 2);
        age(old, 3);
        age(used, 4);
        age(young, 1);
        assertThat(limited.find(used)).contains(large(1));
        // The rest of an entry that a killed process left counts and goes too.
        Path part = Files.write(cubins().resolve(old.substring(0, 2)).resolve(old + ".cubin.1.part"), new byte[ENTRY]);
        Files.setLastModifiedTime(part, FileTime.from(Instant.now().minus(Duration.ofHours(5))));
        for (int number = 3; number < 20; number++) {
            put(limited, number);
        }
        assertThat(limited.find(old)).isEmpty();
        assertThat(part).doesNotExist();
        assertThat(limited.find(used)).contains(large(1));
        assertThat(bytes()).isLessThan(LIMIT + LIMIT / 8);
    }

    @Test
    void oneProcessCleansAtATime() throws IOException {
        for (int number = 0; number < 30; number++) {
            put(cache, number);
        }
        long before = bytes();
        CubinCache limited = new CubinCache(cubins(), LIMIT);
        try (FileChannel lock = FileChannel.open(cubins().resolve("lock"), StandardOpenOption.WRITE)) {
            lock.lock();
            put(limited, 30);
            assertThat(bytes()).isGreaterThan(before);
        }
        put(limited, 31);
        put(limited, 32);
        assertThat(bytes()).isLessThan(LIMIT + LIMIT / 8);
    }

    @Test
    void severalCachesOnOneFolderGiveRightCubinsOrNone() throws Exception {
        List<Callable<Boolean>> workers = new ArrayList<>();
        for (int worker = 0; worker < 4; worker++) {
            CubinCache own = new CubinCache(cubins(), LIMIT);
            workers.add(() -> {
                boolean right = true;
                for (int i = 0; i < 150; i++) {
                    int number = i % 50;
                    String key = put(own, number);
                    right &= own.find(key).map(large(number)::equals).orElse(true);
                }
                return right;
            });
        }
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            for (Future<Boolean> worker : threads.invokeAll(workers)) {
                assertThat(worker.get()).isTrue();
            }
        }
        assertThat(bytes()).isLessThan(LIMIT + LIMIT / 2);
    }

    @Test
    void aSizeThatIsNoneIsRefused() {
        assertThat(CacheLimit.bytes(Map.of())).isEqualTo(2048L << 20);
        assertThat(CacheLimit.bytes(Map.of(CacheLimit.VARIABLE, "16"))).isEqualTo(16 << 20);
        for (String wrong : List.of("15", "2g", "-1", "9999999")) {
            assertThatThrownBy(() -> CacheLimit.bytes(Map.of(CacheLimit.VARIABLE, wrong)))
                    .hasMessage("TILEWRIGHT_CUBIN_CACHE_MIB: must be a whole number of MiB from 16 to 1048576, got '"
                            + wrong + "'");
        }
    }
}
