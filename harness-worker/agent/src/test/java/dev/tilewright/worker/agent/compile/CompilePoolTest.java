package dev.tilewright.worker.agent.compile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.worker.link.Cubin;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class CompilePoolTest {

    private static final AssemblerId ID = new AssemblerId("fake", "1.0", "");

    @TempDir
    private Path directory;

    private final Queue<String> assembled = new ConcurrentLinkedQueue<>();
    private final CountDownLatch released = new CountDownLatch(1);

    /**
     * Assembles any text once the released is open; refuses those that begin with "bad", fails at those that begin with
     * "bug".
     */
    private final class LatchedAssembler implements Assembler {
        @Override
        public AssemblerId id() {
            return ID;
        }

        @Override
        public AssemblyResult assemble(String ptx, String target, Duration limit) {
            assembled.add(ptx);
            try {
                released.await();
            } catch (InterruptedException stopping) {
                return new AssemblyResult.Broken("interrupted");
            }
            if (ptx.startsWith("bug")) {
                throw new IllegalStateException("a bug");
            }
            byte[] cubin = ptx.getBytes(java.nio.charset.StandardCharsets.UTF_8);
            return ptx.startsWith("bad")
                    ? new AssemblyResult.Refused("line 1")
                    : new AssemblyResult.Assembled(
                            new Assembly(new Cubin(cubin), PtxasLog.sha256(cubin), 32, 0, 0, List.of(), ""));
        }

        @Override
        public void close() {
            assembled.add("closed");
        }
    }

    private CompilePool pool(int threads) throws IOException {
        return new CompilePool(
                LatchedAssembler::new, threads, new CubinCache(directory, 1 << 30), Duration.ofSeconds(10));
    }

    @Test
    void assemblesATextOnceHoweverOftenItIsAskedFor() throws IOException {
        try (CompilePool pool = pool(2)) {
            List<CompletableFuture<AssemblyResult>> asked =
                    List.of(pool.assemble("a", "sm_90a"), pool.assemble("a", "sm_90a"), pool.assemble("b", "sm_90a"));
            released.countDown();
            asked.forEach(CompletableFuture::join);
            AssemblyResult later = pool.assemble("a", "sm_90a").join();

            assertThat(later).isEqualTo(asked.getFirst().join());
            assertThat(assembled).containsExactlyInAnyOrder("a", "b");
        }
    }

    @Test
    void doesNotRememberARefusal() throws IOException {
        released.countDown();
        try (CompilePool pool = pool(1)) {
            assertThat(pool.assemble("bad", "sm_90a").join()).isEqualTo(new AssemblyResult.Refused("line 1"));
            assertThat(pool.assemble("bad", "sm_90a").join()).isEqualTo(new AssemblyResult.Refused("line 1"));
        }
        assertThat(assembled).containsExactly("bad", "bad", "closed");
    }

    @Test
    void survivesABugInTheAssembler() throws IOException {
        released.countDown();
        try (CompilePool pool = pool(1)) {
            assertThat(pool.assemble("bug", "sm_90a").join())
                    .isInstanceOfSatisfying(
                            AssemblyResult.Broken.class,
                            broken -> assertThat(broken.reason()).contains("a bug"));
            assertThat(pool.assemble("a", "sm_90a").join()).isInstanceOf(AssemblyResult.Assembled.class);
        }
    }

    @Test
    void oneCallerGivingUpDoesNotTakeTheTextFromAnother() throws IOException {
        try (CompilePool pool = pool(1)) {
            CompletableFuture<AssemblyResult> given = pool.assemble("a", "sm_90a");
            CompletableFuture<AssemblyResult> kept = pool.assemble("a", "sm_90a");
            given.cancel(true);
            released.countDown();

            assertThat(kept.join()).isInstanceOf(AssemblyResult.Assembled.class);
        }
    }

    @Test
    void leavesACoreToTheDevice() {
        assertThat(CompilePool.threadsFor(1)).isEqualTo(1);
        assertThat(CompilePool.threadsFor(2)).isEqualTo(1);
        assertThat(CompilePool.threadsFor(16)).isEqualTo(15);
    }
}
