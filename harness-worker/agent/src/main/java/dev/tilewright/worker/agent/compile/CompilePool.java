package dev.tilewright.worker.agent.compile;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Assembles texts on some threads, each with an assembler of its own. A text that is asked for while it is being
 * assembled is assembled once; one that is in the cache, not at all.
 */
public final class CompilePool implements AutoCloseable {

    private static final Duration LAST_WRITES = Duration.ofSeconds(1);

    private final AssemblerId id;
    private final AssemblerSource source;
    private final CubinCache cache;
    private final Duration limit;
    private final ExecutorService threads;
    private final Queue<Assembler> idle = new ConcurrentLinkedQueue<>();
    private final Map<String, CompletableFuture<AssemblyResult>> underWay = new ConcurrentHashMap<>();
    private volatile boolean closed;

    /**
     * Starts the first assembler, the others when they are needed.
     *
     * @param limit of one text
     * @throws IOException if the assembler cannot be used
     */
    public CompilePool(AssemblerSource source, int threads, CubinCache cache, Duration limit) throws IOException {
        Assembler first = source.start();
        idle.add(first);
        this.id = first.id();
        this.source = source;
        this.cache = cache;
        this.limit = limit;
        this.threads = Executors.newFixedThreadPool(
                threads, Thread.ofPlatform().name("compile-", 0).daemon().factory());
    }

    /** The number of threads for this machine: one core is left to the device loop. */
    public static int threadsFor(int cores) {
        return Math.max(1, cores - 1);
    }

    public AssemblerId assembler() {
        return id;
    }

    /** Assembles the text when a thread is free. The future never completes exceptionally. */
    public CompletableFuture<AssemblyResult> assemble(String ptx, String target) {
        String key = cache.key(ptx, target, id);
        return underWay.computeIfAbsent(
                        key,
                        absent -> CompletableFuture.supplyAsync(() -> assembleAndForget(key, ptx, target), threads))
                .copy();
    }

    /** The map has only what is being assembled now. Results are kept in the cache. */
    private AssemblyResult assembleAndForget(String key, String ptx, String target) {
        try {
            return assemble(key, ptx, target);
        } finally {
            underWay.remove(key);
        }
    }

    private AssemblyResult assemble(String key, String ptx, String target) {
        Optional<Assembly> cached = cache.find(key);
        if (cached.isPresent()) {
            return new AssemblyResult.Assembled(cached.get());
        }
        @Nullable Assembler assembler = idle.poll();
        try {
            assembler = assembler == null ? source.start() : assembler;
            AssemblyResult result = assembler.assemble(ptx, target, limit);
            if (result instanceof AssemblyResult.Assembled(Assembly assembly)) {
                cache.put(key, target, id, assembly);
            }
            return result;
        } catch (IOException unusable) {
            return new AssemblyResult.Broken(id + ": " + unusable.getMessage());
        } catch (RuntimeException bug) {
            System.getLogger(CompilePool.class.getName()).log(System.Logger.Level.ERROR, "the assembler failed", bug);
            return new AssemblyResult.Broken(id + ": " + bug);
        } finally {
            release(assembler);
        }
    }

    private void release(@Nullable Assembler assembler) {
        if (assembler == null) {
            return;
        }
        if (closed) {
            assembler.close();
        } else {
            idle.add(assembler);
        }
    }

    /**
     * Takes no more texts and ends the assemblers; those at work end with their text. They are waited for a moment: who
     * has just finished one is still writing it into the cache.
     */
    @Override
    public void close() {
        closed = true;
        threads.shutdownNow();
        try {
            threads.awaitTermination(LAST_WRITES.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
        }
        for (Assembler assembler = idle.poll(); assembler != null; assembler = idle.poll()) {
            assembler.close();
        }
    }
}
