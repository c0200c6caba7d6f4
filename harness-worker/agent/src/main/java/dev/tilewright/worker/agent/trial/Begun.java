package dev.tilewright.worker.agent.trial;

import dev.tilewright.model.exchange.BuiltKernel;
import dev.tilewright.model.exchange.Lease;
import dev.tilewright.model.space.Config;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A lease whose kernels are being made.
 *
 * @param refusal why this worker cannot do it; {@code null} if it can
 * @param kernels those of the lease
 * @param anchor the kernel that they are timed beside; {@code null} if there is none
 * @param rivals peers of a final whose kernels are built here
 * @param making when they were made
 */
public record Begun(
        Lease lease,
        @Nullable String refusal,
        Map<BuiltKernel, CompletableFuture<Preparation>> kernels,
        @Nullable CompletableFuture<Preparation> anchor,
        Rivals rivals,
        Making making) {

    /**
     * When the kernels of a lease and their anchor were in the making, by {@link System#nanoTime}.
     *
     * @param until completes with the last one, also where one failed
     */
    record Making(long from, CompletableFuture<Long> until) {

        /** How long they were between two moments; waits for the last one. */
        long within(long first, long second) {
            return Math.max(0, Math.min(until.join(), second) - Math.max(from, first));
        }
    }

    public Begun {
        kernels = Map.copyOf(kernels);
    }

    static Begun refused(Lease lease, String reason) {
        return new Begun(
                lease, reason, Map.of(), null, Rivals.NONE, new Making(0, CompletableFuture.completedFuture(0L)));
    }

    /** @param from when the work on it began, by {@link System#nanoTime} */
    static Begun of(
            Lease lease,
            Map<BuiltKernel, CompletableFuture<Preparation>> kernels,
            @Nullable CompletableFuture<Preparation> anchor,
            Rivals rivals,
            long from) {
        CompletableFuture<?>[] all = Stream.of(
                        kernels.values().stream(),
                        Stream.ofNullable(anchor),
                        rivals.kernels().stream().map(Rivals.Rival::making))
                .flatMap(made -> made)
                .toArray(CompletableFuture[]::new);
        CompletableFuture<Long> until = CompletableFuture.allOf(all).handle((_, _) -> System.nanoTime());
        return new Begun(lease, null, kernels, anchor, rivals, new Making(from, until));
    }

    /** Whether nothing is to be waited for: neither a kernel nor the anchor, and neither failed by a bug. */
    boolean isMade(Config config) {
        CompletableFuture<Preparation> kernel = kernels.get(new BuiltKernel(lease.family(), config));
        return kernel != null && isThere(kernel) && (anchor == null || isThere(anchor));
    }

    private static boolean isThere(CompletableFuture<Preparation> future) {
        return future.isDone() && !future.isCompletedExceptionally();
    }

    /** Waits for the kernel of a config of a study. */
    Preparation kernel(Config config) {
        return kernel(new BuiltKernel(lease.family(), config));
    }

    /** Waits for a kernel. */
    Preparation kernel(BuiltKernel wanted) {
        CompletableFuture<Preparation> kernel = kernels.get(wanted);
        if (kernel == null) {
            throw new IllegalArgumentException("the lease has no kernel " + wanted);
        }
        return kernel.join();
    }

    /** Forgets what has not been begun yet. */
    public void abandon() {
        kernels.values().forEach(kernel -> kernel.cancel(false));
        if (anchor != null) {
            anchor.cancel(false);
        }
        rivals.kernels().forEach(rival -> rival.making().cancel(false));
    }
}
